"""A motion as two plain sentences, what the proponents claim and what the opponents do: all else begins with these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import create_model

from debate_engine.participant import Declined
from debate_engine.prompts import prompts_of
from debate_engine.protocols.speech import SIDES, Side
from debate_engine.session import Session

prompts = prompts_of("debate_engine.protocols.socrasynth.small")

Claims = Mapping[Side, str]
"""What each side claims, a sentence with its full stop."""

_MODALS = ("should", "must", "would", "will", "can", "could", "may", "might", "ought", "shall")
DEMAND = re.compile(r"\b(should|must|ought)\b", re.IGNORECASE)
"""A motion that demands something to be done, unlike one that says how things are."""
_FORMS = ("is", "are", "was", "were", "has", "have", "had")
_DO = ("do", "does", "did")
_INVERTED = frozenset((*_MODALS, *_FORMS, *_DO))


async def small_claims(s: Session, motion: str) -> Claims:
    """Both claims where a small model debates, asked of the first that does; else none."""
    seat = next((side for side in SIDES if s.is_small(side)), None)
    return await claims_of(s, motion, seat) if seat else {}


async def claims_of(s: Session, motion: str, seat: str) -> Claims:
    """Both claims. Where the motion is a question, the model on `seat` says where its verb belongs in a statement."""
    given = sentence(motion)
    options = statements(given)
    verb = verb_of(given)
    if len(options) > 1:
        answer = await s.ask("claim", seat, prompts.statement, one_of(options), motion=given)
        chosen = options[0] if isinstance(answer, Declined) else str(getattr(answer, "statement"))  # noqa: B009
    else:
        chosen = options[0] if options else given
    if chosen.endswith("?"):  # a question without a verb in front: nobody can claim it
        chosen = f"The answer to this question is yes: {chosen}"
    return {"pro": chosen, "con": denied(chosen, verb)}


def one_of(options: list[str]) -> Any:
    """The schema of a choice among sentences; the embedded model's grammar allows nothing else."""
    allowed: Any = Literal[tuple(options)]
    return create_model("Statement", statement=(allowed, ...))


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def sentence(motion: str) -> str:
    """The motion on one line, beginning with a capital and ending with its mark."""
    text = " ".join(motion.split())
    text = text if text[-1:] in ".?!" else f"{text}."
    return text[:1].upper() + text[1:]


def verb_of(motion: str) -> str:
    """The verb in front of a question, "" for a statement."""
    first = motion.split(maxsplit=1)[0].lower()
    return first if motion.endswith("?") and first in _INVERTED else ""


def statements(motion: str) -> list[str]:
    """A question as a statement, with its verb in every place where it may belong; none for a motion that is none.

    "Should a city ban cars?" gives "A should city ban cars.", "A city should ban cars." and so on.
    """
    if not (verb := verb_of(motion)):
        return []
    rest = motion.rstrip("?").split()[1:]
    if verb == "do":
        return [sentence(" ".join(rest))]
    places = range(1, max(2, min(len(rest), 8)))
    return [sentence(" ".join([*rest[:n], verb, *rest[n:]])) for n in places]


def denied(claim: str, verb: str = "") -> str:
    """The opposite claim: "not" after the verb that carries the claim, else "It is not true that …".

    `verb` is the one that a question had in front.
    """
    words = claim.rstrip(".!").split()
    carrying = (verb,) if verb and verb != "do" else (*_MODALS, *_FORMS)
    for n, word in enumerate(words[1:], 1):
        if word.lower() in carrying:
            follows = words[n + 1 :]
            if follows[:1] == ["not"]:
                return " ".join([*words[: n + 1], *follows[1:]]) + "."
            return " ".join([*words[:n], *(["cannot"] if word == "can" else [word, "not"]), *follows]) + "."
    return f"It is not true that {lowered(' '.join(words))}."


def lowered(claim: str) -> str:
    """A claim as it stands within a sentence; a name at its beginning, as far as it can be told, keeps its capital."""
    first, second = [*claim.split(), "", ""][:2]
    is_name = first[1:] != first[1:].lower() or second[:1].isupper() or first == "I"
    return claim if is_name else claim[:1].lower() + claim[1:]
