//! Expressions that match what others match and perhaps more, and that compile without the classes of Unicode.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

/// An expression whose classes have every character that is not ASCII if they have one of them, and which asks for no
/// boundary of a word.
pub(crate) fn widened(expression: &str) -> Result<String, String> {
    let parsed = ParserBuilder::new().utf8(false).build().parse(expression);
    Ok(wide(parsed.map_err(|error| error.to_string())?).to_string())
}

fn wide(hir: Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Unicode(wide_class(class))),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look @ (Look::Start | Look::End | Look::StartLF | Look::EndLF)) => Hir::look(look),
        HirKind::Empty | HirKind::Look(_) => Hir::empty(),
        HirKind::Repetition(one) => Hir::repetition(Repetition { sub: Box::new(wide(*one.sub)), ..one }),
        HirKind::Capture(group) => wide(*group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(wide).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.into_iter().map(wide).collect()),
    }
}

fn wide_class(mut class: ClassUnicode) -> ClassUnicode {
    if class.maximum_len().is_some_and(|bytes| bytes > 1) {
        class.union(&ClassUnicode::new([ClassUnicodeRange::new('\u{80}', char::MAX)]));
    }
    class
}
