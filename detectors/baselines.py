"""What the tree is compared with: one call, one call after thinking, the screen's candidates, and two kinds of talk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, fenced
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.words import clipped
from elenchus.detectors.context import Context, fault_of, prompts
from elenchus.detectors.replies import NONE, ChosenBias, Critique, Reasoned, naming
from elenchus.detectors.schemas import Detection, Ranked, Remark, Verdict, rests_on
from elenchus.detectors.screen import Screened

SEAT = "detector"
EXCHANGES = 2
"""So often the expert and the psychologist speak, each in turn; in a group at the most."""

WORDS = 100
"""Of a remark in a talk, and of the thinking before a name."""

REASON = 50
"""Words of the reason behind a name."""


async def zero_shot(s: Session, context: Context) -> Detection:
    """One call with the list of names. Step key: `choose`."""
    return await _named(s, context, "choose", SEAT, prompts.choose, ChosenBias, context.list_of_names)


async def step_by_step(s: Session, context: Context) -> Detection:
    """One call that thinks first. Step key: `reason`."""
    names = context.list_of_names
    return await _named(s, context, "reason", SEAT, prompts.reason, Reasoned, names, suspected=False)


async def of_candidates(s: Session, context: Context, screened: Screened) -> Detection:
    """The paper's ablation: the screen, then one call that plans, looks back and names one candidate or none."""
    if not screened.candidates:
        verdict: Verdict = "unread" if screened.unread else "none"
        return Detection(verdict=verdict, bias=None, method=context.cfg.method, notes=screened.notes)
    names = tuple(candidate.name for candidate in screened.candidates)
    found = await _named(s, context, "reason", SEAT, prompts.reason, Reasoned, names, suspected=True)
    return found.model_copy(update={"candidates": screened.candidates, "notes": (*found.notes, *screened.notes)})


# ── two kinds of talk ────────────────────────────────────────────────────────────────────────────────────────────────


async def dialogue(s: Session, context: Context) -> Detection:
    """An expert and a psychologist talk, then the expert concludes (CAMEL). Step keys: `talk/1/expert`, `conclude`."""
    talk: list[Remark] = []
    for n in range(1, EXCHANGES + 1):
        await _exchange(s, context, n, talk)
    return await _concluded(s, context, "expert", talk)


async def group(s: Session, context: Context) -> Detection:
    """The same two with a critic after each exchange, until he is content; then the manager concludes (AutoGen)."""
    talk: list[Remark] = []
    for n in range(1, EXCHANGES + 1):
        await _exchange(s, context, n, talk)
        critique = await ask_in_public(
            s, f"talk/{n}/critic", "critic", prompts.critic, Critique,
            names=context.list_of_names, text=context.text.shown, heard=_heard(talk),
        )  # fmt: skip
        if isinstance(critique, Declined):
            continue
        talk.append(Remark(agent="critic", text=critique.remark.strip()))
        if critique.settled == "yes":
            break
    return await _concluded(s, context, "manager", talk)


async def _exchange(s: Session, context: Context, n: int, talk: list[Remark]) -> None:
    """Add what the two say, the second having heard the first."""
    for agent in ("expert", "psychologist"):
        answer = await ask_in_public(
            s, f"talk/{n}/{agent}", agent, prompts.talk,
            agent=agent, names=context.list_of_names, text=context.text.shown, heard=_heard(talk), words=WORDS,
        )  # fmt: skip
        talk.append(Remark(agent=agent, text="" if isinstance(answer, Declined) else clipped(answer, WORDS)[0]))


async def _concluded(s: Session, context: Context, agent: str, talk: Sequence[Remark]) -> Detection:
    given = {"manager": agent == "manager", "heard": _heard(talk)}
    found = await _named(s, context, "conclude", agent, prompts.conclude, ChosenBias, context.list_of_names, **given)
    return found.model_copy(update={"talk": tuple(talk)})


def _heard(talk: Sequence[Remark]) -> str:
    return "\n\n".join(f"The {remark.agent}:\n{fenced(remark.text)}" for remark in talk if remark.text)


# ── one call that names a bias, or none ──────────────────────────────────────────────────────────────────────────────


async def _named(
    s: Session,
    context: Context,
    key: str,
    seat: str,
    prompt: Prompt,
    schema: type[ChosenBias | Reasoned],
    names: tuple[str, ...],
    **given: Any,
) -> Detection:
    """The outcome of an answer with one of these names, or none.

    A bias that is named by no words of the text is asked about once more, with the fault named. Step keys: `KEY`, and
    `KEY/again`.
    """

    async def asked(again: str, fault: str) -> Detection:
        shown = {"names": names, "text": context.text.shown, "fault": fault, **given}
        return _outcome(context, await s.ask(f"{key}{again}", seat, prompt, naming(schema, (*names, NONE)), **shown))

    first = await asked("", "")
    if first.verdict != "unfounded":
        return first
    again = await asked(AGAIN, fault_of(first))
    found = first if again.verdict == "unread" else again
    note = "It was asked once more, as nothing that it quoted first stands in the text."
    return found.model_copy(update={"notes": (*found.notes, note)})


def _outcome(context: Context, answer: ChosenBias | Reasoned | Declined) -> Detection:
    """The outcome of one answer; a name without a quote that stands is unfounded."""
    method = context.cfg.method
    if isinstance(answer, Declined):
        notes = (f"The answer could not be read: {answer.reason}",)
        return Detection(verdict="unread", bias=None, method=method, notes=notes)
    why, _ = clipped(answer.reason, REASON) if isinstance(answer, ChosenBias) else clipped(answer.thinking, WORDS)
    said = Detection(verdict="none", bias=None, method=method, why=why, quotes=context.text.quoted_in(why))
    if (bias := context.id_of(answer.bias)) is None:
        return said
    name = context.names[bias]
    if not rests_on(said.quotes):
        return said.model_copy(update={"verdict": "unfounded", "name": name})
    first = Ranked(place=1, bias=bias, name=name)
    return said.model_copy(update={"verdict": "found", "bias": bias, "name": name, "ranking": (first,)})
