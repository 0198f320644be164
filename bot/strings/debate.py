"""`/debate`: what its commands and options say, the offer before a debate starts, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.bot.strings.thread import dollars

GROUP = "Start a debate, and steer it in its thread."

START = "Start a debate: two sides, judges, a score for every argument, a joint proposal at the end."
OPTIONS: Mapping[str, str] = {
    "motion": "What is debated, in one sentence",
    "open_question": "The motion is a question: each side holds an answer of its own",
    "brief": "Facts that both sides get",
    "pro": "Who argues for it: a persona, a model, or @somebody",
    "con": "Who argues against it: a persona, a model, or @somebody",
    "judges": "Personas, models and @members one after the other, or how many of the default ones",
    "topics": "Topics of the agenda",
    "rounds": "Rounds of refutation at the most",
    "heat": "How contentious the opening is, 0 to 1",
    "language": "Of speeches, scores and judges (default: the motion's)",
    "private": "A thread that only those you add to it can see",
    "budget": "US dollars at which the debate pauses",
    "words": "Words of a speech on each topic (default: 80)",
    "agenda": "The topics, with semicolons between: speed vs. safety: on the way to school; cost vs. comfort",
    "agenda_file": "The topics in a file: a list, YAML or JSON",
    "brief_file": "Facts that both sides get, in a text file",
    "crit": "Who scores the arguments (default: the first model that judges)",
    "coach": "After each round each side is asked to deepen its weakest reason",
    "simultaneous": "Both sides refute at once, not con after pro",
    "compare_qa": "Judges compare the debate with one model's plain answer",
    "approve_agenda": "You approve, reorder or strike the topics first",
    "decay": "The heat is divided by this before each round (default: 1.2)",
    "floor": "The rounds end when the heat is down to this (default: 0.1)",
    "stop": "When falling quality ends the rounds: beyond its noise or twice running, or at any fall",
    "temperature": "For the models (default: each vendor's own)",
}

COMMANDS: Mapping[str, str] = {
    "pause": "Pause this thread's debate before its next step",
    "resume": "Go on with this thread's debate",
    "heat": "Set the heat of the next turn",
    "guide": "Give a side guidance that it hears before its next turn",
    "ask": "Ask a side a question, answered in its next turn",
    "deepen": "Have a side deepen its weakest reason",
    "round": "Hold one more round, or to the closings",
    "close": "Go to the closings after this round",
    "stop": "End this debate for good",
    "budget": "Set what this debate may spend",
    "status": "Show how this debate stands",
    "export": "Get the report and the data of this debate",
}
ARGUMENTS: Mapping[str, str] = {
    "value": "0 (agreement) to 1 (devil's advocate)",
    "text": "What to say",
    "side": "Pro or con",
    "sides": "Pro, con or both",
    "reason": "Why, for everyone to see",
    "tokens": "Tokens in all",
    "usd": "US dollars in all",
}


NAMES = (
    "Arete", "Aspasia", "Crito", "Diotima", "Gorgias", "Hippias", "Hypatia", "Leontion", "Meno", "Phaedo", "Protagoras",
    "Theano", "Themista", "Thrasymachus", "Timaeus", "Zeno",
)  # fmt: skip
"""What personas are called: people of the Greek dialogues and schools."""


def persona(seat: str, name: str) -> str:
    """The display name of a model on a seat: who it is, and which part it plays."""
    return "CRIT" if seat == "crit" else f"{name} ({seat.replace('-', ' ')})"


# ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────────

OFFER_TITLE = "Start this debate?"
GO, CANCEL = "Start", "Cancel"
CANCELLED = "Nothing was started."
EXPIRED = "This offer has expired: ask for it again."
NOT_YOURS = "This offer was made to somebody else."
STARTING = "Its thread comes in a moment. Where none has come after a minute, nothing was started: ask for it again."
COST, SEATS, THREAD, BUDGET = "At the most", "Seats", "Where", "Budget"
UNKNOWN_PRICE = "unknown price"
WARN_PEOPLE = "People's turns take their own time; each is asked first whether they agree to what is recorded."


def cost(plan: Mapping[str, Any]) -> str:
    """What the debate will use, from its plan (see `debate_engine.dry_run.estimate`)."""
    said = (
        f"**{plan['calls']:,}** calls · **{plan['input_tokens']:,}** tokens in, **{plan['output_tokens']:,}** out · "
        f"**{_money(plan['usd'])}**{_expected(plan)} · about **{max(1, round(plan['minutes']))}** min\n"
        "-# an estimate, without repeated attempts and people's time"
    )
    if not plan["reasoning_tokens"]:
        return said
    more = f"{plan['reasoning_tokens']:,} tokens out ({_money(plan['reasoning_usd'])})"
    return f"{said}\n-# the models' hidden reasoning comes on top: at the most {more}, and time"


def _expected(plan: Mapping[str, Any]) -> str:
    usd = plan.get("expected_usd")
    return f" (expected {_money(usd)})" if usd else ""


def _money(usd: float | None) -> str:
    return UNKNOWN_PRICE if usd is None else "$0.00" if usd == 0 else f"${usd:.4f}" if usd < 1 else f"${usd:.2f}"


def seats(lines: Sequence[tuple[str, str]]) -> str:
    """Who sits where."""
    return "\n".join(f"{seat}: {who}" for seat, who in lines)


def where(private: bool) -> str:
    """What kind of thread."""
    return "a private thread" if private else "a public thread"


def budget(usd: float | None, left: float | None) -> str:
    """Where it pauses."""
    own = f"It pauses at {dollars(usd)}." if usd is not None else "No limit for this debate."
    return own + (f" The server has {dollars(left)} left today." if left is not None else "")


def started(thread: int, protocol: str = "socrasynth") -> str:
    """The debate, or whatever was offered, has its thread."""
    return f"It is in <#{thread}>." if protocol != "socrasynth" else f"The debate is in <#{thread}>."


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────

AGENDA_OPTION = "in `agenda`"
AGENDA_UNREADABLE = "The agenda's file is no text in UTF-8: save it as plain text."
NOT_A_MEMBER = "That is nobody of this server: type @ and choose the member from Discord's list."
NOT_HERE = "A thread needs an ordinary text channel of a server: use the command in one."
A_BOT = "A bot cannot take a seat: name a member or a model."
MAY_NOT_START = "You may not start debates here: ask somebody who may, or have `/settings` changed by an administrator."
MAY_NOT_STEER = "You may not steer this debate: its moderator, and the server's moderators, may."


def not_a_model(text: str) -> str:
    """Neither a model, nor a persona, nor a member."""
    return (
        f"{text} names no model and no persona: choose one from the list, write PROVIDER:MODEL, or "
        "PERSONA@PROVIDER:MODEL for both, or type @ and choose a member."
    )


def judges_number(most: int) -> str:
    """Too few or too many judges."""
    return f"A debate has 1 to {most} judges: name them one after the other, or say how many."


def agenda_too_large(most: int) -> str:
    """A file that is no agenda."""
    return f"An agenda's file may have {most:,} bytes: leave the topics in it alone."


def day_spent(left: float, needed: float) -> str:
    """The server's budget of the day does not suffice."""
    return (
        f"The server's budget of today has {dollars(left)} left and this may cost {dollars(needed)}: ask for less "
        "(fewer rounds, topics, judges or candidates), a cheaper model, or try again tomorrow."
    )


def day_tokens_spent(left: int, needed: int) -> str:
    """The server's tokens of the day do not suffice."""
    return (
        f"The server's budget of today has {left:,} tokens left and this may use {needed:,}: ask for less "
        "(fewer rounds, topics, judges or candidates), or try again tomorrow."
    )


def yourself(name: str) -> str:
    """The choice of the person who types."""
    return f"{name} (you)"
