"""A detection as Markdown that is safe to render, for the terminal, files and chat alike. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from elenchus.debate_engine.reports.document import ReportBlock, ReportSpeech, Section, bullets, table
from elenchus.debate_engine.reports.escape import inline, quoted, speech
from elenchus.debate_engine.reports.words import yes_or_no
from elenchus.detectors.decision.weights import CRITERIA
from elenchus.detectors.examined_text import ExaminedText
from elenchus.detectors.schemas import Answer, Candidate, Card, Decision, Detection, Match, Quote

NO_SCORE = "–"
_LISTS = {"aggressive": "bold", "conservative": "careful", "library": "by meaning"}
"""Who may list candidates, and what the column is called."""

LABELS = {
    "full": "detectors, loser tree with two referees",
    "tree": "loser tree with one rational referee",
    "candidates": "one call about the screened candidates",
    "zero-shot": "one call",
    "cot": "one call, step by step",
    "dialogue": "dialogue of two agents",
    "group": "group of four agents",
    "labelled": "asked about this bias",
}
UNFOUNDED = "the yes quotes no words that stand in the text, also when asked once more; it counts for nothing"
_LEGEND = (
    "Each referee scores one side a call, from 0 to 10, with either side shown first; a score that could not be read "
    f"is left out and never counts as 0. The table has the means; “{NO_SCORE}” stands where there is none."
)


def of_detection(found: Detection) -> str:
    """What came of it without the debates' words: for the scrollback of a terminal."""
    return "\n\n".join(_result(found)) + "\n"


def sections(found: Detection, examined: ExaminedText) -> list[Section]:
    """The whole for a report: result, the text with the quotes marked, every debate with its scores."""
    parts: dict[str, tuple[str, list[ReportBlock]]] = {
        "detection": ("The bias looked for", [*_result(found)]),
        "marked-text": ("The text, with the quoted words marked", _marked(found, examined)),
        "debates": ("The debates", [block for match in found.matches for block in _match(found, match)]),
        "talk": ("The talk", [ReportSpeech("other", inline(r.agent), speech(r.text)) for r in found.talk]),
    }
    return [Section(key, title, tuple(blocks)) for key, (title, blocks) in parts.items() if blocks]


# ── the result ───────────────────────────────────────────────────────────────────────────────────────────────────


def _result(found: Detection) -> Iterator[str]:
    yield f"**Result:** {verdict_of(found)} ({LABELS.get(found.method, inline(found.method))})"
    if len(found.ranking) > 1:
        yield "\n".join(f"{ranked.place}. {inline(ranked.name)}" for ranked in found.ranking)
    if found.why:
        yield f"Why: {inline(found.why)}"
    if found.evidence:
        yield f"The words that show it: {'; '.join(map(_quoted, found.evidence))}"
    if found.candidates:
        yield _candidates(found.candidates)
    if found.answers:
        yield _answers(found.answers)
    if found.matches:
        yield _matches(found)
    if found.decision and found.matches:
        yield _decision(found.decision)
    if missing := found.unfound_quotes:
        yield f"Quoted, but not in the text: {'; '.join(f'“{inline(words)}”' for words in missing)}"
    if found.notes:
        yield bullets([inline(note) for note in found.notes])


def verdict_of(found: Detection) -> str:
    """The verdict in words."""
    name = f"**{inline(found.name)}**"
    if found.answers:
        said = {
            "found": "yes, it is there",
            "none": "no, it is not there",
            "undecided": "the answers do not agree",
            "unfounded": f"unfounded: {UNFOUNDED}",
        }
        agreed = "" if found.agreement is None else f", {found.agreement:.0%} of {len(found.answers)} answers agree"
        return f"{name}: {said.get(found.verdict, 'the answers could not be read')}{agreed}"
    told = {
        "none": "no bias was found",
        "unread": "it could not be told: too little could be read",
        "unfounded": f"unfounded: {f'{name} was named, but ' if found.name else ''}{UNFOUNDED}",
    }
    return told.get(found.verdict, name)


def _candidates(candidates: Sequence[Candidate]) -> str:
    """Each with its place in the lists that named any, and what its detector says."""
    lists = [name for name in _LISTS if any(getattr(c, name) is not None for c in candidates)]
    rows = [
        [inline(c.name), *(_place(getattr(c, name)) for name in lists), _detector(c), inline(c.reason or c.unread)]
        for c in candidates
    ]
    head = ["candidate", *(_LISTS[name] for name in lists), "detector", "why"]
    return table(head, rows, "l" + "r" * len(lists) + "ll")


def _answers(answers: Sequence[Answer]) -> str:
    rows = [[str(n), _said(a), inline(a.reason or a.unread)] for n, a in enumerate(answers, 1)]
    return table(["#", "answer", "why"], rows, "rll")


def _matches(found: Detection) -> str:
    names = found.names
    rows = [
        [str(m.place), str(m.round), inline(names[m.first]), inline(names[m.second]), _points(m.totals),
         inline(names[m.winner]) + (" (undecided)" if m.undecided else "")]
        for m in found.matches
    ]  # fmt: skip
    return table(["for place", "round", "named earlier", "named later", "weighted sums", "goes on"], rows, "rrllll")


def _decision(decision: Decision) -> str:
    told = f"Decision: {inline(decision.rule)}."
    if weights := decision.weights:
        numbers = ", ".join(f"{name} {value:.8g}" for name, value in zip(CRITERIA, weights.values, strict=True))
        told += f" Weights “{inline(weights.name)}” ({inline(weights.source)}): {numbers}."
    if decision.pairs:
        told += f" The order of showing changed the winner of {decision.flips} of {decision.pairs} matches."
    return told


def _quoted(quote: Quote) -> str:
    """The words, with speaker and turn in a transcript."""
    return f"“{inline(quote.words)}”" + (f" ({_where(quote)})" if quote.turn else "")


# ── the text ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _marked(found: Detection, examined: ExaminedText) -> list[ReportBlock]:
    quotes = found.verdict_quotes
    spans = merged(span for quote in quotes for span in quote.spans)
    blocks: list[ReportBlock] = [quoted(marked(examined.text, spans))]
    if rows := [[inline(quote.words), _where(quote)] for quote in quotes if quote.turn is not None]:
        blocks.append(table(["words", "said by"], rows))
    return blocks


def marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with these places in bold; `spans` are in order and do not overlap. Every word in it is harmless."""
    out, at = [], 0
    for start, end in (*spans, (len(text), len(text))):
        out += [_lines(text[at:start], ""), _lines(text[start:end], "**")]
        at = end
    return "".join(out)


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places in order, those that overlap as one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _lines(text: str, mark: str) -> str:
    """Text line by line, so that a mark ends where its line ends; blanks at the ends stay outside of it."""
    lines = []
    for line in text.split("\n"):
        words = line.strip()
        before, after = line[: len(line) - len(line.lstrip())], line[len(line.rstrip()) :] if words else ""
        lines.append(f"{before and ' '}{mark}{inline(words)}{mark}{after and ' '}" if words else before and " ")
    return "\n".join(lines)


def _where(quote: Quote) -> str:
    return f"{inline(quote.speaker)}, turn {quote.turn}"


# ── the debates ──────────────────────────────────────────────────────────────────────────────────────────────────


def _match(found: Detection, match: Match) -> Iterator[ReportBlock]:
    names = found.names
    first, second = inline(names[match.first]), inline(names[match.second])
    undecided = ", undecided: the one named earlier goes on" if match.undecided else ""
    yield f"### {first} against {second}: {inline(names[match.winner])} goes on{undecided}"
    for said in match.speeches:
        yield _speech(
            names[said.bias], said.stage, said.text or f"(nothing: {said.declined})", said.bias == match.first
        )
        if said.missing_quotes:
            yield f"Not in the text: {'; '.join(f'“{inline(quote)}”' for quote in said.missing_quotes)}"
    if match.cards:
        yield _scores(match, first, second)
        yield _cards(match.cards, names)
        yield _LEGEND
    if match.ballots:
        rows = [
            [
                inline(names[b.shown_first]),
                inline(names[b.winner]) if b.winner else NO_SCORE,
                inline(b.reason or b.unread),
            ]
            for b in match.ballots
        ]
        yield table(["shown first", "named", "why"], rows)


def _speech(name: str, stage: str, text: str, of_first: bool) -> ReportSpeech:
    return ReportSpeech("pro" if of_first else "con", inline(f"{name}, {stage}"), speech(text))


def _scores(match: Match, first: str, second: str) -> str:
    rows = [[name, *(_number(scores[name] if scores else None) for scores in match.scores)] for name in CRITERIA]
    rows.append(["**weighted sum**", *(f"**{_number(total)}**" for total in match.totals)])
    return table(["criterion", first, second], rows, "lrr")


def _cards(cards: Sequence[Card], names: Mapping[str, str]) -> str:
    rows = [
        [
            card.referee,
            inline(names[card.side]),
            "first" if card.shown_first == card.side else "second",
            *(str(card.scores[name]) if card.scores else NO_SCORE for name in CRITERIA),
            inline(card.remark or card.unread),
        ]
        for card in cards
    ]
    return table(["referee", "side", "shown", *CRITERIA, "remark"], rows, "lllrrrrrrl")


# ── cells ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _place(place: int | None) -> str:
    return NO_SCORE if place is None else str(place)


def _detector(candidate: Candidate) -> str:
    asked = candidate.present is not None or candidate.unread
    return _said(candidate) if asked else "not asked"


def _said(answer: Answer) -> str:
    return "not read" if answer.present is None else yes_or_no(answer.present, unfounded=answer.unfounded)


def _number(value: float | None) -> str:
    return NO_SCORE if value is None else f"{value:.2f}"


def _points(totals: Sequence[float | None]) -> str:
    return " : ".join(_number(total) for total in totals) if any(t is not None for t in totals) else NO_SCORE
