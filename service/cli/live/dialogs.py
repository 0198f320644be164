"""What each key does: the moderator's commands, some after a short dialog. Pure: the terminal drives the generators."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import (
    CloseAsked,
    Command,
    HeatSet,
    PauseAsked,
    ResumeAsked,
    RoundAsked,
    UnforeseenQuestion,
    Withdrawn,
)  # fmt: skip
from elenchus.service.cli.show.terminal_view import TerminalView
from elenchus.service.lab import moderation

HEAT_STEP = 0.05


@dataclass(frozen=True, slots=True)
class Pick:
    """One key out of several; `choices` maps the key to what it means."""

    question: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """A line to be typed; `problem` says what was wrong with the last one."""

    question: str
    problem: str = ""


Dialog = Generator[Pick | Line, str, Command | None]
"""Yields what to ask, is sent the key or the line, returns the command to send (None: nothing)."""

_YES_OR_NO = {"y": "yes", "n": "no"}


def _at_once(command: Callable[[TerminalView, str], Command | None]) -> Callable[[TerminalView, str], Dialog]:
    """A dialog that asks nothing."""

    def dialog(terminal: TerminalView, by: str) -> Dialog:
        yield from ()
        return command(terminal, by)

    return dialog


def _changed_heat(terminal: TerminalView, by: str, step: float) -> HeatSet | None:
    """From what the next turn's will be; known at once, so that the next press counts from there."""
    try:
        command = moderation.heat_changed(terminal.moderated, by, step)
    except UsageError:
        return None
    terminal.moderated.wanted_heat = command.heat
    return command


def _asked(action: str, made: Callable[..., Command], *questions: str) -> Callable[[TerminalView, str], Dialog]:
    """A dialog that asks for the fields of an action in turn; a question may name what was given before."""

    def dialog(_terminal: TerminalView, by: str) -> Dialog:
        given: list[str] = []
        for field, question in zip(moderation.FORMS[action], questions, strict=True):
            if field.choices:
                given.append((yield Pick(question, {choice[0]: choice for choice in field.choices})))
            elif text := (yield from _line(question.format(*given))):
                given.append(text)
            else:
                return None
        return made(by, *given)

    return dialog


guide = _asked("guide", moderation.guidance, "Guidance to", "Guidance to {}")
ask = _asked("ask", moderation.question, "A question to", "Question to {}")
deepen = _asked("deepen", moderation.deepen, "Deepen the weakest reason of")


def stop(terminal: TerminalView, by: str) -> Dialog:
    """End the session for good."""
    if not (reason := (yield from _line("Stop for good, because (Esc: do not stop)"))):
        return None
    sure = yield Pick("Stop for good? Nobody can go on with it then.", _YES_OR_NO)
    return moderation.stop(by, reason) if sure == "yes" else None


def budget(terminal: TerminalView, by: str) -> Dialog:
    """New limits for what may be spent; a session that waits for it goes on."""
    problem = ""
    while True:
        typed = (yield Line("New budget: tokens, or dollars with a $ sign", problem)).strip()
        if not typed:
            return None
        try:
            return moderation.budget(by, usd=typed) if typed.startswith("$") else moderation.budget(by, tokens=typed)
        except UsageError:
            problem = f"{typed} is no amount; such as 200000, or $1.50 with a decimal point"


def ask_aside(terminal: TerminalView, by: str) -> Dialog:
    """A question of yours that nobody has asked for; the moderator's seat answers it."""
    seat = min(terminal.seats_here)
    text = yield from _line("Your question")
    return UnforeseenQuestion(by=by, seat=seat, text=text[:2_000]) if text else None


def withdraw(terminal: TerminalView, by: str) -> Dialog:
    """Stop taking part: what you wrote is removed, and you are told what it was about."""
    seat = min(terminal.seats_here)
    sure = yield Pick("Stop taking part, and have what you wrote removed?", _YES_OR_NO)
    return Withdrawn(by=by, seat=seat) if sure == "yes" else None


def _line(question: str) -> Generator[Pick | Line, str, str]:
    return (yield Line(question)).strip()


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """A key, its word for the foot of the view, what it does, its dialog; `action`: its name where it is another."""

    key: str
    word: str
    help: str
    dialog: Callable[[TerminalView, str], Dialog]
    action: str = ""


KEYS: tuple[KeyHelp, ...] = (
    KeyHelp("p", "pause", "Hold the session, or let it go on", _at_once(
        lambda terminal, by: ResumeAsked(by=by) if terminal.paused else PauseAsked(by=by)
    )),
    KeyHelp("+", "hotter", "More contentious from the next turn on", _at_once(
        lambda terminal, by: _changed_heat(terminal, by, +HEAT_STEP)
    )),
    KeyHelp("-", "cooler", "More conciliatory from the next turn on", _at_once(
        lambda terminal, by: _changed_heat(terminal, by, -HEAT_STEP)
    )),
    KeyHelp("g", "guide", "Words to one side or both, heard before the next turn", guide),
    KeyHelp("a", "ask", "A question to one side, answered in its next turn", ask),
    KeyHelp("d", "deepen", "Have one side deepen its weakest reason", deepen),
    KeyHelp("r", "round", "Another round although the loop would stop", _at_once(
        lambda _, by: RoundAsked(by=by)
    )),
    KeyHelp("c", "closing", "The closings after this round", _at_once(lambda _, by: CloseAsked(by=by)), "close"),
    KeyHelp("b", "budget", "New limits for what may be spent; a session that waits for it goes on", budget),
    KeyHelp("s", "stop", "End the session for good", stop),
)  # fmt: skip


_OF_PEOPLE = (
    KeyHelp("a", "ask", "A question of yours that nobody has asked for; the moderator's seat answers it", ask_aside),
    KeyHelp("w", "withdraw", "Stop taking part: what you wrote is removed, and you are told what it was about",
            withdraw),
)  # fmt: skip
"""The keys of who plays in a scene; all others are the moderator's."""


def keys_for(terminal: TerminalView) -> list[KeyHelp]:
    """The keys that mean something in this session."""
    if terminal.is_played_here:
        return [key for key in _OF_PEOPLE if key.key != "a" or not terminal.debriefed]
    if not terminal.moderates:
        return []
    allowed = terminal.moderated.allowed
    return [key for key in KEYS if (key.action or key.word) in allowed or (key.key == "p" and "resume" in allowed)]
