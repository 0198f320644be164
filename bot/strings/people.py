"""What members on seats read: their turns, consent, leaving, and what is held on them."""

from __future__ import annotations

from typing import Final

# ── the turn in the thread ───────────────────────────────────────────────────────────────────────────────────────

ANSWER, READ, PASS, LONGER, LEAVE = "Answer", "What is asked", "Pass", "More time", "Leave the seat"

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
    how = f"Press **{ANSWER}**: nobody sees what you write before you send it."
    if prepared:
        how = f"A draft is ready: **{ANSWER}** shows it to you alone, to send or to change."
    return f"<@{member}>, **it is your turn:** {what}.{deadline} {how}"


def turn_over(member: int, what: str) -> str:
    """In the place of what asked a member, when it is answered or no longer wanted."""
    return f"The turn of <@{member}> is over: {what}."


def reminder(member: int, what: str, until: str) -> str:
    """Reminds a member."""
    return f"<@{member}>, {what} is still open and ends {until}."


def rejected(member: int, reason: str) -> str:
    """An answer was not of the asked form."""
    return f"<@{member}>, your answer could not be used: {reason}. The turn is still open."


def waiting_for(name: str, what: str) -> str:
    """A person whom Discord does not know is asked elsewhere."""
    return f"Waiting for {name}: {what}."


def extended(by: str, until: str) -> str:
    """A turn ends later."""
    return f"{by} gave more time: the turn ends {until}."


def left(name: str, stand_in: bool) -> str:
    """A person has left a seat."""
    return (
        f"{name} has left the seat. {'A model takes over.' if stand_in else 'Nobody takes over: its turns are passed.'}"
    )


# ── consent ──────────────────────────────────────────────────────────────────────────────────────────────────────

AGREE, DECLINE = "I agree", "I do not agree"


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


SEND, DO_NOT_SEND = "Send it", "No, just talk"
NOT_SENT: Final = "Nothing was sent: your turn is still open."
NO_DRAFT: Final = "This is another member's message, or an older one: your last message is the one that counts."


def is_it_your_answer(what: str) -> str:
    """Asks under a member's message."""
    return f"Is this {what}? Nothing counts before you say so."


YES_SEND, EDIT = "Yes, send this", "Edit"


def prepared(what: str, draft: str) -> str:
    """A model's draft, before the member sends or changes it."""
    return f"**{what[:1].upper()}{what[1:]}**, drafted by a model. Is it what you want to say?\n{draft}"


AGREE_FIRST: Final = f"Press **{ANSWER}** once more: it shows what you have not agreed to yet. Nothing was stored."
NOT_AGREED: Final = "Nothing of yours is stored; you have left the seat."

# ── answers to a member alone ────────────────────────────────────────────────────────────────────────────────────

CONTINUE, CORRECT, LEAVE_SURE = "Continue", "Correct it", "Yes, for good"
SENT: Final = "Your answer is in."
PASSED: Final = "Passed: the debate goes on without an answer."
SURE_TO_LEAVE: Final = {
    True: "Leave the seat for good? You cannot come back to it in this debate.",
    False: "Take this person off the seat for good? Nobody can sit down there again in this debate.",
}
"""By whether the member asks."""
HAS_LEFT: Final = "You have left the seat."
TAKEN_OFF: Final = "The seat is free of its person now."
NOT_OPEN: Final = "This turn is over: nothing more can be sent for it."
BEING_READ: Final = "An answer to this turn is being taken in."
NO_DEADLINE: Final = "This turn has no end, so it needs no more time."
NO_SEAT: Final = "You sit on no seat of this debate."
FINISHED: Final = "This debate is over."


def not_yours(name: str) -> str:
    """Somebody else's turn."""
    return f"This turn is another member's ({name})."


def no_more_time(times: int) -> str:
    """Too many extensions."""
    return f"You have taken more time {times} times already: ask the moderator, who may still give more."


def more_time(until: str) -> str:
    """An extension."""
    return f"You have more time: the turn ends {until}."


def step_done(done: int, of: int) -> str:
    """Between the steps of a form."""
    return f"Step {done} of {of} is kept. Go on with the next."


def correct(problem: str) -> str:
    """An answer that is not of the asked form; what was typed is kept."""
    return f"Not yet: {problem}. What you wrote is kept."


ASKED_FILE: Final = "what-is-asked.md"
ASKED_AS_FILE: Final = "What you are asked is long, so it comes as a file."
PASSED_BY: Final = {True: "passed", False: "passed by the moderator"}
"""The reason in the log, by whether the member did it."""


def left_server(name: str, title: str, *, stand_in: bool) -> str:
    """Told to the moderator."""
    then = "a model takes over" if stand_in else "its turns are passed, so stop the debate if that is not what you want"
    return f"{name} left the server and so the seat in “{title}”: {then}."
