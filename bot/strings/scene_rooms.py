"""What the control room of a scene says beside what is said in it. Names and texts passed in are safe already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

EVERYBODY: Final = "everybody"
A_PERSON: Final = "somebody whose name is forgotten"
LONGER, SKIP, TAKE_OFF = "More time", "Skip the turn", "Take off the seat"

CONDITIONS: Final[Mapping[str, str]] = {"treatment": "treatment", "control": "control (the neutral twin)"}


def listed(names: Sequence[str]) -> str:
    """Names in a row."""
    return ", ".join(names)


def subject(number: int) -> str:
    """Whose scene."""
    return f"subject {number}"


def condition(name: str) -> str:
    """Which version."""
    return CONDITIONS.get(name, "one version only")


def opened(condition: str, seats: str) -> str:
    """A subject's scene begins."""
    return f"**A scene begins** · {condition}\n{seats}\n-# The subject is told neither the version nor who is a model."


def seat(name: str, player: str) -> str:
    """Who sits where."""
    return f"{name}: {player}"


# ── what is said ─────────────────────────────────────────────────────────────────────────────────────────────────

NOTE: Final = "The supervisor's note"
ABOUT: Final[Mapping[str, str]] = {"debrief": "what the scene was about", "ending": "that the scene ends here"}


def system(text: str) -> str:
    """A message of the system."""
    return "📄 " + "\n".join(f"> {line}" for line in text.split("\n")).removeprefix("> ")


def was_told(to: str, what: str) -> str:
    """The debrief, or kind words: their text is in the seat's thread."""
    return f"{to} was told {what}."


def rule(number: int) -> str:
    """Under which rule."""
    return f"rule {number}"


# ── turns ────────────────────────────────────────────────────────────────────────────────────────────────────────

AGREEMENT: Final = "agreement to take part"
JUDGEMENT: Final = "a judgement of the record"
QUESTION: Final = "an answer to a question that no rule foresees"
SHORTENED: Final = "It was cut to the longest reply that is allowed."


def waits(who: str, what: str, until: str) -> str:
    """A person is asked."""
    return f"⏳ Waiting for {who}: {what}{f' · ends {until}' if until else ''}"


def turn_about(rule: int, what: str) -> str:
    """A turn under a rule."""
    return f"rule {rule}, {what}"


def reminded(who: str, until: str) -> str:
    """A reminder went out."""
    return f"{who} was reminded: the turn ends {until}."


def extended(by: str, seat: str, until: str) -> str:
    """More time."""
    return f"{by} gave {seat or 'the turn'} more time: it ends {until}."


def left(seat: str) -> str:
    """Somebody is gone."""
    return f"{seat} has left the seat."


def withdrawn(seat: str) -> str:
    """A subject stops."""
    return f"{seat} has withdrawn: what was said on this seat is being removed."


def word_given(by: str, to: str, text: str) -> str:
    """Words from outside, heard before the next turn."""
    return f"{by} lets {to} hear before the next turn: {text}"


def closing(by: str) -> str:
    """The end was asked for."""
    return f"{by} ends the scene kindly."


RESUMED_NOTE: Final = "▶ The scene goes on."


def consented(seat: str, *, agreed: bool) -> str:
    """A decision on taking part."""
    return f"{seat} agrees to take part." if agreed else f"{seat} does not agree to take part."


def turn(rule: int, speaker: str) -> str:
    """Over what came before a reply."""
    return f"Rule {rule} · {speaker}"


def sent_back(n: int) -> str:
    """A reply that nobody heard."""
    return f"Reply {n}, sent back and heard by nobody"


def why(level: str, by: str, what: str, reason: str) -> str:
    """A deviation."""
    return f"*Deviation ({level}, seen by the {by}):* {' '.join(part for part in (what, reason) if part)}"


def silent(speaker: str, reason: str) -> str:
    """Nothing was said."""
    return f"{speaker} says nothing: {reason}"


def unchecked(reason: str) -> str:
    """The supervisor could not look."""
    return f"Not looked at by the supervisor: {reason}"


# ── results and the end ──────────────────────────────────────────────────────────────────────────────────────────

VERDICTS: Final[Mapping[str, str]] = {
    "present": "present", "absent": "not present", "undecided": "undecided", "unread": "could not be read",
    "unfounded": "no verdict, a yes without the subject's own words",
}  # fmt: skip


def evaluated(bias: str) -> str:
    """Over the judges' findings."""
    return f"The judges: {bias}"


def verdict(subject: str, found: str, yes: int, no: int, unread: int, unfounded: int, misquoted: int) -> str:
    """What the judges say of a subject."""
    rest = [
        f"{unread} unreadable" if unread else "",
        f"{unfounded} unfounded" if unfounded else "",
        f"{misquoted} misquoted" if misquoted else "",
    ]
    return f"**{subject}: {VERDICTS[found]}** · {', '.join([f'{yes} yes', f'{no} no', *filter(None, rest)])}"


def opinion(judge: str, subject: str, present: bool | None, *, unfounded: bool) -> str:
    """One judge."""
    answer = "–" if present is None else "yes, but unfounded" if unfounded else "yes" if present else "no"
    return f"{judge} on {subject}: {answer}"


def unread(why: str) -> str:
    """No readable answer: no verdict, never a no."""
    return f"no verdict: {why}"


FINISHED: Final = "**✔ The scene is played.**"
ENDED_EARLY: Final[Mapping[str, str]] = {
    "no consent": "**⏹ Not played:** somebody did not agree to take part.",
    "withdrawn": "**⏹ Ended:** the subject has withdrawn. The run counts nowhere.",
    "vanished": "**⏹ Ended:** the subject is gone. The run counts nowhere.",
    "closed": "**⏹ Ended early** by whoever runs it, with the debrief. The run counts nowhere.",
}


def ended(why: str) -> str:
    """Ended for another reason."""
    return f"**⏹ Ended:** {why}."


def stopped(by: str, reason: str) -> str:
    """Stopped."""
    return f"**⏹ Stopped** by {by}: {reason}"


def failed(reason: str) -> str:
    """Broke off."""
    return f"**⚠ The scene broke off:** {reason}"


# ── the panel ────────────────────────────────────────────────────────────────────────────────────────────────────

BUTTONS: Final[Mapping[str, str]] = {
    "pause": "Pause", "resume": "Resume", "word": "A word to…", "status": "Status", "close": "End kindly…",
    "results": "Results", "place": "Open a place",
}  # fmt: skip
STATES: Final[Mapping[str, str]] = {
    "running": "▶ Running", "paused": "⏸ Paused", "finished": "✔ Finished", "stopped": "⏹ Stopped",
    "failed": "⚠ Broke off",
}  # fmt: skip
ASKED: Final = "Pauses before the next step."
RULE, WAITING, SPENT = "Rule", "Waiting for", "Spent"
MODELS: Final = "the models"


def panel_title(number: int, condition: str) -> str:
    """Over the panel of one subject's scene."""
    return f"Subject {number} · {condition}"


def at_rule(rule: int, of: int) -> str:
    """How far it is."""
    return f"{rule} of {of}" if rule else f"not begun, {of} in all"


def footer(session: str) -> str:
    """Under the panel."""
    return f"session {session}"


# ── answers to whoever runs it ───────────────────────────────────────────────────────────────────────────────────

PAUSING: Final = "It pauses before the next step."
PAUSED_ALREADY: Final = "It is not running."
RESUMED: Final = "It goes on."
CLOSE_SURE: Final = "Yes, end it"
SURE_TO_CLOSE: Final = "End this subject's scene now, with kind words and the debrief? The run will count nowhere."
CLOSING: Final = "It ends kindly."
PLACE_OPENED: Final = (
    "One more may take part, in the version that was drawn for this place: an invitation stands in the channel."
)
PLACE_THERE: Final = "This place was offered again already."
PLACE_COUNTS: Final = "This subject's scene is not over, or it counts: there is no place to give again."
IS_OVER: Final = "It is over."
WORD_TITLE: Final = "A word to somebody in the scene"
WORD_TO: Final = "To whom"
WORD_TEXT: Final = "What they hear before their next turn"
WORD_SENT: Final = "It is heard before the next turn, and stands in the record."
NO_WORDS: Final = "Write what is to be said."
WHY_PAUSED: Final = "whoever runs the scene pauses it"
YOU_ARE_THE_SUBJECT: Final = "You are the subject of this scene: nobody steers it from that seat."


def says(name: str, text: str) -> str:
    """What somebody says, in a message of the bot's own."""
    return f"**{name}:** {text}"
