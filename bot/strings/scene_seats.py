"""What people on the seats of a scene read in their private threads. Names and texts passed in are safe already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elenchus.bot.strings import people

# ── buttons ──────────────────────────────────────────────────────────────────────────────────────────────────────

ANSWER, READ, LONGER, PASS = "Answer", "What is asked", "More time", "Pass"
AGREE, DECLINE = "I agree", "I do not agree"
QUESTION, WITHDRAW, LEAVE = "Ask a question…", "Withdraw", "Leave the seat"
WITHDRAW_SURE, LEAVE_SURE = "Yes, withdraw", "Yes, leave"

# ── the scene ────────────────────────────────────────────────────────────────────────────────────────────────────

EVERYBODY: Final = "everybody"


def listed(names: Sequence[str]) -> str:
    """Names in a row."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def informed(text: str) -> str:
    """A message of the system."""
    return "📄 **You are told:**\n" + "\n".join(f"> {line}" for line in text.split("\n"))


def from_outside(text: str) -> str:
    """Words of whoever runs the scene."""
    return f"✉ *From whoever runs this scene:* {text}"


def to_you_alone(alone: bool, *, own: bool, to: str) -> str:
    """The small print under what is heard."""
    if own:
        return f"you, to {to}"
    return "to you alone" if alone else f"to {to}"


def role_card(name: str, background: str, task: str) -> str:
    """Who the member is in the scene."""
    lines = [f"**You are {name}.** {background}".rstrip(), f"**Your task:** {task}" if task else ""]
    how = (
        "The scene begins. What reaches you appears here; when it is your turn you are called. "
        "Between your turns others are speaking, not always to you."
    )
    return "\n".join(line for line in (*lines, f"-# {how}") if line)


# ── turns ────────────────────────────────────────────────────────────────────────────────────────────────────────


def what(step: str) -> str:
    """What a turn is for."""
    if step.startswith("unscripted/"):
        return "somebody asks you a question that nobody foresaw"
    if step.startswith("evaluation/"):
        if step.endswith("/again"):
            return "look again: nothing of what you quoted holds"
        return "the scene is over: it is your turn to judge"
    return "say whether this applies now" if step.endswith("/applies") else "it is your turn to speak"


def consent(text: str, until: str, *, judge: bool = False) -> str:
    """Asks for agreement before anything else."""
    if judge:
        return f"before you judge:\n\n{text}" + (f"\n\nPlease decide {until}." if until else "")
    refused = "-# `/privacy detection allowed: False` says no to having what you said examined."
    return f"before the scene begins:\n\n{text}\n\n{refused}" + (f"\n\nPlease decide {until}." if until else "")


def your_turn(what: str, to: str, until: str, *, judge: bool = False) -> str:
    """Calls a member to a turn."""
    whom = f" to {to}" if to else ""
    deadline = f" There is time {until}." if until else ""
    how = f"**{READ}** shows you the record, **{ANSWER}** the form."
    if not judge:
        how = f"Press **{ANSWER}**: the form shows what you are to speak about."
    return f"**{what}{whom}.**{deadline} {how}"


JUDGE_INTRO: Final = (
    "You are asked to judge a scene when it has been played. There is nothing to do until then, and nothing of the "
    "scene is shown here: you are called, asked whether you agree, and read the record."
)


def reminder(what: str, until: str) -> str:
    """Reminds a member."""
    return f"{what}: the time for it ends {until}. **{ANSWER}**, **{LONGER}** or **{PASS}**, as you wish."


def reminder_of_consent(until: str) -> str:
    """Reminds a member who has not said yet whether to take part."""
    return f"whether you agree to take part is still open: please decide {until}."


def rejected(reason: str) -> str:
    """An answer that cannot be used."""
    return f"Your answer could not be used: {reason}. The turn is still open."


def extended(until: str) -> str:
    """More time."""
    return f"There is more time: the turn ends {until}."


LEFT: Final = "You have left the seat."


def paused(*, subject: bool) -> str:
    """The scene waits."""
    return f"⏸ The scene is paused. You need not do anything; it goes on here. {_out(subject=subject)}"


def broke(*, subject: bool) -> str:
    """The scene broke off."""
    return (
        "⚠ The scene broke off, which is not due to you. Whoever runs it has been told and may let it go on here. You "
        f"need not wait. {_out(subject=subject)}"
    )


def _out(*, subject: bool) -> str:
    """How somebody gets out, by the panel above."""
    if subject:
        return f"**{WITHDRAW}** on the panel ends it, and tells you what it was about."
    return f"**{LEAVE}** on the panel lets you go."


RESUMED: Final = "▶ The scene goes on."
REDACTED: Final = "What you had said was removed from the record and from this thread."


def debrief(text: str) -> str:
    """What it was about."""
    return f"**Afterwards: what this was about**\n\n{text}"


def ending(text: str) -> str:
    """Kind words at an early end."""
    return text


OVER: Final = (
    "**The scene is over.** Thank you. `/privacy export` shows what is held on you, `/privacy forget` has it removed; "
    "`/scene debrief` shows what it was about once more."
)

OVER_FOR_JUDGE: Final = (
    "**It is over.** Thank you. `/privacy export` shows what is held on you, `/privacy forget` has it removed."
)

# ── the panel ────────────────────────────────────────────────────────────────────────────────────────────────────


def panel_title(role: str) -> str:
    """Over the panel."""
    return f"Your seat: {role}"


NOW_CONSENT: Final = "Nothing has begun. It begins when everybody has agreed."
NOW_YOU: Final = "**Now:** you. Your turn is open below."
NOW_JUDGE: Final = "**Now:** the scene, without you. You are called here when it is over."
NOW_OTHERS: Final = "**Now:** the others. You are called here when it is your turn."
NOW_PAUSED: Final = "**Now:** a pause, until whoever runs the scene lets it go on."
NOW_OVER: Final = "It is over."
NOW_DEBRIEFED: Final = (
    "It is over for you, and what it was about stands in this thread. Judges still read what was said; you need not "
    "wait."
)
PANEL_FOOTER: Final = "You may stop at any time, without giving a reason."

# ── answers to a member alone ────────────────────────────────────────────────────────────────────────────────────

NOT_YOURS: Final = "This seat is somebody else's."
NOT_OPEN, BEING_READ, NO_DEADLINE = people.NOT_OPEN, people.BEING_READ, people.NO_DEADLINE
AGREED: Final = "Thank you. The scene begins as soon as everybody has agreed."
NOT_AGREED: Final = "Nothing is played and nothing of yours is kept."
JUDGE_AGREED: Final = "Thank you. You are called here in a moment."
JUDGE_NOT_AGREED: Final = (
    "Nothing of yours is kept. The result of the scene says that one judge gave no answer, not who it was."
)
SENT: Final = "You have said it."
JUDGED: Final = "Your judgement is recorded. Thank you."
PASSED: Final = "Passed: the scene goes on without your words."
SURE_TO_WITHDRAW: Final = (
    "Withdraw from the scene? It ends for you at once, what you said is removed from the record, and you are told what "
    "it was about. You need give no reason."
)
SURE_TO_LEAVE: Final = "Leave the seat? You cannot come back to it in this scene; a model may take it over."
WITHDRAWN: Final = "You have withdrawn. Thank you for having taken part; what it was about is told in your thread."
HAS_LEFT: Final = "You have left the seat."
QUESTION_TITLE: Final = "A question of your own"
QUESTION_LABEL: Final = "What would you like to know?"
QUESTION_HINT: Final = "The moderator of the scene gets it and answers here."
QUESTION_SENT: Final = "Your question is on its way; the answer appears in your thread."
QUESTION_EARLY: Final = "Questions go to the moderator of the scene: wait until it has begun."
NO_MODERATOR: Final = "Nobody moderates this scene, so nobody can answer."
IS_OVER: Final = "The scene is over."


def no_more_time(times: int) -> str:
    """Too many extensions."""
    return f"You have taken more time {times} times already: ask whoever runs the scene, who may still give more."


def more_time(until: str) -> str:
    """An extension."""
    return f"You have more time: the turn ends {until}."


def form_title(step: str) -> str:
    """Over the form of a turn."""
    if step.startswith("unscripted/"):
        return "Answer the question"
    if step.startswith("evaluation/"):
        return "Your judgement"
    return "Does this apply?" if step.endswith("/applies") else "What you say"


def above_form(name: str, to: str, told: str) -> str:
    """What stands above the field of a form."""
    return f"You, {name}, speak{f' to {to}' if to else ''}.\n**What about:** {told}"


NO_QUESTION: Final = "Write your question."


def question(text: str) -> str:
    """What stands above the field of an answer to a question."""
    return f"**You are asked:** {text}"
