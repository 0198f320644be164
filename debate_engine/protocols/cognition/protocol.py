"""The persona with a mind, one visible loop (Lv et al., arXiv 2401.08438, section 4). `NOTES.md` maps it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.protocols.cognition import baselines
from elenchus.debate_engine.protocols.cognition.config import CognitionConfig, MindSettings
from elenchus.debate_engine.protocols.cognition.interpretation import interpret
from elenchus.debate_engine.protocols.cognition.knowledge import DistilledKnowledge, PriorKnowledge, distil, forget
from elenchus.debate_engine.protocols.cognition.memory import perceived
from elenchus.debate_engine.protocols.cognition.methods import Method
from elenchus.debate_engine.protocols.cognition.orders import orders_in
from elenchus.debate_engine.protocols.cognition.refining import Refined, refine
from elenchus.debate_engine.protocols.cognition.schemas import (
    CognitionResult,
    Flow,
    InformationResult,
    Iteration,
    Mind,
    RatedOpinion,
)
from elenchus.debate_engine.retrieval import Recall
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together


async def cognition(s: Session, config: Mapping[str, Any], recall: Recall) -> dict[str, Any]:
    """Run a method over flows that are known beforehand. `config` is a dumped CognitionConfig, the outcome a dumped
    CognitionResult. The one seat is `persona`.
    """
    cfg = CognitionConfig.model_validate(config)
    method, mind = method_of(cfg, recall), Mind(profile=cfg.profile)
    iterations: list[Iteration] = []
    for n, flow in enumerate([None, *cfg.flows]):
        closed = await iterated(s.recalling().under(f"iteration/{n}"), method, mind, flow, cfg.questionnaire, n)
        mind = mind.after(closed, flow, cfg.feedback_on(n))
        iterations.append(closed)
    done = CognitionResult(method=cfg.method, topic=cfg.topic, iterations=tuple(iterations))
    return done.model_dump(mode="json")


async def iterated(
    s: Session, method: Method, mind: Mind, flow: Flow | None, questionnaire: Sequence[str], n: int
) -> Iteration:
    """One iteration. One that is closed is not run again: what it did is in its record (step key `closed`)."""
    if (closed := s.found("closed")) is None:
        then, answers = await method.answered(s, mind, flow, questionnaire, n)
        done = Iteration(
            iteration=n, profile=then.profile, answers=answers, taken=then.taken, short_term=then.short_term
        )
        closed = await s.record("closed", done.model_dump(mode="json"))
    return Iteration.model_validate(closed)


@dataclass(frozen=True, slots=True)
class CogGPT:
    """The paper's method."""

    cfg: MindSettings
    recall: Recall

    async def answered(
        self, s: Session, mind: Mind, flow: Flow | None, questionnaire: Sequence[str], iteration: int
    ) -> tuple[Mind, tuple[RatedOpinion, ...]]:
        """Perceive, then interpret."""
        mind = await perceive(s, self.cfg, self.recall, mind, flow, iteration)
        return mind, await interpret(s, self.cfg, self.recall, mind, questionnaire, iteration)


async def perceive(
    s: Session, cfg: MindSettings, recall: Recall, mind: Mind, flow: Flow | None, iteration: int
) -> Mind:
    """A flow goes into short-term memory; each time it is full, and at the end of the flow, it is taken in."""
    if flow is None:
        return mind.model_copy(update={"taken": None})
    fillings, rest = perceived(mind.short_term, flow.texts, cfg.capacity_words)
    if rest and not cfg.wait_until_full:
        fillings, rest = [*fillings, "\n\n".join(rest)], ()
    orders = tuple(order for text in flow.texts for order in orders_in(text))
    mind = mind.model_copy(update={"short_term": rest, "taken": InformationResult(iteration=iteration, orders=orders)})
    await s.record("perceived", {"taken in": len(fillings), "held": list(rest), "orders": list(orders)})
    for n, text in enumerate(fillings, 1):
        mind = await take_in(s.under(f"part/{n}"), cfg, recall, mind, text, iteration)
    return mind


async def take_in(s: Session, cfg: MindSettings, recall: Recall, mind: Mind, text: str, iteration: int) -> Mind:
    """Section 4: refine the profile, distil knowledge, forget what interests least, store the rest, clear."""
    refined, learned = await refine_and_distil(s, cfg, recall, mind, text, iteration)
    kept, forgotten = forget(learned.statements, cfg.forget_share)
    taken = InformationResult(
        iteration=iteration,
        changes=refined.changes,
        why_kept=refined.why_kept,
        assessment=refined.assessment,
        kept=kept,
        forgotten=forgotten,
        refused=learned.refused,
        unread=(learned.unread,) if learned.unread else (),
        compared_by=recall.name,
    )
    await s.record("taken", taken.model_dump(mode="json"))
    return mind.having(refined.profile, taken)


async def refine_and_distil(
    s: Session, cfg: MindSettings, recall: Recall, mind: Mind, text: str, iteration: int
) -> tuple[Refined, DistilledKnowledge]:
    """Both, in the order of the settings; side by side, distilling sees the profile before, as in the released code."""
    known = PriorKnowledge(mind.memories, mind.learned, iteration)
    if cfg.order == "refine first":
        refined = await refine(s, cfg, mind.profile, text)
        return refined, await distil(s, cfg, recall, refined.profile, known, text)
    if cfg.order == "distil first":
        learned = await distil(s, cfg, recall, mind.profile, known, text)
        return await refine(s, cfg, mind.profile, text), learned
    return await together(refine(s, cfg, mind.profile, text), distil(s, cfg, recall, mind.profile, known, text))


def method_of(cfg: CognitionConfig, recall: Recall) -> Method:
    """The method of a run."""
    match cfg.method:
        case "coggpt":
            return CogGPT(cfg, recall)
        case "cot":
            return baselines.ChainOfThought(cfg)
        case "react":
            return baselines.ReAct(cfg)
        case "reflexion":
            return baselines.Reflexion(cfg)
        case "no_information":
            return baselines.NoInformation(cfg)
        case "everything_in_prompt":
            return baselines.EverythingInPrompt(cfg)
