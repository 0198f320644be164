"""The open turns of the people at this terminal, taken up one after the other. Pure: text in, events out."""

from __future__ import annotations

import dataclasses
import getpass
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import (
    AnswerRejected,
    Recorded,
    SessionStarted,
    StepDone,
    TurnAnswered,
    TurnOpened,
    UnforeseenQuestion,
    Withdrawn,
)
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.service.cli.forms import Form, Prompt, form_of, text_form
from elenchus.service.lab.forms import numbers_understood

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.spec import ProtocolSpec
    from elenchus.service.app import App

PASS = "/pass"  # noqa: S105 - a word to type, not a password
"""Typed in place of an answer (a reason may follow): no answer to this turn."""
ASK, WITHDRAW, HELP = "/ask", "/withdraw", "/help"
"""Typed at any moment by people in a scene: a question that no rule foresees; to stop taking part; help."""
SCENE_HELP = (
    f"{ASK} and a question asks whoever leads the scene; {PASS} leaves a question out; "
    f"{WITHDRAW} stops, at any moment and without a reason"
)

FromHere = TurnAnswered | UnforeseenQuestion | Withdrawn
"""What people at this terminal send."""


@dataclass
class Turn:
    """One open turn with its form; `field` is what is to be typed now.

    `given` are the fields that were typed, each under its label. `shown`, `prompted` and `lines` belong to whoever
    shows it: what was shown, and the lines typed so far. `decides`: whether one takes part is asked. `in_scene`: names
    of measures, which tell what is looked for, are not shown.
    """

    step: str
    seat: str
    ask: Ask
    form: Form[Any]
    field: Prompt
    given: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    shown: bool = False
    prompted: str = ""
    lines: list[str] = dataclasses.field(default_factory=list)
    decides: bool = False
    in_scene: bool = False

    @property
    def label(self) -> str:
        """What is to be typed now."""
        return "your answer" if self.in_scene and self.field.hint else self.field.label

    @property
    def hint(self) -> str:
        """What it is, and what is taken; of the consent, which stands above in whole, what is taken."""
        hint = self.field.hint
        return hint[hint.find("(") :] if self.decides and "(" in hint else hint

    def unsent(self, now: str) -> str:
        """What was typed for it and is not sent, `now` being that for the current field; "" for nothing."""
        typed = [f"{label}: {text.strip()}" for label, text in [*self.given, (self.label, now)] if text.strip()]
        return "\n".join(["not sent, and not kept; you had typed:", *typed]) if typed else ""


@dataclass
class OpenTurns:
    """Turns that wait for an answer here, oldest first. `seats` None: every seat's turns.

    `elsewhere`: another process runs the session, so that whoever leaves here leaves their turn open. `understood`: the
    numbers of the last answer, where they can be misread.
    """

    seats: frozenset[str] | None
    by: str = ""
    in_scene: bool = False
    elsewhere: bool = False
    understood: str = ""
    waiting: dict[str, Turn] = field(default_factory=dict)
    _opened: dict[str, TurnOpened] = field(default_factory=dict)
    _spec: ProtocolSpec | None = None

    def __post_init__(self) -> None:
        """Whoever gives no name goes by the login."""
        self.by = self.by or login_name()

    @property
    def current(self) -> Turn | None:
        """The turn to be answered now."""
        return next(iter(self.waiting.values()), None)

    def take_all(self, recorded: Iterable[Recorded]) -> None:
        """Take events in order."""
        for r in recorded:
            self.take(r)

    def take(self, r: Recorded) -> None:
        """Take one event: a turn opens, is answered here or elsewhere, or its answer could not be used."""
        match r.event:
            case SessionStarted(protocol=protocol, config=config):
                judging = set(config.get("judges", ()))
                self._spec = spec_or_default(protocol)
                self.in_scene = self._spec.has_subjects and (self.seats is None or bool(self.seats - judging))
            case TurnOpened(step=step, seat=seat) if self.seats is None or seat in self.seats:
                self._opened[step] = r.event
                self._open(r.event)
            case TurnAnswered(step=step):
                self.waiting.pop(step, None)
            case StepDone(step=step):
                self.waiting.pop(step, None)
                self._opened.pop(step, None)
            case AnswerRejected(step=step, reason=reason) if step in self._opened:
                self._open(self._opened[step], f"that could not be used: {reason}")

    def _open(self, event: TurnOpened, problem: str = "") -> None:
        ask = Ask.model_validate(event.asked)
        schema = ask.answer_schema
        form = form_of(schema, topics=ask.topics) if schema else text_form("your words", ask.most_words)
        first = next(form)
        shown = Prompt(first.label, first.hint, first.multiline, problem or first.problem)
        decides = self._spec is not None and self._spec.is_decision(event.step)
        self.waiting[event.step] = Turn(
            event.step, event.seat, ask, form, shown, decides=decides, in_scene=self.in_scene
        )

    def is_command(self, line: str) -> bool:
        """Whether a line is no part of an answer."""
        return _parts(line)[0] == PASS or self.is_scene_command(line)

    def is_scene_command(self, line: str) -> bool:
        """Whether a line is what people in a scene may say at any moment, also without an open turn."""
        return self.in_scene and _parts(line)[0] in (ASK, WITHDRAW, HELP)

    def aside(self, line: str) -> UnforeseenQuestion | Withdrawn | None:
        """What such a line sends; None where it asks nothing, or nobody can tell whose it is."""
        seats = sorted(self.seats or ())
        seat = self.current.seat if self.current else seats[0] if len(seats) == 1 else ""
        word, question = _parts(line)
        if not seat:
            return None
        if word == WITHDRAW:
            return Withdrawn(by=self.by, seat=seat)
        question = "" if word == HELP else question
        return UnforeseenQuestion(by=self.by, seat=seat, text=question[:2_000]) if question else None

    def enter(self, text: str) -> FromHere | None:
        """What was typed for the current field; the answer when it was the last one, or what was said beside it."""
        turn = self.current
        assert turn is not None, "somebody types while a turn is open"
        if self.is_scene_command(text):
            return self.aside(text)
        word, reason = _parts(text)
        if word == PASS:
            return self._done(turn, declined=reason or "passed")
        label = turn.label
        try:
            turn.field = turn.form.send(text)
        except StopIteration as done:
            return self._done(turn, answer=done.value)
        if not turn.field.problem:
            turn.given.append((label, text))
        return None

    def _done(self, turn: Turn, answer: Any = None, declined: str | None = None) -> TurnAnswered:
        self.waiting.pop(turn.step, None)
        self.understood = numbers_understood(turn.ask.answer_schema, answer)
        return TurnAnswered(
            step=turn.step, seat=turn.seat, by=self.by, answer=answer, declined=declined, via="terminal"
        )


def _parts(line: str) -> tuple[str, str]:
    """The first word of what was typed, and the rest, whatever space stands between them."""
    word, *rest = line.split(maxsplit=1) or ("",)
    return word, rest[0].strip() if rest else ""


def login_name() -> str:
    """The name under which this terminal's person stands in the log."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "terminal"


async def name_in(app: App, session: str, started: SessionStarted, name: str = "") -> str:
    """The person's own name (default: the login); in a scene the pseudonym, so that the log holds no account.

    A scene expects who sits at its terminal from its beginning, whoever resumes it.
    """
    if not spec_or_default(started.protocol).has_subjects:
        return name or login_name()
    if not name and (expected := await expected_here(app, session, started)):
        return expected
    return await app.pseudonyms.of(name or login_name(), session)


async def expected_here(app: App, session: str, started: SessionStarted) -> str:
    """The pseudonym of who sits at the terminal of a scene that is not over, "" where nobody knows."""
    specs = {seat.spec for seat in started.seats}
    expected = (await app.pseudonyms.expected()).get(session, ())
    return next((name for name in expected if f"{HUMAN}:{name}" not in specs), "")
