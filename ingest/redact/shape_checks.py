"""Checks of shapes: a token is an id, a key or a serial number, and not a model, a path or a symbol."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.redact import protected_words
from ingest.redact.addresses import DISCARDED

if TYPE_CHECKING:
    from collections.abc import Callable

Around = tuple[bytes, bytes]

LEAST_ENTROPY = 3.4
"""Bits per character; words and paths of twenty characters have about three."""
LEAST_CHANGES = 0.3
"""Share of neighbouring characters of different classes; CamelCase has less."""
LEAST_DIGITS = 2
SERIAL_DIGITS = 3
LEAST_RANDOM_PART = 16
PHONE_DIGITS = range(8, 16)
PRINTABLE_SHARE = 0.9
_MODEL = re.compile(
    r"(?:MZ[A-Z0-9]|SSD[A-Z]{2}|MTFD|ST[0-9]{3,5}[A-Z]|WDC?[0-9 ]|WD[0-9]{2,}|HU[SHC][0-9]|MG[0-9]{2}|KPM|"
    r"KXG|CT[0-9]{3}|MC[XPA][0-9]|MQM|DCS-|N[0-9]K-|SFP|QSFP|M[0-9]{3}A|HMA|CX[0-9]{4}|PM[0-9]{4}|SDF|THNS|"
    r"DT0|HTS|HDS|EPYC|XEON)"
)
"""First letters of models of disks, memory and cards."""
_WORDS = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])")
_NO_NAME = Pattern(
    r"(?i)[0-9a-f]{6,}|.*::.*|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|ipv[46]|[a-z]+(?:\.[a-z]+)+\.(?-i:[A-Z])\w*|(?:iqn|nqn|eui|naa)\..*|v?[0-9]+(?:\.[0-9]+)+.*|.*[.-]v?[0-9]+\.[0-9].*|"
    r".*\.(?:so|conf|cfg|ini|ko|py|log|txt|[chosd]|cc|cpp|rs|go|java|jar|service|socket|target|slice|scope|mount|timer|"
    r"device|path|swap|sh|pl|rb|js|json|ya?ml|xml|pem|key|crt|repo|rules|img|bin|fw|dat|db|list|rpm|deb|html?|pid|lock|"
    r"sock|state|gz|xz|zst|bz2|tar|el[0-9]+.*|fc[0-9]+.*|x86_64|aarch64|noarch|amd64)|"
    r"(?:sd|hd|vd|xvd|dm|md|sr|loop|ram|nvme|nbd|rbd|zram|drbd|eth|en[opsx]|wl[ops]|ib|bond|team|br|veth|tap|tun|vnet|virbr|cali|"
    r"vlan|cpu|node|core|irq|tty|pts|hvc|mlx|bnx|ens|eno|enp|ata|usb|pci|scsi|lun)-?[0-9]+[a-z0-9]*(?:[-.:][a-z0-9]*)*"
)
"""Tokens in the place of a name that are an address, a version, a file or a device."""
_OFFSET = re.compile(r"\+0x[0-9a-f]+$")
_WHOLE_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[\x80-\U0010ffff]+")
ENDINGS = ("s", "ed", "d", "ing", "ly")
"""Endings of words that follow from others."""
SHORTEST_NAME = 3


def is_identifier(text: str, _: Around) -> bool:
    """Return whether digits are an identifier, and not zeros or the pseudonym of an address."""
    return len(set(text)) > 4 and not text.startswith(DISCARDED.hex())


def is_serial(text: str, around: Around) -> bool:
    """Return whether capitals and digits are a serial number: many of both, and no model of a device."""
    digits = sum(map(str.isdigit, text))
    letters = len(text) - digits
    is_inside = around[0][-1:] in (b"_", b"-", b".") or around[1][:1] in (b"_", b"-")
    is_hex = all(char in "0123456789ABCDEF" for char in text)
    return not (
        is_inside or digits < SERIAL_DIGITS or letters < 2 or is_hex or _MODEL.match(text) is not None
    )


def is_opaque(text: str, around: Around) -> bool:
    """Return whether a token is random: no words, many changes between letters, capitals and digits."""
    before, behind = around
    if before[-1:] in (b"/", b".", b"_", b"-", b":", b"%", b"$") or behind[:1] in (
        b"/",
        b"_",
        b"(",
        b":",
        b"<",
    ):
        return False
    bare = text.rstrip("=")
    if any(len(part) > 3 and part in protected_words.own_words() for part in bare.split("/")[:-1]):
        return False
    if bare.startswith("redacted") or _OFFSET.search(bare):
        return False
    kinds = [_kind(char) for char in bare]
    if not {"a", "A", "0"} <= set(kinds) or kinds.count("0") < LEAST_DIGITS:
        return False
    changes = sum(one != other for one, other in pairwise(kinds)) / (len(kinds) - 1)
    return changes >= LEAST_CHANGES and entropy(bare) >= LEAST_ENTROPY and _unknown_share(bare) >= 0.6


def entropy(text: str) -> float:
    """Return the Shannon entropy of `text` in bits per character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def is_pod(text: str, _: Around) -> bool:
    """Return whether the last two labels are the suffixes of a replica set and of a pod."""
    *_names, one, other = text.split("-")
    return any(map(str.isdigit, one)) and len(set(one)) > 3 and len(set(other)) > 2


def is_cloud_id(text: str, _: Around) -> bool:
    """Return whether the digits are those of a cloud and no word (`r-deadbeef`)."""
    digits = text.rpartition("-")[2]
    return any(map(str.isdigit, digits)) and any(map(str.isalpha, digits))


def is_base64(text: str, _: Around) -> bool:
    """Return whether `text` decodes to mostly printable characters, as the data of a secret does."""
    if len(text) % 4 or text.isdigit() or text.lower() in protected_words.own_words():
        return False
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    printable = sum(32 <= byte < 127 or byte in b"\n\r\t" for byte in decoded)
    return bool(decoded) and printable >= PRINTABLE_SHARE * len(decoded)


def is_organisation(text: str, _: Around) -> bool:
    """Return whether the part of a package's name behind its top level is an unknown organisation."""
    return text not in _PUBLIC_PACKAGES and text not in protected_words.own_words()


def is_phone(text: str, _: Around) -> bool:
    """Return whether digits with a plus before them are as many as those of a telephone number."""
    return sum(map(str.isdigit, text)) in PHONE_DIGITS


def begins_a_word(_: str, around: Around) -> bool:
    """Return whether a match is no part of a longer word with hyphens or dots."""
    return around[0][-1:] not in (b"-", b".")


def is_unknown(text: str, _: Around) -> bool:
    """Return whether some part of a compound is no word of the protected vocabulary."""
    known = protected_words.own_words()
    return any(len(part) > 2 and part not in known for part in re.split(r"[^a-z]+", text.lower()))


def is_name(text: str, around: Around) -> bool:
    """Return whether some part of a token in the place of a name is no word, and it is no device."""
    is_call = around[1][:1] == b"(" and not around[1][1:2].isdigit()  # `UserId=jdoe(1204)`
    if is_call or len(text) < SHORTEST_NAME or _NO_NAME.fullmatch(text):
        return False
    parts = [part.lower() for part in _WHOLE_WORDS.findall(text) if len(part) > 2]
    if text.count("_") > 1:  # `aws_db_instance`
        parts = [part for part in parts if part not in protected_words.technical_words()]
    return not all(map(_is_known, parts))


def is_value(text: str, around: Around) -> bool:
    """Return whether the value of a key for names is one: any compound is (`db-primary`)."""
    is_compound = any(char.isdigit() or char in "-_" for char in text[1:]) and any(map(str.isalpha, text))
    is_plain = _NO_NAME.fullmatch(text) is None and text.lower() not in protected_words.own_words()
    is_call = around[1][:1] == b"("
    return is_name(text, around) or (is_compound and is_plain and not is_call)


def is_foreign(text: str, around: Around) -> bool:
    """Return whether a name in a sentence is a compound, or no word of English."""
    is_compound = any(char.isdigit() or char in "-_." for char in text.rstrip("."))
    if not is_name(text, around):
        return False
    known = protected_words.known_words()
    parts = [part.lower() for part in _WHOLE_WORDS.findall(text) if len(part) > 2]
    return is_compound or any(part not in known and not _is_known(part) for part in parts)


def is_key(text: str, _: Around) -> bool:
    """Return whether the value of a key is a secret: several classes of characters, no path, no word."""
    if text[0] in "/$%{<(" or "/" in text[:3] or text.lower() in protected_words.own_words():
        return False
    classes = {_kind(char) for char in text}
    return len(classes) > 1 and "0" in classes and entropy(text) >= 2.5 and _unknown_share(text) >= 0.5


def is_key_of_parts(text: str, around: Around) -> bool:
    """Return whether one of several parts is random, as in `svc-1-49nj1cmql0jkz5s954yi3oex3`."""
    return any(
        len(part) >= LEAST_RANDOM_PART
        and entropy(part) >= LEAST_ENTROPY
        and (is_opaque(part, (b"", b"")) or _is_random_lower(part))
        for part in re.split("[_-]", text)
    ) and around[0][-1:] not in (b"/", b".", b"%", b"$")


def _is_random_lower(text: str) -> bool:
    """Return whether small letters and digits alternate as in no word and no hexadecimal address."""
    kinds = [_kind(char) for char in text]
    if set(kinds) != {"a", "0"} or all(char in "0123456789abcdef" for char in text):
        return False
    changes = sum(one != other for one, other in pairwise(kinds)) / (len(kinds) - 1)
    return changes >= LEAST_CHANGES


def is_identifier_of_a_machine(text: str, _: Around) -> bool:
    """Return whether the value of a key for an id is one: with digits, and not of one character alone."""
    digits = sum(map(str.isdigit, text))
    return digits >= LEAST_DIGITS and len(set(text)) > 3 and not _MODEL.match(text) and digits != len(text)


def is_fingerprint(text: str, around: Around) -> bool:
    """Return whether pairs of digits are no line of a longer number, and no pseudonym."""
    is_broadcast = text.lower().startswith("00:ff:ff")
    return len(set(text)) > 4 and not is_broadcast and around[1][:1] != b":"


def is_phrase(text: str, _: Around) -> bool:
    """Return whether some word of a phrase is no technical word."""
    known = protected_words.technical_words()
    parts = [part.lower() for part in _WHOLE_WORDS.findall(text) if len(part) > 2]
    return any(part not in known for part in parts)


def is_certificate_serial(text: str, around: Around) -> bool:
    """Return whether pairs of digits end a line alone, as the serial number of a certificate does."""
    return (
        not text.startswith("00:ff:ff")
        and around[0][-1:] == b" "
        and around[1][:1] in (b"\n", b"\r", b"")
        and len(text.split(":")) in range(8, 21)
    )


_PUBLIC_PACKAGE_WORDS = (
    "amazonaws apache codehaus datastax eclipse elasticsearch fasterxml github glassfish google "
    "hibernate ibm jboss jetbrains junit microsoft mongodb mysql netty oracle postgresql quartz redhat "
    "scala slf4j springframework sun zaxxer"
)
_PUBLIC_PACKAGES = frozenset(_PUBLIC_PACKAGE_WORDS.split())


def _is_known(word: str) -> bool:
    """Return whether a word, or its stem, is in the vocabulary."""
    known = protected_words.own_words()
    return word in known or any(word.endswith(end) and word.removesuffix(end) in known for end in ENDINGS)


def _kind(char: str) -> str:
    if char.isdigit():
        return "0"
    return "A" if char.isupper() else "a" if char.isalpha() else "+"


def _unknown_share(text: str) -> float:
    """Return the share of characters outside of known words of four letters or more."""
    known = protected_words.own_words()
    words = sum(len(word) for word in _WORDS.findall(text) if len(word) > 3 and word.lower() in known)
    return 1 - words / len(text)


CHECKS: dict[str, Callable[[str, Around], bool]] = {
    "digits": is_identifier,
    "serial": is_serial,
    "opaque": is_opaque,
    "pod": is_pod,
    "cloudid": is_cloud_id,
    "base64": is_base64,
    "organisation": is_organisation,
    "phone": is_phone,
    "begins": begins_a_word,
    "unknown": is_unknown,
    "certificate": is_certificate_serial,
    "fingerprint": is_fingerprint,
    "phrase": is_phrase,
    "name": is_name,
    "value": is_value,
    "foreign": is_foreign,
    "key": is_key,
    "parts": is_key_of_parts,
    "identifier": is_identifier_of_a_machine,
}
