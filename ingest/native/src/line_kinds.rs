//! Of which kind each line is: one of some known lines, or what an expression matches.

use std::collections::HashMap;

use crate::line_starts::Set;

/// Of which kind each line is: one of some known lines, or what an expression matches.
pub struct LineKinds {
    known: HashMap<String, u8>,
    sets: Vec<Set>,
}

impl LineKinds {
    /// Prepare the kinds: those of `known` lines come first, then those of the expressions.
    ///
    /// # Errors
    /// When there are more than 255.
    pub fn new(known: Vec<String>, expressions: &[String]) -> Result<Self, String> {
        if known.len() + expressions.len() > usize::from(u8::MAX) {
            return Err("more than 255 kinds".to_owned());
        }
        let known = known.into_iter().zip(1..).collect();
        Ok(Self { known, sets: expressions.iter().map(|one| Set::new(std::slice::from_ref(one))).collect() })
    }

    /// The kind of a line, counted from 1; 0 when it is of none.
    ///
    /// # Errors
    /// When an expression is none, or takes too much memory.
    pub fn kind(&self, line: &str) -> Result<u8, String> {
        if let Some(&kind) = self.known.get(line) {
            return Ok(kind);
        }
        let first = u8::try_from(self.known.len()).unwrap_or(u8::MAX);
        for (set, kind) in self.sets.iter().zip(first + 1..=u8::MAX) {
            if set.of(line)?.is_match(line.as_bytes()) {
                return Ok(kind);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::LineKinds;

    #[test]
    fn kinds_are_known_lines_and_then_expressions() {
        let kinds = LineKinds::new(vec!["head".into(), String::new()], &["a+$".into(), "h".into()]).unwrap();
        let found: Vec<u8> =
            ["head", "", "aa", "heads", "x"].iter().map(|line| kinds.kind(line).unwrap()).collect();
        assert_eq!(found, [1, 2, 3, 4, 0]);
        assert!(LineKinds::new(vec![], &["a(".to_owned()]).unwrap().kind("a").is_err());
        assert!(LineKinds::new(vec![String::new(); 200], &vec!["a".to_owned(); 56]).is_err());
    }
}
