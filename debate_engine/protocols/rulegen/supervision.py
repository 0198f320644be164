"""The system agent looks at each reply before anybody hears it, and sends it back with steps to mend it.

What was sent back stays in the log; only the final reply is delivered, and one that still gives its directions away
(`leaks`) is not. People are never corrected: their reply is delivered as it is, and what is to be said about it goes to
the moderator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from elenchus.debate_engine.events import MODERATOR
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.answers import Supervision
from elenchus.debate_engine.protocols.rulegen.leaks import deviation_of, leak_in
from elenchus.debate_engine.protocols.rulegen.played import Deviation, Reply, SentBack
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.protocols.rulegen.role_agent import WORDS, SceneState, out_of_form, tidied
from elenchus.debate_engine.scenes.language import Language
from elenchus.debate_engine.scenes.scene import SYSTEM
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.words import clipped

_PACKAGE = "elenchus.debate_engine.protocols.rulegen"
prompts = prompts_of(_PACKAGE)

WITHHELD = "the reply gave away what its speaker was told beforehand, so nobody heard it"
"""Why a role is silent whose last reply still leaks."""

NOT_SEATED = "no model looks at what is said in this scene"
"""Why a person's words are not compared with their rule where all others' words are fixed."""

_GIVEN_TO_THE_SPEAKER = ("name", "background", "task", "to", "purpose", "content")


class SupervisionResult(NamedTuple):
    """The system agent's view: a deviation or none, and why it could not look."""

    deviation: Deviation | None
    unchecked: str = ""


async def supervised(s: Session, state: SceneState, known: dict[str, Any], plan: str) -> Reply:
    """A role agent's reply, sent back as often as the settings allow; then the last one stands, marked.

    One that gives away what the role was told is withheld instead: it stays in the log, and nobody hears it.

    Step keys: `answer/1`, `check/1`, `answer/2` and so on.
    """
    role = state.role(known["name"])
    sent_back: list[SentBack] = []
    for n in range(1, state.cfg.corrections + 2):
        text = await answer(s, n, known, state.cfg.scene.language, plan, sent_back[-1:])
        if isinstance(text, Declined):
            return Reply(sent_back=tuple(sent_back), silent=text.reason)
        text = tidied(text, role.name)
        leak = leak_of(text, known)
        bad_form = leak or out_of_form(text, role)
        seen = SupervisionResult(bad_form) if bad_form else await check(s, n, state, known, text)
        if leak and n > state.cfg.corrections:
            return Reply(sent_back=(*sent_back, SentBack(text=text, deviation=leak)), deviation=leak, silent=WITHHELD)
        if seen.deviation is None or n > state.cfg.corrections:
            final, cut = clipped(text, WORDS)
            return Reply(
                text=final,
                sent_back=tuple(sent_back),
                deviation=seen.deviation,
                shortened=cut,
                unchecked=seen.unchecked,
            )
        sent_back.append(SentBack(text=text, deviation=seen.deviation))
    raise AssertionError("the last reply stands")


async def answer(
    s: Session, n: int, known: dict[str, Any], language: Language, plan: str = "", sent_back: Sequence[SentBack] = ()
) -> str | Declined:
    """Ask for the reply; a further time with what was sent back and how to mend it."""
    more: dict[str, Any] = {
        "plan": plan,
        "draft": "\n".join(one.text for one in sent_back),
        "mend": "\n".join(as_told(one.deviation) for one in sent_back),
    }
    prompt = prompts_of(_PACKAGE, language).answer
    given: str | Declined = await s.ask(f"answer/{n}", known["name"], prompt, **known, **more)
    return given


async def check(s: Session, n: int, state: SceneState, known: dict[str, Any], reply: str) -> SupervisionResult:
    """Ask the system agent for its view of a reply. It hears of the scene no more than the reply's speaker may.

    What it writes reaches the speaker: so it is told neither the scene's purpose nor its bias, nor another's task, and
    for a subject not even the scene's background.
    """
    subject = state.role(known["name"]).kind == "subject"
    seen = await s.ask(
        f"check/{n}",
        SYSTEM,
        prompts.supervise,
        Supervision,
        optional=True,
        **{key: known[key] for key in _GIVEN_TO_THE_SPEAKER},
        subject=subject,
        scene="" if subject else state.cfg.scene.background,
        course=known["heard"],
        reply=reply,
    )
    if isinstance(seen, Declined):
        return SupervisionResult(None, seen.reason)
    if seen.deviation == "none":
        return SupervisionResult(None)
    steps = tuple(step.strip() for step in seen.steps if step.strip())
    return SupervisionResult(Deviation(level=seen.deviation, what=seen.what.strip(), why=seen.why.strip(), steps=steps))


def leak_of(reply: str, known: dict[str, Any]) -> Deviation | None:
    """What a reply gives away of task, direction and prompt, as a deviation; None where it gives away nothing."""
    given_away = leak_in(reply, prompts.answer, known)
    return deviation_of(given_away) if given_away else None


async def tell_moderator(s: Session, name: str, deviation: Deviation, withheld: str = "") -> None:
    """The moderator, and nobody in the scene, reads of a reply that departs, or was `withheld`. Step key: `note`."""
    await s.say("note", SYSTEM, [MODERATOR], note_on(name, deviation, withheld), DEVIATION)


def note_on(name: str, deviation: Deviation, withheld: str = "") -> str:
    """What the moderator reads of a deviation; `withheld` says why nobody heard the words."""
    stands = f" {withheld[:1].upper()}{withheld[1:]}." if withheld else ""
    return f"{name} departs from the rule ({deviation.level}):{stands} {as_told(deviation)}"


def as_told(deviation: Deviation) -> str:
    """A deviation as its role agent and the moderator read it."""
    steps = "".join(f"\n{n}. {step}" for n, step in enumerate(deviation.steps, 1))
    return " ".join(part for part in (deviation.what, deviation.why) if part) + steps
