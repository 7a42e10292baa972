"""Library search by verdicts on pasted evidence, by functions and by words.

Each component contributes at most 1; verdicts weigh most, then functions, then words. Without recognised
evidence only words count.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backend.core.http.pagination import WHOLE
from backend.findings import library
from backend.library import facets, queries, vocabulary
from backend.library.answer import Answer
from backend.library.documents import functions_in
from backend.library.queries import Term
from backend.library.recognise import Recognised, recognise
from backend.library.results import result
from backend.library.schemas import PieceRead, ReasonRead, SearchRead
from backend.library.spelling import near_spellings
from signatures.judging.applicability import VERDICTS, exposure, kernel_verdict
from signatures.kernels.kernel_text import kernel_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.core.settings import Settings
    from backend.library.queries import Entry, FrameHit, Shown, WordHit
    from backend.library.schemas import ResultRead, SearchQuery
    from backend.library.vocabulary import Vocabulary

JUDGED, FUNCTIONS, WORDS = 4.0, 1.5, 1.0
"""Weight of the best result of each component."""

SYNONYM, NEAR_SPELLING, BEGINNING = 0.4, 0.6, 0.7
"""Weight of a word matched by synonym, by corrected spelling, or by prefix."""

CUT = 0.4
"""Share of the best word score below which a result that nothing but words supports is weak."""

HEARD = 0.34
"""Share of the words of a query, by their rarity, that a result must contain, at least, not to be weak."""

_STATUS = {verdict: rank for rank, verdict in enumerate(VERDICTS)}
"""Rank of a kernel status among entries of one score, the worst first."""

OF_STORY = 0.8
"""Share of a signature's verdict that a story about it inherits."""

MAX_WORDS = 40
MIN_BEGINNING = 3
_stems: dict[str, str] = {}
_WORD = re.compile(r"[^\W_]+")
_SEVERITY = {"critical": 0, "high": 1, "medium": 2, "low": 3}


@dataclass(frozen=True, slots=True)
class Query:
    """The words of a query with their variants and scores by entry."""

    words: tuple[str, ...]
    terms: tuple[Term, ...]
    spellings: dict[str, str]
    hits: tuple[WordHit, ...]

    def asks(self, spelled: dict[int, float]) -> str:
        """Return the `tsquery` to highlight in an entry: the best variant of each word."""
        query = (term for term in self.terms if term.weight >= spelled.get(term.word, math.inf))
        return " | ".join(f"({term.asks})" for term in query)


def search(session: Session, settings: Settings, ask: SearchQuery, page: Page = WHOLE) -> SearchRead:
    """Return a page of search results, by rank."""
    pasted = ask.text.strip()
    recognised = recognise(settings, pasted) if _may_be_evidence(pasted) else Recognised(prose=pasted)
    query = parse_query(
        session, recognised.prose, is_finished=ask.text != ask.text.rstrip() or "\n" in pasted
    )
    named, respelled = _named(session, functions_in(recognised.prose))
    frames = named | recognised.frames
    spellings = query.spellings | respelled
    answers = _ranked(
        recognised, query, queries.entries(session), queries.frame_hits(session, frames), ask.kernel
    )
    ranked = [one for one in answers if one.score > 0 or not pasted]
    found = ranked if ask.weak else [one for one in ranked if not one.is_weak]
    kept = facets.narrowed(found, ask)
    here = page.cut(kept, _order)
    shown = _shown(session, here, query)
    return SearchRead(
        count=len(kept),
        weak_count=len(facets.narrowed(ranked, ask)) - len(kept),
        items=[result(one, shown[one.entry.id]) for one in here],
        next_cursor=page.next_cursor,
        facets=facets.of(found, ask),
        recognised=[PieceRead(**piece._asdict()) for piece in recognised.pieces],
        functions=sorted(frames, key=lambda name: (-frames[name], name))[:8],
        did_you_mean=_corrected(pasted, spellings),
        spellings=spellings,
        unread=recognised.problem,
        kernel=kernel_text(ask.kernel).says if ask.kernel else "",
    )


def best(session: Session, recognised: Recognised, *, limit: int) -> list[ResultRead]:
    """Return the best results for a recognised text or case: words alone find none."""
    query = parse_query(session, recognised.prose, is_finished=True)
    entries, functions = queries.entries_of(session, recognised.frames, recognised.judged)
    ranked = _ranked(recognised, query, entries, functions, None)
    found = [one for one in ranked if one.judged > 0 or one.functions][:limit]
    shown = _shown(session, found, query)
    return [result(one, shown[one.entry.id]) for one in found]


def _shown(session: Session, answers: Sequence[Answer], query: Query) -> dict[UUID, Shown]:
    """Return what is shown of each result, its words highlighted."""
    return queries.shown(
        session, {one.entry.id: query.asks(one.spelled) if one.spelled else "" for one in answers}
    )


def _ranked(
    recognised: Recognised,
    query: Query,
    entries: Iterable[Entry],
    functions: Iterable[FrameHit],
    kernel: str | None,
) -> list[Answer]:
    """Return `entries`, ranked among all that have words or functions of the query."""
    answers = [Answer(entry) for entry in entries]
    _judge(answers, recognised)
    _weigh(answers, query, functions)
    _date(answers, kernel, recognised)
    return sorted(answers, key=_order)


def _may_be_evidence(pasted: str) -> bool:
    """A single word is a word."""
    return len(pasted.split(maxsplit=1)) > 1


def parse_query(session: Session, prose: str, *, is_finished: bool) -> Query:
    """Return the words of `prose` with variants; an unfinished last word is a prefix."""
    typed = list(dict.fromkeys(word.lower() for word in _WORD.findall(prose)))[:MAX_WORDS]
    stems = queries.stems(session, typed)
    words = [word for word, stem in zip(typed, stems, strict=True) if stem]
    kept = [stem for stem in stems if stem]
    known = vocabulary.load()
    alike = _stems_of(session, known)
    terms = [Term(at, stem, 1.0) for at, stem in enumerate(kept)]
    for at, stem in enumerate(kept):
        others = known.others(frozenset(word for word, own in alike.items() if own == stem))
        terms += [Term(at, alike[other], SYNONYM) for other in others if alike[other] not in {"", stem}]
    if words and not is_finished and len(words[-1]) >= MIN_BEGINNING and typed[-1] == words[-1]:
        terms.append(Term(len(words) - 1, f"{words[-1]}:*", BEGINNING))
    hits = queries.word_hits(session, terms)
    heard = {hit.word for hit in hits}
    unheard = [word for at, word in enumerate(words) if at not in heard and len(word) >= MIN_BEGINNING]
    spellings = near_spellings(session, unheard)
    respelled = []
    for word, spelling in spellings.items():
        asks = " & ".join(stem for stem in queries.stems(session, _WORD.findall(spelling)) if stem)
        if asks:
            respelled.append(Term(words.index(word), asks, NEAR_SPELLING))
    hits += queries.word_hits(session, respelled)
    return Query(tuple(words), (*terms, *respelled), spellings, tuple(hits))


def _named(session: Session, functions: Sequence[str]) -> tuple[dict[str, float], dict[str, str]]:
    """Return the named functions and corrected spellings of unknown names."""
    known = queries.known_functions(session, functions)
    near = near_spellings(session, [name for name in functions if name not in known])
    respelled = {name: spelling for name, spelling in near.items() if "_" in spelling}
    return dict.fromkeys(functions, 1.0) | dict.fromkeys(respelled.values(), NEAR_SPELLING), respelled


def _stems_of(session: Session, known: Vocabulary) -> dict[str, str]:
    """Return the stem of each synonym; queried once per process."""
    if not _stems:
        _stems.update(_stemmed(session, known.every))
    return _stems


def _stemmed(session: Session, words: Sequence[str]) -> Iterable[tuple[str, str]]:
    return zip(words, queries.stems(session, words), strict=True)


def _judge(answers: Iterable[Answer], recognised: Recognised) -> None:
    """Apply the verdict of the signature of an entry, or of the signatures of a story."""
    for answer in answers:
        judged = [recognised.judged[one] for one in answer.entry.signatures if one in recognised.judged]
        if judged:
            best = max(judged, key=lambda one: one.strength)
            is_story = answer.entry.kind == "story"
            answer.judged = best.strength * (OF_STORY if is_story else 1.0)
            answer.verdict, answer.met = best.verdict, best.met


def _weigh(answers: Iterable[Answer], query: Query, functions: Iterable[FrameHit]) -> None:
    """Collect the scores of words and functions, and rank by all three components."""
    words_of: dict[UUID, dict[str, float]] = defaultdict(dict)
    spelled_of: dict[UUID, dict[int, float]] = defaultdict(dict)
    functions_of: dict[UUID, dict[str, float]] = defaultdict(dict)
    for hit in query.hits:
        words_of[hit.id][query.words[hit.word]] = hit.score
        spelled_of[hit.id][hit.word] = hit.spelling
    for frame in functions:
        functions_of[frame.id][frame.name] = frame.score
    best_words = max((sum(one.values()) for one in words_of.values()), default=0.0) or 1.0
    best_functions = max((sum(one.values()) for one in functions_of.values()), default=0.0) or 1.0
    for answer in answers:
        of_entry = answer.entry.id
        answer.words, answer.spelled = words_of.get(of_entry, {}), spelled_of.get(of_entry, {})
        answer.functions = functions_of.get(of_entry, {})
        shares = {
            "judged": (JUDGED * answer.judged, list(answer.met)),
            "functions": (
                FUNCTIONS * sum(answer.functions.values()) / best_functions,
                _heaviest(answer.functions),
            ),
            "words": (WORDS * sum(answer.words.values()) / best_words, _heaviest(answer.words)),
        }
        answer.score = sum(share for share, _ in shares.values())
        answer.is_weak = _is_weak(answer, len(query.words), best_words)
        answer.reasons = [
            ReasonRead.model_validate({"kind": kind, "share": round(share / answer.score, 3), "basis": basis})
            for kind, (share, basis) in shares.items()
            if share > 0
        ]


def _is_weak(answer: Answer, asked: int, best_words: float) -> bool:
    """Return whether nothing but a few words of the query, or but their synonyms, supports a result."""
    if answer.judged > 0 or answer.functions or not answer.words:
        return False
    heard = sum(answer.spelled.values()) / asked
    return heard < HEARD or sum(answer.words.values()) < CUT * best_words


def _heaviest(weights: dict[str, float]) -> list[str]:
    return sorted(weights, key=lambda name: (-weights[name], name))[:8]


def _date(answers: Iterable[Answer], kernel: str | None, recognised: Recognised) -> None:
    """Set the kernel status of every signature, for the kernel of the query or of the text."""
    named = kernel_text(kernel or "")
    for answer in answers:
        if answer.entry.kind != "signature":
            continue
        signature = library.catalog().get(answer.entry.key)
        if kernel and signature is not None:
            status = kernel_verdict(signature, named.running)
            answer.kernel_verdict, answer.kernel_basis = status.verdict, status.basis
            answer.kernel_sentence = exposure(status.verdict, status.capture)
        elif answer.entry.key in recognised.judged:
            answer.kernel_verdict = recognised.judged[answer.entry.key].affected
            answer.kernel_basis = recognised.judged[answer.entry.key].basis


def _order(answer: Answer) -> tuple[float, int, int, str, str]:
    entry = answer.entry
    rank = _STATUS.get(answer.kernel_verdict or "", len(_STATUS))
    score, severity = -round(answer.score, 6), _SEVERITY.get(entry.severity, 4)
    return score, rank, severity, entry.area, entry.key


def _corrected(text: str, spellings: dict[str, str]) -> str | None:
    """Return the corrected query; None when nothing is to be corrected."""
    if not spellings or "\n" in text:
        return None
    functions = re.sub(r"\w+", lambda found: spellings.get(found[0], found[0]), text)
    if functions != text:
        return functions
    return re.sub(r"[^\W_]+", lambda found: spellings.get(found[0].lower(), found[0]), text)
