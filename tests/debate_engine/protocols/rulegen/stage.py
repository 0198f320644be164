"""A stage for the tests: whole scenes over a log in memory, a scripted model on every seat that is no person's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Event, Seat, SessionStarted, StepDone, TurnAnswered, TurnOpened
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Ask, Participant
from elenchus.debate_engine.protocols.rulegen.assignment import Allocation, FirstPlace
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, Target
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.protocols.rulegen.protocol import rulegen
from elenchus.debate_engine.retrieval import Retriever, WordOverlap
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.scenes.scene import Role, Rule, Scene
from elenchus.debate_engine.session import Session
from elenchus.service.app import seat_maker
from tests.debate_engine.scripted_session import Answer, ScriptedSession, Sending, Written, shown, written

__all__ = ["Answer", "Stage", "Written", "shown"]

ADA = Role(name="Ada", kind="subject", background="You live on the ground floor.", task="Say which tea you would take.")
BEN = Role(
    name="Ben", kind="confederate", background="You tasted both before.", task="Praise the green tea.", style="brash"
)  # fmt: skip
CLEO = Role(name="Cleo", kind="moderator", background="You organise the party.", task="Take no side.")
SECRETS = ("WHY-THE-SCENE-IS", "WHERE-IT-PLAYS", "HOW-IT-IS-SEEN", "TOLD-AFTERWARDS", "Herd Following", "one does as")
TARGET = Target(name="Herd Following", definition="one does as others do", elements=("a choice that changes",))


def scene(*rules: Rule, roles: tuple[Role, ...] = (ADA, BEN, CLEO)) -> Scene:
    """A tasting of teas whose secret texts can be searched for."""
    return Scene(
        title="The tasting",
        bias="bandwagon-effect",
        purpose=SECRETS[0],
        background=SECRETS[1],
        observation=SECRETS[2],
        debrief=SECRETS[3],
        roles=roles,
        rules=rules,
    )


SYS = Rule(mode="self-receiving", purpose="SYS", initiator="system", receivers=("Ada",), message="Two teas stand here.")
WELCOME = Rule(mode="broadcast", purpose="ADV", initiator="Cleo", receivers=("Ada", "Ben"), content="welcomes them")
ASKS = Rule(mode="unicast", purpose="FTO", initiator="Cleo", receivers=("Ada",), content="asks which tea she takes")
NAMES = Rule(mode="unicast", purpose="FEL", initiator="Ada", receivers=("Cleo",), content="names her tea")
TELLS = Rule(
    mode="multicast", purpose="PAS", initiator="Ben", receivers=("Ada", "Cleo"), content="tells who took green"
)
TASTING = scene(SYS, WELCOME, ASKS, NAMES, TELLS)

FINE: dict[str, Any] = {"what": "Nothing departs.", "why": "It is fine.", "deviation": "none", "steps": []}
OFF: dict[str, Any] = {
    "what": "It is about coffee.",
    "why": "The rule is about tea.",
    "deviation": "micro",
    "steps": ["Speak of tea."],
}
NO: dict[str, Any] = {"reason": "Nothing changed.", "quotes": [], "present": "no"}
PLAIN: dict[str, Answer] = {
    "rulegen/plan": lambda call: f"planned at {call.step}",
    "rulegen/answer": lambda call: f"words of {call.step}",
    "rulegen/reflect": lambda call: f"reflected at {call.step}",
    "rulegen/remember": lambda call: f"remembered at {call.step}",
    "rulegen/applies": {"reason": "It does.", "applies": True},
    "rulegen/supervise": FINE,
    "rulegen/evaluate": NO,
}
"""What the models answer unless a test says otherwise; texts name their step, so that their way can be seen."""


class Stage(ScriptedSession):
    """A scene to play and to look at. `answers` go by prompt or by step; `people` answer by seat."""

    package = "rulegen"
    context_tokens: int | None = None
    consenting = "yes"

    def __init__(
        self,
        played: Scene = TASTING,
        answers: Mapping[str, Answer] | None = None,
        *,
        people: dict[str, Callable[[Ask], Any]] | None = None,
        recall: Retriever | None = None,
        target: Target | None = TARGET,
        seed: int = 1,
        lots: Allocation | None = None,
        **settings: Any,
    ) -> None:
        self.people, self.seed, self.lots = people or {}, seed, lots or FirstPlace()
        self.cfg = SceneConfig(scene=played, target=target, people=tuple(self.people), **settings)
        self.answers: dict[str, Answer] = {**PLAIN, **(answers or {})}
        self.log = MemoryLog()
        self.commands: dict[str, list[Event]] = {}
        self.client = ScriptedClient(Script(), self._answer)
        self.registry = Registry(Settings(home=Path("unused")), {"stage": self.client})
        self.recall = recall or WordOverlap()

    def _answer(self, call: Call) -> Written:
        return written(self.answers.get(call.step, self.answers.get(call.prompt_id)), call)

    def runner(self) -> Runner:
        """Who runs the scene."""
        model = replace(self.registry.model("scripted:stage"), limits=Limits(concurrency=500, attempts=1))
        if self.context_tokens is not None:
            model = replace(model, info=model.info.model_copy(update={"context": self.context_tokens}))
        people = seat_maker(self.registry)

        def make_seat(seat: Seat, room: RunContext) -> Participant:
            if seat.spec.startswith(HUMAN):
                return people(seat, room)
            return Sending(ModelSeat(room, model, Persona(seat.name)), self.log, self.commands)

        async def play(session: Session, config: dict[str, Any]) -> dict[str, Any]:
            return await rulegen(session, config, self.recall, self.lots)

        return Runner(self.log, {"rulegen": play}, make_seat)

    async def run(self) -> Run:
        """Play the scene, or go on with it."""
        await self.make()
        helper = asyncio.create_task(self._people())
        try:
            return await self.run_by(self.runner())
        finally:
            helper.cancel()
            await asyncio.gather(helper, return_exceptions=True)

    async def _people(self) -> None:
        """Everybody's people at another front end."""
        async for r in self.log.follow("s"):
            if isinstance(r.event, TurnOpened) and (person := self.people.get(r.event.seat)):
                asked = Ask.model_validate(r.event.asked)
                given = self._decided(asked) or person(asked)
                await self.log.send(
                    "s", TurnAnswered(step=r.event.step, seat=r.event.seat, by="bo", answer=given, via="terminal")
                )

    def _decided(self, asked: Ask) -> dict[str, str]:
        """Everybody is old enough, and lets it be kept; nothing for another question than these and the consent."""
        decisions = {"rulegen/consent": self.consenting, "rulegen/age": "yes", "rulegen/keep": "yes"}
        return {"agreed": decisions[asked.prompt_id]} if asked.prompt_id in decisions else {}

    def started(self) -> SessionStarted:
        names = [role.name for role in self.cfg.scene.roles] + ["system", *self.cfg.judges]
        seats = tuple(Seat(name=n, spec="human:bo" if n in self.people else "scripted:stage") for n in names)
        return SessionStarted(
            protocol="rulegen",
            title="t",
            config=self.cfg.model_dump(mode="json"),
            seats=seats,
            seed=self.seed,
            version="0",
        )

    async def played(self) -> Played:
        """The outcome of the whole scene."""
        run = await self.run()
        assert run.state == "finished", run.reason
        return Played.model_validate(run.outcome)

    # ── what happened ────────────────────────────────────────────────────────────────────────────────────────────

    async def asks(self) -> list[Ask]:
        """Everything that any seat was asked, as the log has it."""
        steps = [r.event for r in await self.log.read("s") if isinstance(r.event, StepDone)]
        return [
            Ask.model_validate(done.inputs) for done in steps if isinstance(done.inputs, dict) and "seat" in done.inputs
        ]
