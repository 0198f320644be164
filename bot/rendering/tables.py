"""Scores, verdicts and proposals as embeds within Discord's limits. A score that could not be read shows as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from elenchus.bot.rendering.amounts import two_places
from elenchus.bot.rendering.embeds import BLUE, GREEN, ORANGE, YELLOW, embeds, table
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rendering.safe import inline, speech
from elenchus.bot.strings import messages, msg
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
    return embeds(msg("thread-agenda"), fields=fields, colour=BLUE)


# ── CRIT ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def crit(stage: str, quality: Quality, before: float | None, topics: Sequence[Topic]) -> list[Embed]:
    """What CRIT says after a stage; `before` is the last readable Γ."""
    rows = _by_topic(quality, topics)
    text = [
        _sum(quality.gamma, before, quality.standing),
        table(tuple(messages("thread-crit-head").values()), rows) if rows else "",
        msg("thread-crit-unreadable", n=quality.unreadable) if quality.unreadable else "",
        msg("thread-crit-unread", speeches=inline(", ".join(quality.unread))) if quality.unread else "",
    ]
    weak = [(side, reason) for side in SIDES if (reason := weakest(quality.reasons, side))]
    fields = [(_weakest(side, reason), speech(reason.reason)) for side, reason in weak]
    return embeds(msg("thread-crit-title", stage=inline(stage)), _lines(text), fields, msg("thread-crit-legend"), BLUE)


def _sum(gamma: float | None, before: float | None, standing: float | None) -> str:
    """The sums of a stage; `before` is the last Γ."""
    if before is None:
        return msg("thread-crit-sum", gamma=score(gamma), standing=score(standing))
    return msg("thread-crit-sum-after", gamma=score(gamma), before=score(before), standing=score(standing))


def _weakest(side: str, reason: ScoredReason) -> str:
    return msg(
        "thread-weakest", side=messages("thread-sides")[side], gamma=score(reason.gamma), theta=score(reason.theta)
    )


def _by_topic(quality: Quality, topics: Sequence[Topic]) -> list[list[str]]:
    """A row a topic, and one for the reasons that belong to none."""
    titles = {0: msg("thread-no-topic"), **{n: f"{n}. {topic.title}" for n, topic in enumerate(topics, 1)}}
    return [[titles.get(t.number, f"{t.number}."), score(t.gamma), score(t.standing)] for t in by_topic(quality)]


def document(result: DocumentResult) -> list[Embed]:
    """What CRIT says of a text."""
    title = msg("thread-document-title", title=inline(result.title))
    if not result.claim:
        return embeds(title, msg("thread-no-claim"), colour=YELLOW)
    text = [
        f"**{msg('thread-claim')}:** {speech(result.claim)}",
        _sum(result.gamma, None, result.standing),
        msg("thread-crit-unreadable", n=result.unreadable) if result.unreadable else "",
        *(
            msg("thread-consulted", name=inline(d.name), standing=score(d.quality.standing), theta=score(d.theta))
            for d in result.consulted
        ),
    ]
    fields = [(msg("thread-reasons"), _reasons(result.reasons)), (msg("thread-rivals"), _reasons(result.rivals))]
    if analysis := result.analysis:
        told = (
            (msg("thread-how"), analysis.how),
            (msg("thread-holds"), analysis.holds),
            (msg("thread-fails"), analysis.fails),
        )
        fields += [(name, speech(value)) for name, value in told]
    return embeds(title, _lines(text), fields, msg("thread-document-legend"), BLUE)


def _reasons(reasons: Sequence[ScoredReason]) -> str:
    told = (
        msg("thread-reason", text=speech(r.reason), gamma=score(r.gamma), theta=score(r.theta))
        + (msg("thread-unsaid") if r.unsaid else "")
        for r in reasons
    )
    return "\n".join(f"- {line}" for line in told)


# ── judges ───────────────────────────────────────────────────────────────────────────────────────────────────────


def verdict(j: Judgement, name: Name, *, question: bool = False) -> list[Embed]:
    """The judges' verdict with every judge's points."""
    letters = messages("thread-answer-letters") if question else messages("thread-letters")
    totals, called = {(t.judge, t.first): t for t in j.totals}, _short([name(v.judge) for v in j.votes])
    rows = [
        [
            called[n], *(_total(totals.get((v.judge, first))) for first in ("A", "B")),
            letters[v.vote] if v.vote else msg("thread-unread"),
        ]
        for n, v in enumerate(j.votes)
    ]  # fmt: skip
    majority, total = letters[j.winner_by_majority], letters[j.winner_by_total]
    text = [
        msg(
            "thread-verdict",
            told=in_words(j, question=question),
            points=points(j.a, j.b),
            majority=majority,
            total=total,
        ),
        table(tuple(messages("thread-judges-head").values()), rows, widest=18),
        *(msg("thread-failed-judge", name=inline(name(f.judge)), reason=inline(f.reason)) for f in j.failed),
        msg("thread-swap", flipped=j.swap.flipped, pairs=j.swap.pairs, size=f"{j.swap.mean_size:.1f}")
        if j.swap.mean_size is not None
        else "",
        msg("thread-agreement", alpha=j.agreement.scores) if j.agreement.scores is not None else "",
    ]
    legend = msg("thread-answers-legend") if question else msg("thread-judges-legend")
    return embeds(msg("thread-judges"), _lines(text), footer=legend, colour=ORANGE)


def _short(names: Sequence[str]) -> list[str]:
    """The names without the seats behind them, which leave little of a longer one in a column, if they still differ."""
    bare = [_SEAT.sub("", name) for name in names]
    return bare if len(set(bare)) == len(bare) else list(names)


def _total(total: Total | None) -> str:
    if total is None or total.a is None:
        return msg("thread-unread")
    short = "" if total.read == total.asked else f" ({total.read}/{total.asked})"
    return f"{points(total.a, total.b)}{short}"


def comparison(c: Comparison) -> list[Embed]:
    """Debate against plain answer."""
    if c.no_answer:
        return embeds(msg("thread-comparison"), inline(c.no_answer), colour=YELLOW)
    text = msg(
        "thread-comparison-text",
        better=c.better,
        points=points(c.a, c.b),
        debate_words=sum(c.debate_words),
        plain_words=sum(c.plain_words),
    )
    return embeds(msg("thread-comparison"), text, footer=c.length_warning, colour=ORANGE)


# ── joint proposal ───────────────────────────────────────────────────────────────────────────────────────────────


def proposal(p: Proposal) -> list[Embed]:
    """The joint proposal topic by topic, or the joint recommendations."""
    made = embeds(msg("thread-proposal"), inline(p.missing), colour=YELLOW) if p.missing else []
    if p.topics:
        fields = [(f"{t.number}. {inline(t.title)} · {_signed(list(t.signed_by))}", _agreed(t)) for t in p.topics]
        made += embeds(
            msg("thread-proposal"), fields=fields, footer=msg("thread-heat", heat=two_places(p.heat)), colour=GREEN
        )
    if p.recommendations:
        made += _recommended(p.recommendations, _signed_by(sorted(set(p.signed_by), reverse=True)))
    return made


def _signed_by(sides: list[str]) -> str:
    """Who signed a recommendation on an open question."""
    return msg("thread-signed-by", names=" and ".join(sides)) if sides else msg("thread-signed-by-nobody")


def _signed(sides: list[str]) -> str:
    """Who signed an agreement on a topic."""
    if len(sides) == 1:
        return messages("thread-signed-by-one")[sides[0]]
    return msg("thread-signed-by-both") if sides else msg("thread-signed-by-nobody")


def _agreed(topic: Agreement) -> str:
    others = [(side, text) for side, text in dict.fromkeys(topic.amendments) if text != topic.proposal]
    amended = (
        f"*{msg('thread-amended', side=messages('thread-sides')[side])}* {speech(text)}" for side, text in others
    )
    return _lines([speech(topic.proposal) or msg("thread-no-text"), *amended])


def _recommended(r: Recommendations, signed: str) -> list[Embed]:
    fields = [
        (msg("thread-ask-next"), "\n".join(f"- {speech(q)}" for q in r.next_questions)),
        (msg("thread-test-next"), "\n".join(f"- {speech(t)}" for t in r.next_tests)),
        (msg("thread-reservations"), speech(r.reservations)),
    ]
    return embeds(msg("thread-recommendations"), speech(r.answer), fields, footer=signed, colour=GREEN)


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────


def score(value: float | None) -> str:
    """A score with one decimal, a dash where there is none."""
    return msg("thread-no-score") if value is None else f"{value:.1f}"


def points(a: float | None, b: float | None) -> str:
    """Points of both sides."""
    return msg("thread-unread") if a is None or b is None else f"{_rounded(a)} – {_rounded(b)}"


def _rounded(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _lines(parts: Sequence[str] | Iterator[str]) -> str:
    return "\n".join(part for part in parts if part)
