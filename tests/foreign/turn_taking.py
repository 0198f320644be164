"""A protocol from outside, whole in one file: two seats take turns, and a judge names one of them."""

from typing import Any, Literal

from pydantic import BaseModel

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.protocols.spec import ProtocolSpec

SPEAK = Prompt.parse("---\nid: turns/speak\nvariables: [motion]\n---\n%% task\nSpeak on {{ motion | line }}.")
JUDGE = Prompt.parse(
    '---\nid: turns/judge\nvariables: [heard]\n---\n%% material "What was said" keep\n{{ heard | fenced }}\n'
    "%% task\nWho spoke better, first or second?"
)


class Config(BaseModel):
    motion: str


class Named(BaseModel):
    better: Literal["first", "second"]


async def take_turns(s: Any, config: dict[str, Any]) -> dict[str, Any]:
    for n in (1, 2):
        for seat in ("first", "second"):
            text = await s.ask(f"turn/{n}/{seat}", seat, SPEAK, motion=config["motion"])
            if not isinstance(text, Declined):  # a person may pass
                await s.say(f"turn/{n}/{seat}/said", seat, ["*"], text, f"turn {n}")
    heard = "\n".join(f"{said.speaker}: {said.text}" for said in s.heard_by("judge"))
    named = await s.ask("named", "judge", JUDGE, Named, heard=heard)
    return {"better": None if isinstance(named, Declined) else named.better}


SPEC = ProtocolSpec(
    name="turn-taking", run=take_turns, seats=("first", "second", "judge"), config=Config,
    step_words=[("^named$", "names the better one")],
    presentation=Presentation(
        summary=lambda view: [f"The judge named the {view.outcome['better']}."] if view.outcome else [],
        scores=Scores(
            [Column("session", "the session's id"), Column("better", "the seat that the judge named")],
            lambda view: [view.outcome] if view.outcome else [],
        ),
    ),
)  # fmt: skip
