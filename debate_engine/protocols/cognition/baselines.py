"""What CogGPT is compared with: the paper's three baselines, and two controls that it lacks.

The baselines have the initial profile and the current flow only. ReAct is told how people took its last answer, and
Reflexion reflects on that before it answers; where nobody has rated there is nothing to tell. *No information* has the
profile alone, and is asked anew in each iteration, so that what changes is chance. *Everything in the prompt* has the
initial profile and all texts so far, as far as the model's context goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, prompts_of
from elenchus.debate_engine.protocols.cognition.config import CognitionConfig
from elenchus.debate_engine.protocols.cognition.interpretation import rated
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.schemas import Feedback, Flow, Mind, RatedOpinion
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")


@dataclass(frozen=True, slots=True)
class _Asking:
    """Rates each opinion by a prompt of its own. The profile is the initial one, and stays so."""

    cfg: CognitionConfig

    async def answered(
        self, s: Session, mind: Mind, flow: Flow | None, questionnaire: Sequence[str], iteration: int
    ) -> tuple[Mind, tuple[RatedOpinion, ...]]:
        """An answer to each question, all side by side. Step keys: `answer/1`, `answer/2` and so on."""
        asked = (self._rated(s, n, question, mind, flow) for n, question in enumerate(questionnaire, 1))
        return mind, await together(*asked)

    async def _rated(self, s: Session, n: int, question: str, mind: Mind, flow: Flow | None) -> RatedOpinion:
        raise NotImplementedError

    async def _by(self, s: Session, n: int, prompt: Prompt, question: str, **variables: Any) -> RatedOpinion:
        known = {"profile": self.cfg.profile.text, "language": self.cfg.language, **variables}
        return await rated(s, f"answer/{n}", prompt, question, known)


@dataclass(frozen=True, slots=True)
class ChainOfThought(_Asking):
    """CoT: reasons, then rates."""

    async def _rated(self, s: Session, n: int, question: str, mind: Mind, flow: Flow | None) -> RatedOpinion:
        return await self._by(s, n, prompts.cot, question, text=text_of(flow))


@dataclass(frozen=True, slots=True)
class ReAct(_Asking):
    """ReAct: the last answer and what people said of it come as an observation."""

    async def _rated(self, s: Session, n: int, question: str, mind: Mind, flow: Flow | None) -> RatedOpinion:
        seen = observation(mind, n)
        return await self._by(s, n, prompts.react, question, text=text_of(flow), observation=seen)


@dataclass(frozen=True, slots=True)
class Reflexion(_Asking):
    """Reflexion: reflects on the last answer and what people said of it, then rates (steps `reflect/1` and so on)."""

    async def _rated(self, s: Session, n: int, question: str, mind: Mind, flow: Flow | None) -> RatedOpinion:
        reflection: str | Declined = ""
        if seen := observation(mind, n):
            reflection = await s.ask(
                f"reflect/{n}",
                PERSONA,
                prompts.reflect,
                profile=self.cfg.profile.text,
                observation=seen,
                question=question,
                language=self.cfg.language,
            )
        told = "" if isinstance(reflection, Declined) else reflection
        return await self._by(s, n, prompts.reflexion, question, text=text_of(flow), reflection=told)


@dataclass(frozen=True, slots=True)
class NoInformation(_Asking):
    """A control: the profile alone."""

    async def _rated(self, s: Session, n: int, question: str, mind: Mind, flow: Flow | None) -> RatedOpinion:
        return await self._by(s, n, prompts.cot, question, text="")


@dataclass(frozen=True, slots=True)
class EverythingInPrompt(_Asking):
    """A control: all texts so far."""

    async def _rated(self, s: Session, n: int, question: str, mind: Mind, flow: Flow | None) -> RatedOpinion:
        texts = (*mind.read, *(flow.texts if flow else ()))
        return await self._by(s, n, prompts.cot, question, text="\n\n".join(texts))


def text_of(flow: Flow | None) -> str:
    """A flow as one text."""
    return "\n\n".join(flow.texts) if flow else ""


def observation(mind: Mind, n: int) -> str:
    """The last answer to the question `n` (from 1) and what people said of it; "" where nobody has rated it. Pure.

    What they said of an answer of an earlier run is told along with that one.
    """
    if n > len(mind.answers) or n > len(mind.feedback):
        return ""
    said, told = mind.feedback[n - 1], _of_people(mind.feedback[n - 1])
    answer = said if said.reason else mind.answers[n - 1]
    rows = [f"You rated it {answer.rating}: {answer.reason}"] if answer.rating else []
    return "\n".join([*rows, *told]) if told else ""


def _of_people(said: Feedback) -> list[str]:
    who = "People who know this person"
    rating = [f"{who} rated it {said.human_rating}."] if said.human_rating else []
    if said.rationality is None:
        return rating
    return [*rating, f"{'They' if rating else who} gave your reason {said.rationality:g} of 5."]
