"""A motion as two plain sentences, what the proponents claim and what the opponents do: all else begins with these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import create_model

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.socrasynth.small.wording import Effect
from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.socrasynth.small")

Claims = Mapping[Side, str]
"""What each side claims, a sentence with its full stop."""

_MODALS = ("should", "must", "would", "will", "can", "could", "may", "might", "ought", "shall")
_FORMS = ("is", "are", "was", "were", "has", "have", "had")
_DO = ("do", "does", "did")
_CARRYING = frozenset((*_MODALS, *_FORMS, *_DO))
_LONGEST_SUBJECT = 4
_DEED = re.compile(
    r"\b(?:should|must|ought)\b(?P<no> not\b)?|"
    r"^it (?:is|was|would be)(?P<not> not)? (?:(?P<ill>wrong|bad|unfair|unwise)|\w+) (?:to|for)\b",
    re.IGNORECASE,
)
"""A claim that something should be done, or is right (wrong) to do; unlike one that says how things are."""


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
    return first if motion.endswith("?") and first in _CARRYING else ""


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


def effect_of(claim: str) -> Effect:
    """What a deed would be, to who makes this claim of it ("should not be banned": bad); "" where none is spoken of."""
    if not (found := _DEED.search(claim)):
        return ""
    return "bad" if bool(found["no"] or found["not"]) != bool(found["ill"]) else "good"


def subject_of(claim: str) -> str:
    """What a claim speaks of, as it stands within a sentence: its words before the verb; "" where none can be told."""
    words = lowered(claim).rstrip(".!").split()
    place = next((n for n, word in enumerate(words) if word.lower() in {*_CARRYING, "cannot"}), 0)
    return " ".join(words[:place]) if place <= _LONGEST_SUBJECT and words[0] not in {"it", "there", "this"} else ""


def denied(claim: str, verb: str = "") -> str:
    """The opposite claim: "not" after the verb that carries the claim, else "It is not true that …".

    `verb` is the one that a question had in front.
    """
    words = claim.rstrip(".!").split()
    carrying = {verb} if verb and verb != "do" else _CARRYING
    for n, word in enumerate(words[1:], 1):
        if word.lower() in carrying and (word not in _DO or n <= _LONGEST_SUBJECT):
            follows = words[n + 1 :]
            if follows[:1] == ["not"]:
                return " ".join([*words[: n + 1], *follows[1:]]) + "."
            no = "cannot" if word == "can" else f"{word} not"
            if word in _DO and verb in {"", "do"}:  # "zoos do harm", where "do" is all there is of a verb
                no += " do"
            return " ".join([*words[:n], no, *follows]) + "."
    return f"It is not true that {lowered(' '.join(words))}."


def lowered(claim: str) -> str:
    """A claim as it stands within a sentence; a name at its beginning, as far as it can be told, keeps its capital."""
    first, second = [*claim.split(), "", ""][:2]
    is_name = first[1:] != first[1:].lower() or second[:1].isupper() or first == "I"
    return claim if is_name else claim[:1].lower() + claim[1:]
