//! Host names below a known domain.

/// The start, at or after `behind`, of the host name whose domain begins at `at`.
pub(crate) fn whole_name(text: &[u8], behind: usize, at: usize) -> usize {
    let mut start = at;
    while start > behind && text[start - 1] == b'.' {
        let label = text[behind..start - 1]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            .count();
        if label == 0 {
            break;
        }
        start -= label + 1;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::whole_name;

    #[test]
    fn labels_with_hyphens_and_underscores_belong_to_the_name() {
        let text = b"at db_7.hh-1.acme.bank";
        assert_eq!(whole_name(text, 0, 13), 3);
        assert_eq!(whole_name(text, 8, 13), 8);
        assert_eq!(whole_name(b"..acme.bank", 0, 2), 2);
    }
}
