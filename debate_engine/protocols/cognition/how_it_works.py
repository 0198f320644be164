"""How a mind was set, in sentences for the methods of its report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.knowledge import MOST_OF_SMALL
from elenchus.debate_engine.protocols.cognition.profile import LONGEST_VALUE
from elenchus.debate_engine.protocols.cognition.repetition import WORDS_ALIKE

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.cognition.config import MindConfig, MindSettings
    from elenchus.debate_engine.protocols.cognition.schemas import PersonCheck

_ORDERS = {
    "side by side": "side by side, so that distilling sees the profile before",
    "refine first": "one after the other, so that distilling sees the profile as it was refined",
    "distil first": "one after the other, distilling first",
}
_STATED = {
    "invented": "that it is invented",
    "myself": "that it is themselves",
    "dead": "that it is somebody who has died",
}


prompts = prompts_of("elenchus.debate_engine.protocols.cognition")


def how_it_works(
    cfg: MindConfig, model: str, checked: PersonCheck | None, compared_by: Sequence[str] = ()
) -> Iterator[str]:
    """Every setting that what it did depends on. `model` is who the persona is, "" where that is not known;
    `compared_by` names what texts were compared by, in the order in which it was used.
    """
    yield (
        f"A persona with a mind (CogGPT: Lv et al., arXiv 2401.08438){f', which is {model}' if model else ''}. Whoever "
        f"made it stated {_STATED[cfg.person]}; {_checked(cfg, checked)}."
    )
    yield _perceiving(cfg)
    yield _taking_in(cfg)
    yield (
        f"Forgetting: of what one filling of short-term memory has taught, the {cfg.forget_share:.0%} with the "
        "lowest interest, among equals the older first."
    )
    yield _recalling(cfg)
    yield (
        f"Likeness is by {', later by '.join(compared_by)}."
        if compared_by
        else "Likeness: nothing was compared, or it is not on record by what."
    )
    yield (
        "Rating: each opinion alone, from the profile and what is recalled, without the ratings before; a reason that "
        "shows a model is sent back once, and then it is no rating."
    )
    yield (
        f"What it reads and rates is asked at temperature {prompts.interpret.temperature}, what it says itself at "
        f"{prompts.talk.temperature}: its prompts set this, and nothing that is stated for the session changes it."
    )
    yield f"Thoughts and reasons are in {cfg.language or 'the language of the profile'}."


def _checked(cfg: MindConfig, checked: PersonCheck | None) -> str:
    if cfg.person == "myself":
        return "nobody else was asked"
    if checked is None:
        asked = "its model, which made the profile of a line, was to say so of a real person who lives"
        return asked if cfg.profile is None else "nobody was asked whether that is so"
    if checked.why_not:
        return f"whether it is of a real person who lives nobody could tell: {checked.why_not}"
    found = {"no": "of nobody real", "dead": "of somebody who has died", "living": "of somebody who lives"}
    return f"asked, its model said that the profile is {found[checked.real_person]}"


def _perceiving(cfg: MindSettings) -> str:
    when = "once that is full" if cfg.wait_until_full else "once that is full, and at the end of each text"
    return (
        f"Short-term memory has room for {cfg.capacity_words:,} words; a longer text comes in parts. It is taken in "
        f"{when}."
    )


def _taking_in(cfg: MindSettings) -> str:
    most = f"{cfg.most_changes} attributes" if cfg.most_changes != 1 else "1 attribute"
    statements = min(cfg.most_statements, MOST_OF_SMALL) if cfg.small else cfg.most_statements
    small = " Its model is small: it was asked for what changes, and for no whole profile." if cfg.small else ""
    return (
        f"Taking in: the profile is refined and knowledge distilled {_ORDERS[cfg.order]}. At most {most} may change at "
        "once, each with a reason and a sentence of the text; the name never does, and new values of a list are "
        f"distinct and under {LONGEST_VALUE} characters. What breaks this is sent back once; where that does not mend "
        f"it, the profile stays. At most {statements} statements are noted. Those that point at what they do not name "
        "(English words) or say what is known are sent back once, then left out: two say the same whose sentences and "
        f"subjects are alike from a likeness of {cfg.alike:g} on, what stands in one for words of the other from "
        f"{WORDS_ALIKE:g} on, and whose figures and negations are equal.{small}"
    )


def _recalling(cfg: MindSettings) -> str:
    return f"Recall: for each question {cfg.recall} memories, by {_policy(cfg)}."


def _policy(cfg: MindSettings) -> str:
    match cfg.policy:
        case "relevance" if cfg.least_similar:
            return (
                f"likeness: of the {cfg.recall + 1} most alike those that are least so, the mistake of the released "
                "code"
            )
        case "relevance":
            return "relevance (likeness)"
        case "park":
            spaced = "; what several iterations recalled fades slower" if cfg.spaced else ""
            return (
                f"importance, recency ({cfg.decay:g} with each iteration since it was last recalled{spaced}) and "
                "relevance together (Park et al. 2023)"
            )
