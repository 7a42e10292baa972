//! Encodings of network and hardware addresses other than their usual text form.

use std::net::Ipv6Addr;

use crate::redact::encoding::Encoding;
use crate::redact::escapes::{NameChars, hex};

/// Other encodings of an IPv4 address with dots; none of one with dashes.
#[must_use]
pub fn of_ipv4(name: &[u8], pseudonym: &[u8]) -> Vec<Encoding> {
    let (Some(old), Some(new)) = (Ipv4::of(name), Ipv4::of(pseudonym)) else { return Vec::new() };
    let written = old.forms().into_iter().zip(new.forms());
    let mut found: Vec<Encoding> =
        written.map(|(one, other)| Encoding::new(one.into_bytes(), other.into_bytes()).bounded()).collect();
    for encode in
        [|one: &Ipv4| format!("_{}", one.parts.join("_")), |one: &Ipv4| format!("0x{}", hex(&one.octets))]
    {
        found.push(Encoding::new(encode(&old).into_bytes(), encode(&new).into_bytes()));
    }
    found
}

struct Ipv4<'a> {
    parts: Vec<&'a str>,
    octets: [u8; 4],
}

impl<'a> Ipv4<'a> {
    fn of(text: &'a [u8]) -> Option<Self> {
        let parts: Vec<&str> = std::str::from_utf8(text).ok()?.split('.').collect();
        let octets: Vec<u8> = parts.iter().map(|part| part.parse().ok()).collect::<Option<_>>()?;
        Some(Self { parts, octets: octets.try_into().ok()? })
    }

    /// With other separators, zero-padded, reversed, as a number, as procfs and as C print it.
    fn forms(&self) -> [String; 7] {
        let backwards: Vec<&str> = self.parts.iter().rev().copied().collect();
        let padded: Vec<String> = self.parts.iter().map(|part| format!("{part:0>3}")).collect();
        let mut octets = self.octets;
        octets.reverse();
        [
            self.parts.join("-"),
            self.parts.join("_"),
            padded.join("."),
            backwards.join("."),
            format!("{:09}", u32::from_be_bytes(self.octets)),
            hex(&octets),
            hex(&self.octets),
        ]
    }
}

/// Other encodings of an IPv6 address with colons; none of one without.
#[must_use]
pub fn of_ipv6(name: &[u8], pseudonym: &[u8]) -> Vec<Encoding> {
    let parsed = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<Ipv6Addr>().ok();
    let (Some(old), Some(new)) = (parsed(name), parsed(pseudonym)) else { return Vec::new() };
    let written = |address: Ipv6Addr| {
        let digits = hex(&address.octets());
        let backwards: Vec<String> = digits.chars().rev().map(String::from).collect();
        let words: Vec<u8> = address.octets().chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
        let groups: Vec<&str> = (0..8).map(|at| &digits[4 * at..4 * at + 4]).collect();
        let short = NameChars::of(in_short(address).as_bytes()).all_in_a_url();
        let rest =
            [groups.join(":"), digits.clone(), hex(&words), format!("{}.ip6.arpa", backwards.join("."))];
        rest.into_iter().map(String::into_bytes).chain([short]).collect::<Vec<_>>()
    };
    written(old).into_iter().zip(written(new)).map(|(one, other)| Encoding::new(one, other)).collect()
}

/// The shortest text form, in hexadecimal even for IPv4-mapped addresses.
fn in_short(address: Ipv6Addr) -> String {
    match (address.to_ipv4_mapped(), address.segments()) {
        (Some(_), [.., high, low]) => format!("::ffff:{high:x}:{low:x}"),
        (None, _) => address.to_string(),
    }
}

/// Other encodings of a hardware address of six bytes, also inside addresses of IPv6 and `InfiniBand`.
#[must_use]
pub fn of_mac(name: &[u8], pseudonym: &[u8]) -> Vec<Encoding> {
    let (Some(old), Some(new)) = (bytes_of(name), bytes_of(pseudonym)) else { return Vec::new() };
    let with = |address: &[u8; 6], mark: &str| address.map(|byte| format!("{byte:02x}")).join(mark);
    let mut found: Vec<Encoding> = ["", ":", "-", "_"]
        .iter()
        .map(|mark| Encoding::new(with(&old, mark).into_bytes(), with(&new, mark).into_bytes()))
        .collect();
    for encode in [eui64, guid] {
        found.push(Encoding::new(encode(old).into_bytes(), encode(new).into_bytes()));
    }
    found
}

fn bytes_of(address: &[u8]) -> Option<[u8; 6]> {
    let digits: Vec<u8> = address.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let pairs = digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    pairs.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

/// The EUI-64 interface identifier: the lower half of an IPv6 address derived from a hardware address.
fn eui64(mut address: [u8; 6]) -> String {
    address[0] ^= 2;
    with_middle(address, [0xff, 0xfe])
}

fn guid(address: [u8; 6]) -> String {
    with_middle(address, [3, 0])
}

fn with_middle(address: [u8; 6], middle: [u8; 2]) -> String {
    let bytes = [&address[..3], &middle[..], &address[3..]].concat();
    let groups: Vec<String> =
        bytes.chunks(2).map(|pair| format!("{:x}", u16::from(pair[0]) << 8 | u16::from(pair[1]))).collect();
    groups.join(":")
}

#[cfg(test)]
mod tests {
    use super::{of_ipv4, of_ipv6, of_mac};
    use crate::redact::encoding::Encoding;

    fn encoded_forms(found: Vec<Encoding>) -> Vec<String> {
        found.into_iter().map(|one| String::from_utf8(one.encoded).unwrap()).collect()
    }

    #[test]
    fn an_address_is_written_dashed_padded_backwards_and_as_numbers() {
        let expected = [
            "10-0-0-5",
            "10_0_0_5",
            "010.000.000.005",
            "5.0.0.10",
            "167772165",
            "0500000a",
            "0a000005",
            "_10_0_0_5",
            "0x0a000005",
        ];
        assert_eq!(encoded_forms(of_ipv4(b"10.0.0.5", b"0.3.7.52")), expected);
        assert!(of_ipv4(b"10-0-0-5", b"0-3-7-52").is_empty());
    }

    #[test]
    fn a_long_address_is_written_whole_packed_backwards_and_as_procfs_does() {
        let encodings = encoded_forms(of_ipv6(b"fd00::1:2", b"100::4f1a"));
        assert_eq!(encodings[0], "fd00:0000:0000:0000:0000:0000:0001:0002");
        assert_eq!(encodings[1], "fd000000000000000000000000010002");
        assert_eq!(encodings[2], "000000fd000000000000000002000100");
        assert_eq!(encodings[3], "2.0.0.0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.f.ip6.arpa");
        assert_eq!(encodings[4], "fd00%3a%3a1%3a2");
        assert_eq!(encoded_forms(of_ipv6(b"::ffff:a00:5", b"100::4f1a"))[4], "%3a%3affff%3aa00%3a5");
    }

    #[test]
    fn a_hardware_address_is_found_inside_of_the_addresses_made_of_it() {
        let encodings = encoded_forms(of_mac(b"3c:fd:fe:02:34:56", b"02:00:5e:11:22:33"));
        let expected = [
            "3cfdfe023456",
            "3c:fd:fe:02:34:56",
            "3c-fd-fe-02-34-56",
            "3c_fd_fe_02_34_56",
            "3efd:feff:fe02:3456",
            "3cfd:fe03:2:3456",
        ];
        assert_eq!(encodings, expected);
    }
}
