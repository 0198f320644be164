"""What the tree is compared with: one call, one call after thinking, the screen's candidates, and two kinds of talk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import fenced
from elenchus.debate_engine.protocols.founded import AGAIN
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.detectors.context import Desk, fault_of, prompts
from elenchus.detectors.examined_text import clipped
from elenchus.detectors.replies import Chosen, Critique, Reasoned, chosen, reasoned
from elenchus.detectors.schemas import Detection, Ranked, Remark, Verdict, rests_on
from elenchus.detectors.screen import Screened

SEAT = "detector"
EXCHANGES = 2
"""So often the expert and the psychologist speak, each in turn; in a group at the most."""

WORDS = 100
"""Of a remark in a talk, and of the thinking before a name."""

REASON = 50
"""Words of the reason behind a name."""


async def zero_shot(s: Session, desk: Desk) -> Detection:
    """One call with the list of names. Step key: `choose`."""
    names = desk.list_of_names

    async def asked(again: str, fault: str) -> Detection:
        text = desk.material.shown
        answer = await s.ask(f"choose{again}", SEAT, prompts.choose, chosen(names), names=names, text=text, fault=fault)
        return _named(desk, answer)

    return await _founded(asked)


async def step_by_step(s: Session, desk: Desk) -> Detection:
    """One call that thinks first. Step key: `reason`."""
    return await _thought(s, desk, desk.list_of_names, screened=False)


async def of_candidates(s: Session, desk: Desk, screened: Screened) -> Detection:
    """The paper's ablation: the screen, then one call that plans, looks back and names one candidate or none."""
    if not screened.candidates:
        verdict: Verdict = "unread" if screened.unread else "none"
        return Detection(verdict=verdict, bias=None, method=desk.cfg.method, notes=screened.notes)
    found = await _thought(s, desk, tuple(c.name for c in screened.candidates), screened=True)
    return found.model_copy(update={"candidates": screened.candidates, "notes": (*found.notes, *screened.notes)})


async def _thought(s: Session, desk: Desk, names: tuple[str, ...], *, screened: bool) -> Detection:
    async def asked(again: str, fault: str) -> Detection:
        answer = await s.ask(
            f"reason{again}",
            SEAT,
            prompts.reason,
            reasoned(names),
            names=names,
            suspected=screened,
            text=desk.material.shown,
            fault=fault,
        )
        return _named(desk, answer)

    return await _founded(asked)


async def dialogue(s: Session, desk: Desk) -> Detection:
    """An expert and a psychologist talk, then the expert concludes (CAMEL). Step keys: `talk/1/expert`, `conclude`."""
    talk: list[Remark] = []
    for n in range(1, EXCHANGES + 1):
        for agent in ("expert", "psychologist"):
            talk.append(await _remark(s, desk, n, agent, talk))
    return await _concluded(s, desk, "expert", talk)


async def group(s: Session, desk: Desk) -> Detection:
    """The same two with a critic after each exchange, until he is content; then the manager concludes (AutoGen)."""
    talk: list[Remark] = []
    for n in range(1, EXCHANGES + 1):
        for agent in ("expert", "psychologist"):
            talk.append(await _remark(s, desk, n, agent, talk))
        critique = await ask_in_public(
            s,
            f"talk/{n}/critic",
            "critic",
            prompts.critic,
            Critique,
            names=desk.list_of_names,
            text=desk.material.shown,
            heard=_heard(talk),
        )
        if isinstance(critique, Declined):
            continue
        talk.append(Remark(agent="critic", text=critique.remark.strip()))
        if critique.settled == "yes":
            break
    return await _concluded(s, desk, "manager", talk)


async def _remark(s: Session, desk: Desk, n: int, agent: str, talk: Sequence[Remark]) -> Remark:
    answer = await ask_in_public(
        s,
        f"talk/{n}/{agent}",
        agent,
        prompts.talk,
        agent=agent,
        names=desk.list_of_names,
        text=desk.material.shown,
        heard=_heard(talk),
        words=WORDS,
    )
    return Remark(agent=agent, text="" if isinstance(answer, Declined) else clipped(answer, WORDS)[0])


async def _concluded(s: Session, desk: Desk, agent: str, talk: Sequence[Remark]) -> Detection:
    names = desk.list_of_names

    async def asked(again: str, fault: str) -> Detection:
        answer = await s.ask(
            f"conclude{again}",
            agent,
            prompts.conclude,
            chosen(names),
            manager=agent == "manager",
            names=names,
            text=desk.material.shown,
            heard=_heard(talk),
            fault=fault,
        )
        return _named(desk, answer)

    return (await _founded(asked)).model_copy(update={"talk": tuple(talk)})


def _heard(talk: Sequence[Remark]) -> str:
    return "\n\n".join(f"The {remark.agent}:\n{fenced(remark.text)}" for remark in talk if remark.text)


async def _founded(asked: Callable[[str, str], Awaitable[Detection]]) -> Detection:
    """The outcome; a bias that is named by no words of the text is asked about once more, with the fault named."""
    first = await asked("", "")
    if first.verdict != "unfounded":
        return first
    again = await asked(AGAIN, fault_of(first))
    found = first if again.verdict == "unread" else again
    note = "It was asked once more, as nothing that it quoted first stands in the text."
    return found.model_copy(update={"notes": (*found.notes, note)})


def _named(desk: Desk, answer: Chosen | Reasoned | Declined) -> Detection:
    """The outcome of an answer that names one bias, or none; a name without a quote that stands is unfounded."""
    method = desk.cfg.method
    if isinstance(answer, Declined):
        notes = (f"The answer could not be read: {answer.reason}",)
        return Detection(verdict="unread", bias=None, method=method, notes=notes)
    why, _ = clipped(answer.reason, REASON) if isinstance(answer, Chosen) else clipped(answer.thinking, WORDS)
    quotes = desk.material.quoted_in(why)
    if (bias := desk.id_of(answer.bias)) is None:
        return Detection(verdict="none", bias=None, method=method, why=why, quotes=quotes)
    if not rests_on(quotes):
        name = desk.names[bias]
        return Detection(verdict="unfounded", bias=None, name=name, method=method, why=why, quotes=quotes)
    first = Ranked(place=1, bias=bias, name=desk.names[bias])
    return Detection(
        verdict="found", bias=bias, name=first.name, method=method, ranking=(first,), why=why, quotes=quotes
    )
