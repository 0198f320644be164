"""Whole logs for the tests of reports: the real protocol over a log in memory, with seats that answer from a table."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.dry_run.stubs import SchemaFiller
from elenchus.debate_engine.errors import ProviderBusy
from elenchus.debate_engine.events import CallFailed, CallRecord, Event, PromptTrimmed, Recorded, Seat, SessionStarted
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.protocols.crit.document import crit_document
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of
from elenchus.debate_engine.protocols.socrasynth.protocol import socrasynth
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.protocols.sweep.protocol import sweep
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.runner import Runner

MOTION = "Cities should close their centres to private cars"
TOPICS = (
    Topic(pro_concern="Clean air", con_concern="Shops' income", scope="What closing does to the air and to trade."),
    Topic(pro_concern="Safe streets", con_concern="Free choice", scope="Accidents, and who decides how to travel."),
)
SEATS = ("pro", "con", "crit", "judge-1", "judge-2", "judge-3", "answerer", "moderator")

Answers = Callable[[Ask], Any]
"""What a seat answers to an ask; a Declined declines it."""


@dataclass
class TableSeat:
    """Answers from a function, with a call record for each answer; every `shaky`-th call fails once before it."""

    room: RunContext
    seat: Seat
    answers: Answers
    shaky: int = 0
    calls: list[int] = field(default_factory=lambda: [0])

    async def answer(self, ask: Ask) -> Answer | Declined:
        self.calls[0] += 1
        if self.shaky and self.calls[0] % self.shaky == 0:
            error = ProviderBusy("429: too many requests")
            await self.room.note(
                CallFailed(
                    step=ask.step, model=self.seat.spec, attempt=1, error=type(error).__name__, message=str(error),
                    retry_in=1.5,
                )
            )  # fmt: skip
        value = self.answers(ask)
        call = CallRecord(
            model=self.seat.spec, reported_model="table-1", prompt_id=ask.prompt_id, prompt_hash=ask.prompt_hash,
            reply=str(value), input_tokens=len(ask.text) // 4, output_tokens=len(str(value)) // 4, cost_usd=0.0001,
            seconds=0.25, temperature=ask.temperature, outcome="ok",
        )  # fmt: skip
        if isinstance(value, Declined):
            return Declined(value.reason, (call,))
        trimmed = None
        if ask.prompt_id == "socrasynth/closing" and self.shaky:
            trimmed = PromptTrimmed(
                step=ask.step, model=self.seat.spec, left_out=("Your opponent's speeches (summarised)",),
                tokens_before=3000, tokens_after=1800,
            )  # fmt: skip
        return Answer(value, (call,), trimmed)

    def most(self, ask: Ask) -> tuple[int, float]:
        return 10, 0.0001


def table(ask: Ask) -> Any:
    """A sensible answer to everything that a debate asks, the same for the same step."""
    chance = random.Random(ask.step)

    def score() -> int:
        return chance.randint(4, 9)

    makers: dict[str, Callable[[], Any]] = {
        "Proposals": lambda: {"topics": [t.model_dump() for t in TOPICS]},
        "AgendaReview": lambda: {"topics": []},
        "AgendaChoice": lambda: {"keep": [1, 2]},
        "FurtherArguments": lambda: {"more": True, "what": "costs"},
        "FoundReasons": lambda: {
            "reasons": [
                {"topic": n, "quote": f"point {n}", "reason": f"Reason {n} in {ask.step}",
                 "source": "Institute of Streets" if n == 1 else ""}
                for n in (1, 2)
            ]
        },
        "Validation": lambda: {
            "justification": "It bears on the claim.", "quotes": [], "validity": score(), "credibility": score(),
        },
        "Analysis": lambda: {"how": "By four reasons.", "holds": "In dense cities.", "fails": "In villages."},
        "Ruling": lambda: {
            "rationale": "A was clearer.", "a_validity": score(), "a_credibility": score(), "b_validity": score(),
            "b_credibility": score(), "winner": "A",
        },
        "ProposalDraft": lambda: {"items": [{"number": n, "proposal": f"Try it on Sundays ({n})."} for n in (1, 2)]},
        "ProposalReviews": lambda: {
            "items": [
                {"number": 1, "decision": "sign", "proposal": ""},
                {"number": 2, "decision": "amend", "proposal": f"Only in summer, says {ask.seat}."},
            ]
        },
        "Preference": lambda: {
            "rationale": "More depth.", "first_depth": score(), "first_balance": score(), "first_accuracy": score(),
            "second_depth": score(), "second_balance": score(), "second_accuracy": score(), "preferred": "first",
        },
        "OpenAnswer": lambda: {
            "answer": f"The answer of {ask.seat}", "reasons": ["because"], "questions": ["since when?"],
            "tests": ["a blood test"], "confidence": 60,
        },
        "Position": lambda: {
            "more": True, "stance": "concede" if (ask.seat, "round/2" in ask.step) == ("con", True) else "hold",
            "answer": "same",
        },
        "Recommendations": lambda: {
            "answer": "Rest", "next_questions": ["fever?"], "next_tests": ["a blood count"], "reservations": "few",
        },
    }  # fmt: skip
    if ask.answer_schema:
        make = makers.get(ask.schema_name)
        return make() if make else SchemaFiller().fill(ask.answer_schema)
    return "\n\n".join(f"## {n}. {t.title}\nThis is point {n} of {ask.step}." for n, t in enumerate(TOPICS, 1))


def started(titles: dict[str, str] | None = None, specs: dict[str, str] | None = None, **config: Any) -> SessionStarted:
    """The first event of a debate on the scripted model."""
    cfg = DebateConfig.model_validate(
        {"motion": MOTION, "topics": 2, "max_rounds": 2, "judges": ("judge-1", "judge-2", "judge-3"), **config}
    )
    seats = tuple(
        Seat(name=name, spec=(specs or {}).get(name, "scripted:table"), title=(titles or {}).get(name, ""))
        for name in SEATS
    )
    return SessionStarted(
        protocol="socrasynth", title=cfg.motion, config=cfg.model_dump(mode="json"), seats=seats, seed=7,
        temperature=0.7, version="0.1.0",
    )  # fmt: skip


def other(protocol: str, **config: Any) -> SessionStarted:
    """The first event of a session that is no debate."""
    return started().model_copy(update={"protocol": protocol, "title": MOTION, "config": config})


async def debated(
    first: SessionStarted | None = None,
    answers: Answers = table,
    before: Sequence[Event] = (),
    shaky: int = 0,
    session_id: str = "demo",
) -> list[Recorded]:
    """The log of a whole debate; `before` are commands that lie in the log when it begins."""
    log = MemoryLog()
    calls = [0]
    protocols = {"socrasynth": socrasynth, "crit": crit_document, "sweep": sweep}

    def make_seat(seat: Seat, room: RunContext) -> Participant:
        return TableSeat(room, seat, answers, shaky, calls)

    runner = Runner(log, protocols, make_seat)
    await runner.create(first or started(), session_id)
    for event in before:
        await log.send(session_id, event)
    await runner.run(session_id)
    return await log.read(session_id)


# ── hostile words ────────────────────────────────────────────────────────────────────────────────────────────────

_CHOICES = {"verdict", "winner", "decision", "stance", "preferred"}
PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![pixel](https://tracker.example/p.png)",
    "[click](javascript:alert(1))",
    "<javascript:alert(1)>",
    "\\<b>bold\\</b>",
    "[ref]: https://tracker.example 'x'",
    "</style><style>body{display:none}</style>",
    "{{ 7 * 7 }} {% raw %}",
    "a | b || c",
    "```\nfence",
    "~~~\nfence",
    "# heading",
    "> quote",
    "---",
    "$\\frac{",
    "=HYPERLINK(\"https://tracker.example\")",
    "\u202eesrever\u0007",
    "&lt;script&gt; &#60;script&#62;",
    "\" onmouseover=\"alert(1)",
)  # fmt: skip


def hostile_text(around: str) -> str:
    """Every payload, on lines of their own."""
    return "\n".join([around, *PAYLOADS, around])


def hostile(ask: Ask) -> Any:
    """The table's answers with every text turned into an attack: a speech into all of them, any other into one."""
    chance = random.Random(ask.step)

    def turned(value: Any, key: str = "") -> Any:
        match value:
            case str() if not ask.schema_name:
                return hostile_text(value)
            case str():
                return value if key in _CHOICES else f"{chance.choice(PAYLOADS)} {value}".ljust(20, ".")[:100]
            case list():
                return [turned(item) for item in value]
            case dict():
                return {k: turned(item, k) for k, item in value.items()}
        return value

    return turned(table(ask))


def failing(*seats: str) -> Answers:
    """The table's answers, but these seats give no readable answer to anything asked by schema."""
    return lambda ask: Declined("unreadable after one repair") if ask.seat in seats and ask.schema_name else table(ask)


def debate_in(view: SessionView) -> DebateProjection:
    """The debate that a view shows."""
    debate = debate_of(view)
    assert debate is not None
    return debate
