"""What people on the seats of a scene read in their private threads. Names and texts passed in are safe already."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.strings import msg

# ── the scene ────────────────────────────────────────────────────────────────────────────────────────────────────


def listed(names: Sequence[str]) -> str:
    """Names in a row."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def informed(text: str) -> str:
    """A message of the system."""
    return "📄 **You are told:**\n" + "\n".join(f"> {line}" for line in text.split("\n"))


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
    how = f"**{msg('scene-seats-read')}** shows you the record, **{msg('scene-seats-answer')}** the form."
    if not judge:
        how = f"Press **{msg('scene-seats-answer')}**: the form shows what you are to speak about."
    return f"**{what}{whom}.**{deadline} {how}"


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
        return f"**{msg('scene-seats-withdraw')}** on the panel ends it, and tells you what it was about."
    return f"**{msg('scene-seats-leave')}** on the panel lets you go."


def ending(text: str) -> str:
    """Kind words at an early end."""
    return text


# ── answers to a member alone ────────────────────────────────────────────────────────────────────────────────────


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
