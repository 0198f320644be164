"""What stands in a debate's thread beside the speeches. Names and texts that are passed in are safe already."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Final

SIDES: Final[Mapping[str, str]] = {"pro": "For", "con": "Against", "tie": "A tie", "undecided": "Undecided"}
LETTERS: Final[Mapping[str, str]] = {"A": "For", "B": "Against", "tie": "tie", "undecided": "undecided"}
ANSWER_LETTERS: Final[Mapping[str, str]] = {**LETTERS, "A": "pro", "B": "con"}
NO_SCORE: Final = "–"
UNREAD: Final = "unread"

# ── small print ──────────────────────────────────────────────────────────────────────────────────────────────────


def two_places(value: float) -> str:
    """A heat as everybody rounds by hand: 0.625 is 0.63."""
    return f"{math.floor(value * 100 + 0.5) / 100:.2f}"


def heat(value: float) -> str:
    """The heat in the small print."""
    return f"heat {two_places(value)}"


def part_of(n: int, of: int) -> str:
    """Which part of a long speech."""
    return f"{n}/{of}"


# ── who and what ─────────────────────────────────────────────────────────────────────────────────────────────────

AGENDA: Final = "Agenda"


def opened(motion: str, *, question: bool) -> str:
    """The first post's headline."""
    return f"**{'Question' if question else 'Motion'}:** {motion}"


def seated(pro: str, con: str, judges: list[str]) -> str:
    """Who sits where."""
    panel = f"\nJudges: {', '.join(judges)}" if judges else ""
    return f"For: {pro}\nAgainst: {con}{panel}"


def a_member(seat: str) -> str:
    """Whoever sits there and has no name yet: a member who has not agreed, or is forgotten."""
    return f"A member ({seat.replace('-', ' ')})"


def unanswered(what: str) -> str:
    """A question that got no answer that can be used; the debate goes on without it."""
    return f"-# {what}"


PEOPLE_SIT: Final = (
    "People sit in this debate. So that nobody is swayed, scores and verdicts appear here only after the end; the "
    "moderator's words to a side stand in the report."
)


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────────────────


def crit_title(stage: str) -> str:
    """Over CRIT's table."""
    return f"CRIT · {stage}"


WHOLE_DEBATE: Final = "the whole debate"
CRIT_LEGEND: Final = (
    "Γ: quality of all arguments so far, 1–10. Standing: how the claim stands with the reasons against it counted, "
    "5.5 is even. “–”: could not be scored, counts in no sum."
)
CRIT_HEAD: Final = ("topic", "Γ", "standing")
NO_TOPIC: Final = "of no single topic"


def crit_sum(gamma: str, before: str, standing: str) -> str:
    """The sums of a stage; `before` is the last Γ, "" where there was none."""
    return f"**Γ {gamma}**{f' (before: {before})' if before else ''} · standing of the claim **{standing}**"


def crit_unreadable(count: int) -> str:
    """Reasons that count for nothing."""
    if count == 1:
        return "1 reason could not be scored and counts for nothing."
    return f"{count} reasons could not be scored and count for nothing."


def crit_unread(speeches: str) -> str:
    """Speeches whose reasons could not be listed."""
    return f"Not read: {speeches}."


def weakest(side: str, gamma: str, theta: str) -> str:
    """Over a side's weakest reason."""
    return f"{SIDES[side]}: weakest reason (validity {gamma}, source {theta})"


JUDGES: Final = "The judges"
JUDGES_HEAD: Final = ("judge", "pro claims", "con claims", "vote")
JUDGES_LEGEND: Final = (
    "Points for – against. Each judge reads every topic twice, once with each side as the one that claims, without "
    "names. “unread” counts in no sum."
)


ANSWERS_LEGEND: Final = (
    "Points of pro's answer – con's. Each judge reads the exchange twice, once with each side as the one that claims, "
    "without names. “unread” counts in no sum."
)


def verdict(told: str, points: str, majority: str, total: str) -> str:
    """The verdict, and the points for and against: they may name another side than the judges' majority does."""
    return f"**{told}**\nBy majority: {majority} · by points: {total} ({points})"


def swap(flipped: int, pairs: int, size: str) -> str:
    """What changing roles did."""
    return f"Changing who claims moved the margin by {size} points on average and turned {flipped} of {pairs} rulings."


def failed_judge(name: str, reason: str) -> str:
    """A judge that could not be counted."""
    return f"{name} could not be counted: {reason}"


def agreement(alpha: float) -> str:
    """Krippendorff's alpha of the scores."""
    return f"Agreement of the scores (Krippendorff's α): {alpha:.2f}"


# ── joint proposal ───────────────────────────────────────────────────────────────────────────────────────────────

PROPOSAL: Final = "Joint proposal"
RECOMMENDATIONS: Final = "Joint recommendations"
ASK_NEXT, TEST_NEXT, RESERVATIONS = "Ask next", "Test next", "Reservations"
NO_TEXT: Final = "(no text)"


def signed_by(sides: list[str]) -> str:
    """Who signed a recommendation on an open question."""
    return f"signed by {' and '.join(sides)}" if sides else "signed by nobody"


def signed(sides: list[str]) -> str:
    """Who signed."""
    if len(sides) == 1:
        return f"signed by the side {'for the motion' if sides == ['pro'] else 'against the motion'} alone"
    return "signed by both sides" if sides else "signed by nobody"


def amended(side: str) -> str:
    """Before a side's amendment."""
    return f"{SIDES[side]} would write:"


# ── comparison, sweep, document ──────────────────────────────────────────────────────────────────────────────────

COMPARISON: Final = "Debate or plain answer"


def comparison(better: str, points: str, debate_words: int, plain_words: int) -> str:
    """Which informed better."""
    return f"Better information: **{better}** ({points})\nWords: debate {debate_words}, plain answer {plain_words}"


def document_title(title: str) -> str:
    """Over CRIT's report on a text."""
    return f"CRIT · {title}"


SCORED_TEXT: Final = "The text that is scored"
NO_CLAIM: Final = "No claim was found: the text argues for nothing, or could not be read."
CLAIM: Final = "Claim"
REASONS: Final = "Reasons"
RIVALS: Final = "Rival reasons"
UNSAID: Final = " (left unsaid)"
HOW, HOLDS, FAILS = "How the score came about", "Would also hold", "Would fail"


def reason(text: str, gamma: str, theta: str) -> str:
    """One scored reason."""
    return f"γ {gamma} · θ {theta} · {text}"


def consulted(name: str, standing: str, theta: str) -> str:
    """A document at hand that was scored too: what its claim lends to a reason that is the same claim."""
    return f"Consulted: {name}, its claim stands at {standing} (which counts as γ), credibility {theta} (as θ)"


DOCUMENT_LEGEND: Final = "γ: validity of a reason, θ: credibility of its source, both 1–10. Γ = Σθγ/Σθ. 5.5 is even."

# ── notes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def paused(reason: str) -> str:
    """The session waits."""
    return f"⏸ **Paused:** {reason}"


RESUMED: Final = "▶ The debate goes on."


def rounds_over(why: str) -> str:
    """The loop has ended."""
    return f"The rounds are over: {why}. The closings follow."


def private_words(speaker: str, to: str, about: str, text: str) -> str:
    """Words of the moderator (or of CRIT to the moderator) that only some are given."""
    return f"*{speaker} → {to} ({about}):* {text}"


def set_heat(by: str, value: float) -> str:
    """A wish of the moderator."""
    return f"{by} sets the heat of the next turn to {value:.2f}."


def one_more_round(by: str) -> str:
    """A wish of the moderator."""
    return f"{by} wants one more round."


def to_closing(by: str) -> str:
    """A wish of the moderator."""
    return f"{by} calls for the closings."


def budget_set(by: str, limits: str) -> str:
    """A new budget."""
    return f"{by} sets the budget to {limits}."


def tokens(n: int) -> str:
    """An amount of tokens."""
    return f"{n:,} tokens"


def dollars(x: float) -> str:
    """An amount of money: cents, and of less than one as much as shows that it is not nothing."""
    if x == 0 or x >= 0.01:
        return f"${x:.2f}"
    return f"${x:.4f}" if x >= 0.0001 else "under $0.0001"


def redacted(name: str, count: int) -> str:
    """After a redaction."""
    places = "1 place" if count == 1 else f"{count} places"
    return f"The words of {name} were removed from the record in {places}, at that person's wish."


SOMEBODY: Final = "somebody"
THE_MODERATOR: Final = "the moderator"

# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────────

OVER: Final = "The debate is over"
OVER_OTHER: Final = "Done"
FILES: Final = "The report, its tables and the whole record are attached."
PLOT: Final = "Heat and argument quality by round"


def stopped(by: str, reason: str) -> str:
    """The moderator ended it."""
    return f"⏹ **Stopped** by {by}: {reason}"


INSTEAD: Final = {"NoAgenda": "Or begin anew with topics of your own: `/debate start agenda:…`."}
"""What else can be done about the error by which a session broke off."""


def failed(reason: str, session: str, error: str = "") -> str:
    """It broke off; the log has it under the session's id."""
    told = (
        f"⚠ **The session broke off:** {reason}\nWhat was said is kept. Press Resume to try again; if it breaks off "
        f"again, give whoever runs me the reference {session}."
    )
    return f"{told}\n{INSTEAD[error]}" if error in INSTEAD else told


def when(at: datetime) -> str:
    """A moment, shown by each reader's client in words ("in 5 minutes")."""
    return f"<t:{int(at.timestamp())}:R>"
