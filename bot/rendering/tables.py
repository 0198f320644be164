"""Scores, verdicts and proposals as embeds within Discord's limits. A score that could not be read shows as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from elenchus.bot.rendering.embeds import BLUE, GREEN, ORANGE, YELLOW, embeds, table
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rendering.safe import inline, speech
from elenchus.bot.strings import thread as words
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import by_topic, weakest
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict as in_words
from elenchus.debate_engine.protocols.judging.tally import Total
from elenchus.debate_engine.protocols.socrasynth.schemas import Agreement, Proposal, Recommendations
from elenchus.debate_engine.protocols.speech import SIDES, Topic

_SEAT = re.compile(r" \(judge \d+\)$")

Name = Callable[[str], str]
"""What to call a seat; not yet safe."""


def agenda(topics: Sequence[Topic]) -> list[Embed]:
    """The topics with their scope."""
    fields = [(f"{n}. {inline(topic.title)}", speech(topic.scope)) for n, topic in enumerate(topics, 1)]
    return embeds(words.AGENDA, fields=fields, colour=BLUE)


# ── CRIT ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def crit(stage: str, quality: Quality, before: float | None, topics: Sequence[Topic]) -> list[Embed]:
    """What CRIT says after a stage; `before` is the last readable Γ."""
    rows = _by_topic(quality, topics)
    text = [
        words.crit_sum(score(quality.gamma), "" if before is None else score(before), score(quality.standing)),
        table(words.CRIT_HEAD, rows) if rows else "",
        words.crit_unreadable(quality.unreadable) if quality.unreadable else "",
        words.crit_unread(inline(", ".join(quality.unread))) if quality.unread else "",
    ]
    weak = [(side, reason) for side in SIDES if (reason := weakest(quality.reasons, side))]
    fields = [(words.weakest(s, score(r.gamma), score(r.theta)), speech(r.reason)) for s, r in weak]
    return embeds(words.crit_title(inline(stage)), _lines(text), fields, words.CRIT_LEGEND, BLUE)


def _by_topic(quality: Quality, topics: Sequence[Topic]) -> list[list[str]]:
    """A row a topic, and one for the reasons that belong to none."""
    titles = {0: words.NO_TOPIC, **{n: f"{n}. {topic.title}" for n, topic in enumerate(topics, 1)}}
    return [[titles.get(t.number, f"{t.number}."), score(t.gamma), score(t.standing)] for t in by_topic(quality)]


def document(result: DocumentResult) -> list[Embed]:
    """What CRIT says of a text."""
    title = words.document_title(inline(result.title))
    if not result.claim:
        return embeds(title, words.NO_CLAIM, colour=YELLOW)
    text = [
        f"**{words.CLAIM}:** {speech(result.claim)}",
        words.crit_sum(score(result.gamma), "", score(result.standing)),
        words.crit_unreadable(result.unreadable) if result.unreadable else "",
        *(words.consulted(inline(d.name), score(d.quality.standing), score(d.theta)) for d in result.consulted),
    ]
    fields = [(words.REASONS, _reasons(result.reasons)), (words.RIVALS, _reasons(result.rivals))]
    if analysis := result.analysis:
        told = ((words.HOW, analysis.how), (words.HOLDS, analysis.holds), (words.FAILS, analysis.fails))
        fields += [(name, speech(value)) for name, value in told]
    return embeds(title, _lines(text), fields, words.DOCUMENT_LEGEND, BLUE)


def _reasons(reasons: Sequence[ScoredReason]) -> str:
    told = (
        words.reason(speech(r.reason), score(r.gamma), score(r.theta)) + (words.UNSAID if r.unsaid else "")
        for r in reasons
    )
    return "\n".join(f"- {line}" for line in told)


# ── judges ───────────────────────────────────────────────────────────────────────────────────────────────────────


def verdict(j: Judgement, name: Name, *, question: bool = False) -> list[Embed]:
    """The judges' verdict with every judge's points."""
    letters = words.ANSWER_LETTERS if question else words.LETTERS
    totals, called = {(t.judge, t.first): t for t in j.totals}, _short([name(v.judge) for v in j.votes])
    rows = [
        [
            called[n], *(_total(totals.get((v.judge, first))) for first in ("A", "B")),
            letters[v.vote] if v.vote else words.UNREAD,
        ]
        for n, v in enumerate(j.votes)
    ]  # fmt: skip
    majority, total = letters[j.winner_by_majority], letters[j.winner_by_total]
    text = [
        words.verdict(in_words(j, question=question), points(j.a, j.b), majority, total),
        table(words.JUDGES_HEAD, rows, widest=18),
        *(words.failed_judge(inline(name(f.judge)), inline(f.reason)) for f in j.failed),
        words.swap(j.swap.flipped, j.swap.pairs, f"{j.swap.mean_size:.1f}") if j.swap.mean_size is not None else "",
        words.agreement(j.agreement.scores) if j.agreement.scores is not None else "",
    ]
    legend = words.ANSWERS_LEGEND if question else words.JUDGES_LEGEND
    return embeds(words.JUDGES, _lines(text), footer=legend, colour=ORANGE)


def _short(names: Sequence[str]) -> list[str]:
    """The names without the seats behind them, which leave little of a longer one in a column, if they still differ."""
    bare = [_SEAT.sub("", name) for name in names]
    return bare if len(set(bare)) == len(bare) else list(names)


def _total(total: Total | None) -> str:
    if total is None or total.a is None:
        return words.UNREAD
    short = "" if total.read == total.asked else f" ({total.read}/{total.asked})"
    return f"{points(total.a, total.b)}{short}"


def comparison(c: Comparison) -> list[Embed]:
    """Debate against plain answer."""
    if c.no_answer:
        return embeds(words.COMPARISON, inline(c.no_answer), colour=YELLOW)
    text = words.comparison(c.better, points(c.a, c.b), sum(c.debate_words), sum(c.plain_words))
    return embeds(words.COMPARISON, text, footer=c.length_warning, colour=ORANGE)


# ── joint proposal ───────────────────────────────────────────────────────────────────────────────────────────────


def proposal(p: Proposal) -> list[Embed]:
    """The joint proposal topic by topic, or the joint recommendations."""
    made = embeds(words.PROPOSAL, inline(p.missing), colour=YELLOW) if p.missing else []
    if p.topics:
        fields = [(f"{t.number}. {inline(t.title)} · {words.signed(list(t.signed_by))}", _agreed(t)) for t in p.topics]
        made += embeds(words.PROPOSAL, fields=fields, footer=words.heat(p.heat), colour=GREEN)
    if p.recommendations:
        made += _recommended(p.recommendations, words.signed_by(sorted(set(p.signed_by), reverse=True)))
    return made


def _agreed(topic: Agreement) -> str:
    others = [(side, text) for side, text in dict.fromkeys(topic.amendments) if text != topic.proposal]
    amended = (f"*{words.amended(side)}* {speech(text)}" for side, text in others)
    return _lines([speech(topic.proposal) or words.NO_TEXT, *amended])


def _recommended(r: Recommendations, signed: str) -> list[Embed]:
    fields = [
        (words.ASK_NEXT, "\n".join(f"- {speech(q)}" for q in r.next_questions)),
        (words.TEST_NEXT, "\n".join(f"- {speech(t)}" for t in r.next_tests)),
        (words.RESERVATIONS, speech(r.reservations)),
    ]
    return embeds(words.RECOMMENDATIONS, speech(r.answer), fields, footer=signed, colour=GREEN)


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────


def score(value: float | None) -> str:
    """A score with one decimal, a dash where there is none."""
    return words.NO_SCORE if value is None else f"{value:.1f}"


def points(a: float | None, b: float | None) -> str:
    """Points of both sides."""
    return words.UNREAD if a is None or b is None else f"{_rounded(a)} – {_rounded(b)}"


def _rounded(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _lines(parts: Sequence[str] | Iterator[str]) -> str:
    return "\n".join(part for part in parts if part)
