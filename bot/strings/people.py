"""What members on seats read: their turns, consent, leaving, and what is held on them."""

from __future__ import annotations

from typing import Final

from elenchus.bot.strings import msg

# ── the turn in the thread ───────────────────────────────────────────────────────────────────────────────────────


_TASKS: Final = (
    ("opening/", "the opening speech"),
    ("closing/", "the closing speech"),
    ("/done/", "whether there is more to say"),
    ("agenda/approve", "the agenda's approval"),
    ("agenda/", "the agenda"),
    ("-claims/topic/", "a ruling on one topic"),
    ("-first/topic/", "a comparison on one topic"),
    ("conciliation/", "the joint proposal"),
    ("answer/", "an answer to the question"),
    ("round/", "a refutation"),
)


def task(step: str) -> str:
    """What a turn is for, by its step."""
    return next((words for part, words in _TASKS if part in step), "an answer")


def your_turn(member: int, what: str, until: str, *, prepared: bool = False) -> str:
    """Asks a member in the thread; `prepared`: a model has drafted the answer."""
    deadline = f" It ends {until}." if until else ""
    how = f"Press **{msg('people-answer')}**: nobody sees what you write before you send it."
    if prepared:
        how = f"A draft is ready: **{msg('people-answer')}** shows it to you alone, to send or to change."
    return f"<@{member}>, **it is your turn:** {what}.{deadline} {how}"


def left(name: str, stand_in: bool) -> str:
    """A person has left a seat."""
    return (
        f"{name} has left the seat. {'A model takes over.' if stand_in else 'Nobody takes over: its turns are passed.'}"
    )


# ── consent ──────────────────────────────────────────────────────────────────────────────────────────────────────


def consent(seat: str, providers: list[str], *, private: bool) -> str:
    """What a member agrees to before the first turn."""
    where = "the private thread's members" if private else "everyone who can see this channel"
    models = f"\n- the models' providers, as the debate's text: {', '.join(providers)}" if providers else ""
    return (
        f"**Before you sit as {seat}**\n"
        "What is recorded: what you write in your turns and when, your Discord id and display name, on the computer of "
        "whoever runs this bot, until the debate is deleted.\n"
        "When the debate is over a moderator may have what you said examined for cognitive biases, in a private thread "
        "at first; `/privacy detection allowed: False` says no.\n"
        f"Who sees it:\n- {where}\n- whoever downloads the report that is posted at the end{models}\n"
        "You may leave the seat at any time, see all that is held on you with `/privacy export`, and have it removed "
        "with `/privacy forget`. If you do not agree, nothing of yours is stored and you leave the seat."
    )


def prepared(what: str, draft: str) -> str:
    """A model's draft, before the member sends or changes it."""
    return f"**{what[:1].upper()}{what[1:]}**, drafted by a model. Is it what you want to say?\n{draft}"


# ── answers to a member alone ────────────────────────────────────────────────────────────────────────────────────


SURE_TO_LEAVE: Final = {
    True: "Leave the seat for good? You cannot come back to it in this debate.",
    False: "Take this person off the seat for good? Nobody can sit down there again in this debate.",
}
"""By whether the member asks."""


PASSED_BY: Final = {True: "passed", False: "passed by the moderator"}
"""The reason in the log, by whether the member did it."""


def left_server(name: str, title: str, *, stand_in: bool) -> str:
    """Told to the moderator."""
    then = "a model takes over" if stand_in else "its turns are passed, so stop the debate if that is not what you want"
    return f"{name} left the server and so the seat in “{title}”: {then}."
