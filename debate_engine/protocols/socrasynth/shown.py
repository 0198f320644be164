"""What a debate shows while it runs, and what stands at its end. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from elenchus.debate_engine.events import Recorded, Said, StepDone
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.protocols.crit.scoring import by_topic
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.socrasynth import halves
from elenchus.debate_engine.protocols.socrasynth.projection import SPEECH, DebateProjection, debate_of
from elenchus.debate_engine.protocols.socrasynth.results import Agenda, Result, RoundsEnded, Stage
from elenchus.debate_engine.protocols.socrasynth.schemas import Proposal, Recommendations
from elenchus.debate_engine.protocols.socrasynth.summary import sentences
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Paragraph, Rows
from elenchus.debate_engine.reports.said import said_blocks
from elenchus.debate_engine.reports.words import number

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.crit.schemas import Quality
    from elenchus.debate_engine.reports.view import SessionView

_SIDE = {"A": "pro", "B": "con", "tie": "a tie", "undecided": "undecided"}
_SHORT = "{:g}"
_TONE = {"pro": "pro", "con": "con"}


def shown(r: Recorded, view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """Speeches, the agenda; where all may be seen CRIT's scores after each round, and why the rounds ended."""
    debate = debate_of(view)
    match r.event:
        case Said(about="agenda"):
            return
        case Said(about=halves.GIVEN, step=step, to=to, text=text) as said:
            if all(reached(seat, said) for seat in seats):  # whose it is nobody is told, nor that two are of one person
                yield Note(f"[{step.rpartition('/')[2]}] → {', '.join(to)}: {text}", "moderator")
        case Said() as said:
            yield from said_blocks(said, view, seats, heat=_heat_of(said.about, debate) if debate else None)
        case StepDone() if debate and (not seats or isinstance(debate.latest, Agenda)):
            yield from _result(debate.latest)


def _heat_of(about: str, debate: DebateProjection) -> float | None:
    """The heat at which a speech is given ("opening", "round 2"); None for words that are none."""
    if (speech := SPEECH.fullmatch(about)) is None:
        return None
    heat = debate.heats.get(int(speech[1])) if speech[1] else None
    return debate.heat if speech[1] is None else heat.value if heat else None


def _agenda(topics: Iterable[Topic]) -> Iterator[Block]:
    yield Heading("agenda", "good")
    for n, topic in enumerate(topics, 1):
        scope = f": {topic.scope}" if topic.scope else ""
        yield Paragraph(f"{n}. {topic.pro_concern} vs. {topic.con_concern}{scope}")


def _result(result: Result | None) -> Iterator[Block]:
    match result:
        case Stage(quality=quality) if quality:
            yield _scored("the whole debate" if result.n is None else result.name, quality, result.before)
        case RoundsEnded(why):
            yield Note(f"the rounds are over: {why}")
        case Agenda(topics):
            yield from _agenda(topics)


def _scored(about: str, quality: Quality, before: float | None) -> Fact:
    """Γ after a stage, and what it is made of."""
    moved = "" if before is None or quality.gamma is None else f" ({quality.gamma - before:+.1f})".replace("-", "−")
    unread = f", {quality.unreadable} unreadable" if quality.unreadable else ""
    topics = ", ".join(f"{t.number or 'none'}: {number(t.gamma)}" for t in by_topic(quality))
    by = f"; gamma by topic {topics}" if topics else ""
    made = f"standing {number(quality.standing)}, {len(quality.reasons)} reasons{unread}{by}"
    return Fact(f"quality after {about}", f"gamma {number(quality.gamma)}{moved}, {made}", "crit")


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────────


def ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """The joint proposal, the comparison, the judges, the last score, the verdict, and all of it in plain sentences."""
    debate = debate_of(view)
    if debate is None or debate.outcome is None:
        return
    if worth := worth_of(debate):
        yield Note(worth, "warn")
    if debate.outcome.analysis:
        yield Fact("analysis", debate.outcome.analysis.how, "crit")
    if debate.proposal:
        yield from _proposal(debate.proposal)
    if debate.comparison:
        yield from _comparison(debate.comparison)
    if debate.verdict:
        yield from _judges(debate.verdict)
    quality = debate.quality
    gamma, standing = (quality.gamma, quality.standing) if quality else (None, None)
    yield Fact("score", f"gamma {number(gamma)}, standing {number(standing)} (1–10; a standing of 5.5 is even)", "crit")
    rounds = len(debate.rounds())
    yield Fact("ended", f"{rounds} round{'' if rounds == 1 else 's'}: {debate.ended}")
    if debate.outcome.open_outcome:
        yield Fact("question", debate.outcome.open_outcome, "good")
    yield from _verdict(debate.verdict, question=debate.question)
    if not seats and (told := sentences(view)):  # they name models
        yield Heading("in short", "good")
        yield from map(Paragraph, told)


def worth_of(debate: DebateProjection) -> str:
    """What scores, verdict and proposal are worth where very small models gave them, else ""."""
    scoring = [seat for seat in debate.config.small if seat not in ("pro", "con")] if debate.config else []
    who = ", ".join(scoring)
    told = f"very small models scored and judged ({who}): their numbers show the form, and say nothing of the arguments"
    return told if scoring else ""


def _proposal(proposal: Proposal) -> Iterator[Block]:
    yield Heading("joint proposal", "good")
    for row in proposal.topics:
        signed = ", ".join(row.signed_by) or "nobody"
        yield Paragraph(f"{row.number}. {row.title} (signed by {signed}): {row.proposal or '(no text)'}")
    if proposal.recommendations:
        signed = " and ".join(sorted(set(proposal.signed_by), reverse=True)) or "nobody"
        yield from _recommended(proposal.recommendations, signed)
    if proposal.missing:
        yield Note(proposal.missing, "warn")


def _recommended(made: Recommendations, signed: str) -> Iterator[Block]:
    yield Paragraph(f"{made.answer} (signed by {signed})", "strong")
    for name, listed in (("ask next", made.next_questions), ("test next", made.next_tests)):
        if listed:
            yield Paragraph(f"{name}: {'; '.join(listed)}")
    if made.reservations:
        yield Paragraph(f"reservations: {made.reservations}", "dim")


def _comparison(comparison: Comparison) -> Iterator[Block]:
    if comparison.no_answer:
        yield Fact("compared", f"there is no plain answer: {comparison.no_answer}", "warn")
        return
    words = f"words: debate {sum(comparison.debate_words)}, plain answer {sum(comparison.plain_words)}"
    yield Fact("compared", f"better information: {comparison.better} ({points(comparison.a, comparison.b)}); {words}")
    yield Paragraph(comparison.length_warning, "dim")


def _judges(judgement: Judgement) -> Iterator[Block]:
    totals = {(t.judge, t.first): t for t in judgement.totals}
    rows = []
    for vote in judgement.votes:
        claimed = [totals.get((vote.judge, first)) for first in ("A", "B")]
        cells = [points(t.a, t.b) if t else "unread" for t in claimed]
        read = f"{vote.read} of {vote.asked} read"
        both = [_SHORT.format(vote.a), _SHORT.format(vote.b)] if vote.read else ["no score", "no score"]
        rows.append([vote.judge, *both, read, _SIDE.get(vote.vote or "", "unread"), *cells])
    yield Rows("judge", ("judge", "pro", "con", "", "vote", "pro claims", "con claims"), rows)
    by_majority, by_points = _SIDE[judgement.winner_by_majority], _SIDE[judgement.winner_by_total]
    yield Paragraph(f"by majority {by_majority}, by points {by_points} ({points(judgement.a, judgement.b)})", "dim")
    if judgement.swap.mean_size is not None:
        moved = f"swapping the roles moved the margin by {judgement.swap.mean_size:.1f} points on average"
        yield Paragraph(moved, "dim")
    for failed in judgement.failed:
        yield Note(f"{failed.judge} could not be counted: {failed.reason}", "warn")


def points(a: float | None, b: float | None) -> str:
    """Points of pro and con."""
    return "unread" if a is None or b is None else f"{a:g}–{b:g}"


def _verdict(judgement: Judgement | None, *, question: bool) -> Iterator[Block]:
    if judgement is None:
        yield Fact("verdict", "not judged", stands_out=True)
    else:
        yield Fact(
            "verdict", verdict(judgement, question=question), _TONE.get(judgement.winning_side, "warn"), stands_out=True
        )
