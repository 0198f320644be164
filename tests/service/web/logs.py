"""Logs of any form, in which every text is a word of its own, and who may read it is written down beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hypothesis import strategies as st

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import EVERYONE, MODERATOR, CallRecord, Event, Recorded, Seat, SessionStarted, now
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.prompts import Section
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.scenes.measures import Number
from tests.debate_engine.protocols.rulegen.stage import SECRETS, TARGET, TASTING
from tests.debate_engine.reports.debates import other, started

MODEL = "vendor:secret-model"
MEASURE = "measured_herding"
SUBJECT, CONFEDERATE, LEADER, JUDGE = "Ada", "Ben", "Cleo", "judge-1"


@dataclass
class Log:
    """Events in order. By seat: `heard` are the words that reached it, `asked` those of its own `turns`, by whose steps
    `rejected` says why answers could not be used. `outcome` is told at the end.
    """

    events: list[Recorded] = field(default_factory=list)
    heard: dict[str, set[str]] = field(default_factory=dict)
    asked: dict[str, set[str]] = field(default_factory=dict)
    turns: dict[str, set[str]] = field(default_factory=dict)
    rejected: dict[str, set[str]] = field(default_factory=dict)
    outcome: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)

    def word(self) -> str:
        """One that is nowhere else."""
        self.words.add(made := f"zq{len(self.words)}qz")
        return made

    def add(self, event: Event) -> None:
        self.events.append(Recorded(seq=len(self.events) + 1, at=now(), event=event))

    def heard_by(self, seat: str) -> set[str]:
        return self.heard.get(seat, set()) | self.public

    def asked_of(self, seat: str) -> set[str]:
        return self.asked.get(seat, set())

    def rejected_of(self, seat: str) -> set[str]:
        return {word for step in self.turns.get(seat, ()) for word in self.rejected.get(step, ())}


Happening = Callable[[Log, str, tuple[str, ...], str], None]
"""Adds an event: about a seat, to receivers, under a step."""


def says(log: Log, seat: str, to: tuple[str, ...], step: str) -> None:
    word = log.word()
    log.add(ev.Said(step=f"{step}/said", input_hash="", speaker=seat, to=to, text=word, about="opening"))
    log.said.add(word)
    for one in {seat, *to}:
        log.heard.setdefault(one, set()).add(word)
    if EVERYONE in to:
        log.public.add(word)


def call(log: Log) -> CallRecord:
    return CallRecord(model=MODEL, reply=log.word(), sent=(("user", log.word()),))


def works(log: Log, seat: str, _: tuple[str, ...], step: str) -> None:
    result = {"text": log.word(), "items": [log.word()]}
    log.add(ev.StepDone(step=step, input_hash="", inputs={"told": log.word()}, result=result, calls=(call(log),)))


def opens(log: Log, seat: str, _: tuple[str, ...], step: str) -> None:
    task, material = log.word(), log.word()
    schema = {"type": "object", "properties": {MEASURE: {"type": "integer", "description": (help_ := log.word())}}}
    ask = Ask(
        step=step, seat=seat, prompt_id=log.word(), prompt_hash="", role=log.word(), task=task, person="",
        material=(Section(title="", text=material),), answer_schema=schema,
    )  # fmt: skip
    log.add(
        ev.TurnOpened(step=step, seat=seat, asked=ask.model_dump(mode="json"), answer_schema=schema, calls=(call(log),))
    )
    log.asked.setdefault(seat, set()).update({task, material, help_})
    log.turns.setdefault(seat, set()).add(step)


def answers(log: Log, seat: str, _: tuple[str, ...], step: str) -> None:
    log.add(ev.TurnAnswered(step=step, seat=seat, by=log.word(), answer={MEASURE: log.word()}))


def rejects(log: Log, seat: str, _: tuple[str, ...], step: str) -> None:
    word = log.word()
    log.rejected.setdefault(step, set()).add(word)
    log.add(ev.AnswerRejected(step=step, answer_seq=1, reason=f"{MEASURE} must be a number, not {word}"))


def steers(log: Log, seat: str, to: tuple[str, ...], _: str) -> None:
    log.add(ev.Guidance(by=log.word(), to=to, text=log.word()))
    log.add(ev.Question(by=log.word(), to=seat, text=log.word()))


def leaves(log: Log, seat: str, _: tuple[str, ...], __: str) -> None:
    log.add(ev.SeatLeft(by=log.word(), seat=seat))
    log.add(ev.UnforeseenQuestion(by=log.word(), seat=seat, text=log.word()))
    log.add(ev.Voted(by=log.word(), when="after", side="pro"))


def fails(log: Log, _: str, __: tuple[str, ...], step: str) -> None:
    log.add(ev.CallFailed(step=step, model=MODEL, attempt=1, error="X", message=log.word(), call=call(log)))
    log.add(ev.PromptTrimmed(step=step, model=MODEL, left_out=(log.word(),), tokens_before=2, tokens_after=1))
    log.add(ev.SessionPaused(why="provider", reason=f"{MODEL} {log.word()}"))
    log.add(ev.SessionResumed())


def forgets(log: Log, seat: str, _: tuple[str, ...], __: str) -> None:
    log.add(ev.ForgetAsked(by=log.word(), seat=seat))
    log.add(ev.Redacted(seat=log.word(), strings=1))


HAPPENINGS: tuple[Happening, ...] = (
    says, says, says, works, opens, opens, answers, rejects, rejects, steers, leaves, fails, forgets,
)  # fmt: skip


def scene() -> SessionStarted:
    """With a subject, a leader and a judge who are people."""
    measured = TASTING.model_copy(update={"measures": (Number(name=MEASURE, ask="How many?"),)})
    cfg = SceneConfig(
        scene=measured, target=TARGET, people=(SUBJECT, LEADER), judges=(JUDGE,), human_judges=(JUDGE,),
        models={CONFEDERATE: MODEL},
    )  # fmt: skip
    specs = {SUBJECT: "human", CONFEDERATE: MODEL, LEADER: "human", JUDGE: "human"}
    return started().model_copy(
        update={
            "protocol": "rulegen",
            "title": "The tasting",
            "config": cfg.model_dump(mode="json"),
            "seats": tuple(Seat(name=name, spec=spec) for name, spec in specs.items()),
        }
    )


def debate() -> SessionStarted:
    """With a person on one side and among the judges."""
    first = started(specs={"pro": "human", "judge-1": "human", "con": MODEL, "crit": MODEL, "judge-2": MODEL})
    return first.model_copy(update={"config": {**first.config, "brief": SECRETS[1]}})


def sweep() -> SessionStarted:
    """Whose speeches the moderator alone hears, and whose presentation shows them to whoever looks."""
    return other("sweep")


SCENE_STEPS = ("rule/1/turn/1/stated", "consent/Ada", "consent/Ada/given", "rule/1/turn/1/plan", "evaluation/result")
DEBATE_STEPS = ("opening/pro", "round/1/con", "round/1/crit/quality", "judge-1-claims/topic/1", "agenda/approve")


@st.composite
def logs(draw: st.DrawFn, first: SessionStarted, steps: tuple[str, ...]) -> Log:
    """A beginning, and whatever may happen then."""
    log = Log()
    log.add(first)
    seats = [seat.name for seat in first.seats]
    receivers = st.lists(st.sampled_from([*seats, MODERATOR, EVERYONE]), min_size=1, max_size=3, unique=True)
    for _ in range(draw(st.integers(1, 25))):
        happening = draw(st.sampled_from(HAPPENINGS))
        happening(log, draw(st.sampled_from(seats)), tuple(draw(receivers)), draw(st.sampled_from(steps)))
    if draw(st.booleans()):
        log.outcome.add(word := log.word())
        log.add(ev.SessionFinished(outcome={"secret": word}))
    return log


def names_measure(text: str) -> bool:
    """Whether the name of a measure stands in a text, as it is written or as a label."""
    return MEASURE.replace("_", " ") in text.casefold().replace("_", " ")


def words_in(text: str, log: Log) -> set[str]:
    """The words of the log that stand in a text."""
    return {word for word in log.words if word in text}


def secrets_in(text: str) -> Iterator[str]:
    """What nobody but a moderator may read of a scene: its settings."""
    return (secret for secret in (*SECRETS, MODEL, "secret-model") if secret in text)
