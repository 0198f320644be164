"""A motion as two plain sentences, what the proponents claim and what the opponents do: all else begins with these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
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
_DONE = frozenset(("more", "less", "much", "no", "a", "great", "good", "harm", "damage", "nothing", "well", "better"))
"""What is done where "do" is all there is of a verb ("zoos do harm")."""
_CARRYING = frozenset((*_MODALS, *_FORMS, *_DO, "cannot"))
_LONGEST_SUBJECT = 4
_DEED = re.compile(
    r"\b(?:should|must|ought)\b(?P<no> not\b)?|"
    r"^it (?:is|was|would be)(?P<not> not)? (?:(?P<ill>wrong|bad|unfair|unwise)|\w+) (?:to|for)\b",
    re.IGNORECASE,
)
"""A claim that something should be done, or is right (wrong) to do; unlike one that says how things are."""
_UNTRUE = "It is not true that "
_DENIED = re.compile(rf"^{_UNTRUE}|(?<=can)not\b| not\b")
_ILL = (
    r"(?:pollution|emissions|waste|noise|crime|violence|poverty|debt|disease|accidents?|congestion|traffic|inequality|"
    r"unemployment|cruelty|suffering|abuse|addiction|stress|fraud|climate change|global warming|obesity)\b"
)
ILLS = re.compile(rf"\b{_ILL}", re.IGNORECASE)
"""What it is good to have less of."""
_VERBS = {
    "good": r"(?:help|improve|protect|strengthen|promote|save)s?\b",
    "bad": r"(?:harm|damage|hurt|weaken|destroy|threaten|undermine|ruin|endanger)s?\b",
}
_WORDS: Mapping[Effect, str] = {
    "good": r"(?:good|better|best|worth|beneficial|useful|helpful|health(?:y|ier)|safer?|fairer|valuable|happier|"
    r"stronger)\b",
    "bad": r"(?:bad|worse|worst|harm|damage|harmful|dangerous|danger|threat|unhealth(?:y|ier)|unsafe|unfair|useless|"
    r"outdated|overrated|unnecessary|cruel|addictive|waste|problem|mistake|failure|lonel(?:y|ier)|unhapp(?:y|ier)|"
    r"weaker|poorer)\b",
}
_CHANGES = {"good": "reduce|prevent|lower|fight", "bad": "cause|create|increase|spread"}
_VALUED: Mapping[Effect, re.Pattern[str]] = {
    effect: re.compile(
        rf"\b(?:{_VERBS[effect]}|(?:{_CHANGES[effect]})s? (?:[\w-]+ )?{_ILL}|makes? (?:[\w'-]+ ){{1,3}}{words}|"
        rf"(?:is|are|was|were|be|does|do) (?:(?:an?|the|too|very|more|much|only|just) )*{words})",
        re.IGNORECASE,
    )
    for effect, words in _WORDS.items()
}
"""Claims that what they speak of is, or does, good or bad."""
_MAIN = re.compile(rf"{_VERBS['good']}|{_VERBS['bad']}|(?:make|reduce|prevent|cause|create|increase|spread)s?\b")
"""Verbs by which a claim is known where it has none of the carrying ones."""


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
    words, place = _verb_in(plain := sentence(" ".join(rest)))
    if verb == "do" and place and (words[place] == verb or _MAIN.fullmatch(words[place])):
        return [plain]
    places = range(1, max(2, min(len(rest), 8)))
    return [sentence(" ".join([*rest[:n], verb, *rest[n:]])) for n in places]


def effect_of(claim: str) -> Effect:
    """What a claim says of its deed ("should not be banned": bad), or of its subject ("does more harm": bad).

    "" where its words do not tell, or tell it of nothing that could stand at the beginning of a reason.
    """
    if found := _DEED.search(claim):
        return "bad" if bool(found["no"] or found["not"]) != bool(found["ill"]) else "good"
    plain, times = _DENIED.subn("", claim)
    starts = {effect: words.search(plain) for effect, words in _VALUED.items()}
    places = {len(plain[: found.start()].split()): effect for effect, found in starts.items() if found}
    first, verb = min(places, default=-1), _verb_in(claim)[1]
    if not subject_of(claim) or first not in {verb, verb + 1}:  # with "can" or "would" in front
        return ""
    return places[first] if times % 2 == 0 else "bad" if places[first] == "good" else "good"


def is_of_deed(claim: str) -> bool:
    """Whether a claim is that something should, or should not, be done."""
    return bool(_DEED.search(claim))


def subject_of(claim: str) -> str:
    """What a claim speaks of, as it stands within a sentence: its words before the verb; "" where none can be told."""
    words, place = _verb_in(claim)
    subject = lowered(" ".join(words[:place]))
    return subject if place <= _LONGEST_SUBJECT and words[0].lower() not in {"it", "there", "this", "what"} else ""


def carried_by(claim: str) -> str:
    """The verb that carries a claim, with its "not": "can", "is not"; "" where nothing could go on from it."""
    words, place = _verb_in(claim)
    found = re.match(r"(?!do\b|does\b|did\b)\w+(?: not\b)?|(?:do|does|did) not\b", " ".join(words[place:]))
    return found[0] if found and place and words[place].lower() in _CARRYING else ""


def is_plural(claim: str) -> bool:
    """Whether a claim speaks of several, by its verb where that tells, else by its subject's last noun."""
    words, place = _verb_in(claim)
    if words[place] in {*_MODALS, "cannot", "had", "did"}:
        head = re.split(r" (?:of|in|on|at|for|from|under|with|without) ", " ".join(words[:place]))[0]
        return bool(re.search(r"[^su]s$|people$|children$", head, re.IGNORECASE))
    return not words[place].endswith("s")


def _verb_in(claim: str) -> tuple[list[str], int]:
    """A claim's words, and where its verb stands; 0 where that cannot be told."""
    words = claim.removeprefix(_UNTRUE).rstrip(".!").split() or [""]
    for n, (word, follows) in enumerate(pairwise([*words[1:], ""]), 1):
        is_main = _MAIN.fullmatch(word) and not _MAIN.fullmatch(follows) and follows not in _CARRYING
        if word.lower() in _CARRYING or (is_main and words[n - 1] not in {"that", "which", "who", "to"}):
            return words, n
    return words, 0


def denied(claim: str, verb: str = "") -> str:
    """The opposite claim: "not" with the verb that carries the claim, else "It is not true that …".

    `verb` is the one that a question had in front.
    """
    words, place = _verb_in(claim)
    if place and verb in {"", "do"} and _MAIN.fullmatch(words[place]):
        no = f"does not {words[place][:-1]}" if words[place].endswith("s") else f"do not {words[place]}"
        return " ".join([*words[:place], no, *words[place + 1 :]]) + "."
    words = claim.rstrip(".!").split()
    carrying = {verb} if verb else _CARRYING - {"cannot"}
    for n, word in enumerate(words[1:], 1):
        if word.lower() in carrying and (word not in _DO or n <= _LONGEST_SUBJECT):
            follows = words[n + 1 :]
            if follows[:1] == ["not"]:
                return " ".join([*words[: n + 1], *follows[1:]]) + "."
            no = "cannot" if word == "can" else f"{word} not"
            if word in _DO and (not verb or (verb == "do" and follows[:1] and follows[0] in _DONE)):
                no += " do"
            return " ".join([*words[:n], no, *follows]) + "."
    return f"{_UNTRUE}{lowered(' '.join(words))}."


def lowered(claim: str) -> str:
    """A claim as it stands within a sentence; a name at its beginning, as far as it can be told, keeps its capital."""
    first, second = [*claim.split(), "", ""][:2]
    is_name = first[1:] != first[1:].lower() or second[:1].isupper() or first == "I"
    return claim if is_name else claim[:1].lower() + claim[1:]
