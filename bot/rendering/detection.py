"""What a detection's thread shows: what is examined, and what came of it as embeds within Discord's limits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from elenchus.bot.rendering.amounts import capitalised
from elenchus.bot.rendering.drafts import Draft, Layout
from elenchus.bot.rendering.embeds import BLUE, GREEN, YELLOW, embeds
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rendering.safe import inline, shortened, speech
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.events import Recorded, Said
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.decision.weights import CRITERIA
from elenchus.detectors.examined_text import spans_of
from elenchus.detectors.presentation import detection_of
from elenchus.detectors.report import LABELS, merged
from elenchus.detectors.schemas import Answer, Candidate, Decision, DetectConfig, Detection, Match, Quote
from elenchus.detectors.spec import SPEC

AROUND = 140
"""Characters of the text that are shown on either side of a quote."""

Span = tuple[int, int]
"""A place in a text: where it begins, and where it ends."""

SHOWN = 1_500
"""Units of an examined text that are shown above its report."""

LONGEST_REASON = 900
"""Units of one reason; the whole stands in the report."""


def _opened(view: SessionView) -> list[Draft]:
    """What is examined: the beginning of the text, or the name of the session."""
    cfg = view.config_as(DetectConfig)
    return [Draft(_examined(cfg))] if cfg else []


def _examined(cfg: DetectConfig) -> str:
    if cfg.source and len(cfg.turns) > 1:
        title = shortened(inline(cfg.title.removeprefix(msg("detecting-of-session", title=""))), 300)
        if cfg.speaker:
            return msg("detecting-transcript-of", speaker=shortened(inline(cfg.speaker), 80), title=title)
        return msg("detecting-transcript", title=title)
    turn = cfg.turns[0]
    said = _said_by(turn.speaker, turn.number) if turn.speaker else ""
    return f"**{msg('detecting-examined-text')}**{said}\n{speech(shortened(turn.text, SHOWN))}"


def _said_by(speaker: str, turn: int | None) -> str:
    return msg("detecting-said-by", speaker=shortened(inline(speaker), 80), turn=turn)


def _progress(r: Recorded, _view: SessionView) -> list[Draft]:
    """How far it is."""
    told = [capitalised(shortened(inline(r.event.text), 1_500))] if isinstance(r.event, Said) else []
    return [Draft(f"*{text}.*") for text in told]


def result(view: SessionView) -> list[Embed]:
    """What came of a finished detection; [] for any other session."""
    found = detection_of(view)
    cfg = view.config_as(DetectConfig)
    if found is None or cfg is None:
        return []
    fields = [
        (msg("detecting-showing"), _lines(_shown(found.evidence, cfg))),
        (msg("detecting-missing"), _lines(f"“{_reason(q)}”" for q in _missing(found))),
        (msg("detecting-ranking"), _ranking(found)),
        (msg("detecting-candidates"), _lines(map(_candidate, found.candidates))),
        (msg("detecting-answers"), _lines(map(_answer, found.answers))),
        (msg("detecting-matches"), _matches(found)),
        (msg("detecting-decision"), _decision(found.decision) if found.decision and found.matches else ""),
        (msg("detecting-talk"), _lines(f"**{inline(r.agent)}**: {_reason(r.text)}" for r in found.talk)),
        (msg("detecting-notes"), _lines(map(inline, found.notes))),
    ]
    legend = msg("detecting-legend") if any(match.cards for match in found.matches) else ""
    colour = {"found": BLUE, "none": GREEN}.get(found.verdict, YELLOW)
    return embeds(inline(_verdict(found)), _text(found), [f for f in fields if f[1]], legend, colour)


# ── the parts ────────────────────────────────────────────────────────────────────────────────────────────────────


def _verdict(found: Detection) -> str:
    if found.answers:
        return f"{found.name}: {messages('detecting-answered')[found.verdict]}"
    if found.verdict == "found":
        return msg("detecting-found", name=found.name)
    verdicts = messages("detecting-verdict")
    return verdicts.get(found.verdict, verdicts["unread"])


def _text(found: Detection) -> str:
    """By which method, and why."""
    how = LABELS.get(found.method, found.method)
    lines = [f"-# {inline(how)}"]
    if found.agreement is not None and len(found.answers) > 1:
        lines.append(f"-# {msg('detecting-agreed', share=found.agreement, count=len(found.answers))}")
    if why := _why(found):
        lines.append(f"**{msg('detecting-why')}:** {_reason(why)}")
    return "\n".join(lines)


def _why(found: Detection) -> str:
    """The reason of the verdict: its own, else its detector's, else that of an answer that says the same."""
    own = [c.reason for c in found.candidates if c.bias == found.bias and c.reason]
    said = [a.reason for a in found.answers if a.counts is (found.verdict == "found") and a.reason]
    return found.why or next(iter([*own, *said]), "")


def _missing(found: Detection) -> list[str]:
    speeches = [quote for match in found.matches for said in match.speeches for quote in said.missing_quotes]
    return list(dict.fromkeys([*found.unfound_quotes, *speeches]))


def _shown(quotes: Sequence[Quote], cfg: DetectConfig) -> Iterator[str]:
    """The quotes in bold with the words around them, turn by turn, by whom and in which turn."""
    for number in dict.fromkeys(quote.turn for quote in quotes):
        of = [quote for quote in quotes if quote.turn == number]
        text = next((turn.text for turn in cfg.turns if number in (None, turn.number)), "")
        where = "" if number is None else _said_by(of[0].speaker, number)
        places = [spans_of(quote.words, text) for quote in of]
        yield from (f"{_window(text, spans)}{where}" for spans in _near(merged(span for own in places for span in own)))
        yield from (f"“**{_reason(q.words)}**”{where}" for q, own in zip(of, places, strict=True) if not own)


def _near(spans: Sequence[Span]) -> list[list[Span]]:
    """Places in groups: those are together between which the words around them meet."""
    groups: list[list[Span]] = []
    for span in spans:
        if groups and span[0] - groups[-1][-1][1] <= 2 * AROUND:
            groups[-1].append(span)
        else:
            groups.append([span])
    return groups


def _window(text: str, spans: Sequence[Span]) -> str:
    """A part of the text with these places in bold; it begins and ends between words."""
    begin, end = max(0, spans[0][0] - AROUND), min(len(text), spans[-1][1] + AROUND)
    begin = text.find(" ", begin, spans[0][0]) + 1 or begin if begin else 0
    if end < len(text) and (blank := text.rfind(" ", spans[-1][1], end)) >= 0:
        end = blank
    out, at = ["… " if begin else ""], begin
    for start, stop in spans:
        out += [_piece(text[at:start]), f"**{inline(text[start:stop])}**"]
        at = stop
    return "".join([*out, _piece(text[at:end]), " …" if end < len(text) else ""])


def _piece(text: str) -> str:
    """Words between marks, with the blanks at their ends."""
    before, after = text[:1].isspace() and " ", text[-1:].isspace() and " "
    return f"{before or ''}{inline(text)}{after or ''}" if text.strip() else " " if text else ""


def _ranking(found: Detection) -> str:
    if len(found.ranking) < 2:
        return ""
    return "\n".join(f"{ranked.place}. {inline(ranked.name)}" for ranked in found.ranking)


def _candidate(candidate: Candidate) -> str:
    named = ((msg("detecting-bold"), candidate.aggressive), (msg("detecting-careful"), candidate.conservative))
    places = [
        msg("detecting-place", screener=who, n=n)
        for who, n in (*named, (msg("detecting-by-meaning"), candidate.library))
        if n is not None
    ]
    unasked = candidate.present is None and not candidate.unread
    said = msg("detecting-not-asked") if unasked else _said(candidate)
    why = _reason(candidate.reason or candidate.unread)
    given = ", ".join(places) or msg("detecting-given")
    told = msg("detecting-candidate", name=inline(candidate.name), places=given, said=said)
    return f"- {told}: {why}" if why else f"- {told}"


def _answer(answer: Answer) -> str:
    said, why = _said(answer), _reason(answer.reason or answer.unread)
    return f"- **{said}**: {why}" if why else f"- **{said}**"


def _matches(found: Detection) -> str:
    names = {bias: inline(name) for bias, name in found.names.items()}
    return "\n".join(_match(n, match, names) for n, match in enumerate(found.matches, 1))


def _match(n: int, match: Match, names: dict[str, str]) -> str:
    read = any(total is not None for total in match.totals)
    sums = " : ".join(_number(total) for total in match.totals) if read else msg("detecting-no-score")
    first, second, winner = names[match.first], names[match.second], names[match.winner]
    told = msg("detecting-match", n=n, first=first, second=second, sums=sums, winner=winner)
    return f"{told}{msg('detecting-undecided')}" if match.undecided else told


def _decision(decision: Decision) -> str:
    lines = [f"{inline(decision.rule)}."]
    if used := decision.weights:
        numbers = ", ".join(f"{name} {value:.8g}" for name, value in zip(CRITERIA, used.values, strict=True))
        lines.append(msg("detecting-weights", name=inline(used.name), source=inline(used.source), numbers=numbers))
    if decision.pairs:
        lines.append(msg("detecting-flips", flipped=decision.flips, pairs=decision.pairs))
    return "\n".join(lines)


def _said(answer: Answer) -> str:
    said = {None: "unread", True: "yes", False: "no"}[answer.present]
    return messages("detecting-said")["unfounded" if answer.unfounded else said]


def _reason(text: str) -> str:
    return inline(shortened(text, LONGEST_REASON))


def _number(value: float | None) -> str:
    return msg("detecting-no-score") if value is None else f"{value:.2f}"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _ended(view: SessionView) -> list[Draft]:
    return [Draft(embeds=tuple(found))] if (found := result(view)) else []


LAYOUT = Layout(SPEC.name, _opened, _progress, _ended)
