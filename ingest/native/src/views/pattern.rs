//! Which names a regular expression finds, in time linear in their length whatever the expression.

use regex::RegexBuilder;

/// Memory that one compiled expression may take.
const SIZE_LIMIT: usize = 4 << 20;

/// One flag per name: the expression is found in it.
///
/// # Errors
/// When it is no regular expression, or one that would take too much memory.
pub fn found(expression: &str, names: &[String]) -> Result<Vec<u8>, String> {
    let regex = RegexBuilder::new(expression)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .build()
        .map_err(|error| error.to_string())?;
    Ok(names.iter().map(|name| u8::from(regex.is_match(name))).collect())
}

#[cfg(test)]
mod tests {
    use super::found;

    #[test]
    fn an_expression_is_found_anywhere_and_a_broken_one_is_reported() {
        let names = ["shrink_lruvec".to_owned(), "read".to_owned()];
        assert_eq!(found("lru.*c", &names), Ok(vec![1, 0]));
        assert_eq!(found("(?i)^READ$", &names), Ok(vec![0, 1]));
        assert!(found("lru(", &names).is_err());
        assert!(found("(a{1000}){1000}", &names).is_err());
    }
}
