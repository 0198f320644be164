"""Statements of debates as training data: pairs of low and high bias on a topic, and those of low bias alone. Pure.

A pair prefers the same role in the same round (of two repetitions), then the same role, then the same topic alone; of
those that could be paired the two nearest in length are. No statement stands in two pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Literal

from elenchus.config.bias_type_catalogue import subject_of
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rldf.schemas import HIGH, Debated
from elenchus.debate_engine.words import count_words

Match = Literal["role and round", "role", "topic"]
MATCHES: tuple[Match, ...] = ("role and round", "role", "topic")
Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")
_HELD_OUT = 0.1
"""The share of topics of the validation split, and of the test split."""

Row = dict[str, Any]


class Spoken(FrozenModel):
    """A scored statement with where it comes from. `about` and `who` are what the prompt needs of type and role;
    `speaker` is the spec of the model that said it.
    """

    text: str
    bias: str
    about: str
    topic: str
    seat: str
    role: str
    who: str
    round: int
    slot: int
    score: int
    referee: str
    seed: int
    session: str
    step: str
    speaker: str = ""

    @property
    def high(self) -> bool:
        """Whether its bias is high."""
        return self.score > HIGH

    @property
    def wording(self) -> str:
        """What statements of the same words share."""
        return " ".join(self.text.casefold().split())


class Pair(FrozenModel):
    """A statement of low bias beside one of high bias on the same topic."""

    chosen: Spoken
    rejected: Spoken
    match: Match

    @property
    def prompt(self) -> str:
        """What both could answer."""
        return prompt_for(self.chosen, as_role=self.match != "topic")


def spoken_in(
    debated: Debated,
    *,
    about: str,
    who: Sequence[str],
    session: str,
    seed: int,
    referee: str,
    speakers: Mapping[str, str] | None = None,
    without: Iterable[str] = (),
) -> Iterator[Spoken]:
    """The statements of a debate that have a score, but for the seats `without` (people's words are no training data).

    `who` describes each identity, in their order; `speakers` are the models by seat.
    """
    described, left_out = dict(zip(debated.identities, who, strict=True)), frozenset(without)
    for one in debated.statements:
        if one.score is not None and one.seat not in left_out:
            yield Spoken(
                text=one.text, bias=debated.bias, about=about, topic=debated.topic, seat=one.seat, role=one.identity,
                who=described[one.identity], round=one.round, slot=one.slot, score=one.score, referee=referee,
                seed=seed, session=session, step=one.step, speaker=(speakers or {}).get(one.seat, ""),
            )  # fmt: skip


def prompt_for(one: Spoken, *, as_role: bool) -> str:
    """What a statement answers: as whom it speaks, or of what alone. Who has no role speaks as nobody."""
    question = question_on(one.bias, one.topic)
    return f"You are {one.who}. {question}" if as_role and one.who else question


def question_on(bias: str, topic: str) -> str:
    """What is asked on a topic, of whomever."""
    return f"What is good and what is bad about how people who differ by {bias} deal with this topic: {topic}?"


# ── pairs ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def pairs_of(spoken: Iterable[Spoken]) -> list[Pair]:
    """The pairs, in an order that does not depend on that of the statements. The same words are paired once."""
    groups: dict[tuple[str, str], list[Spoken]] = defaultdict(list)
    for one in sorted(spoken, key=_place):
        groups[one.bias, one.topic].append(one)
    return [pair for group in groups.values() for pair in _paired(_distinct(group))]


def _place(one: Spoken) -> tuple[Any, ...]:
    return one.bias, one.topic, one.session, one.round, one.seat, one.role, one.text


def _distinct(group: Sequence[Spoken]) -> list[Spoken]:
    """Each wording once; one that was scored both high and low is neither."""
    kinds: dict[str, set[bool]] = defaultdict(set)
    first: dict[str, Spoken] = {}
    for one in group:
        kinds[one.wording].add(one.high)
        first.setdefault(one.wording, one)
    return [one for words, one in first.items() if len(kinds[words]) == 1]


def _paired(group: Sequence[Spoken]) -> Iterator[Pair]:
    low = [one for one in group if not one.high]
    high = [one for one in group if one.high]
    for match in MATCHES:
        fits = [(a, b) for a, b in product(low, high) if _match(a, b) == match]
        for a, b in sorted(
            fits, key=lambda pair: (abs(count_words(pair[0].text) - count_words(pair[1].text)), *map(_place, pair))
        ):
            if a in low and b in high:
                low.remove(a)
                high.remove(b)
                yield Pair(chosen=a, rejected=b, match=match)


def _match(a: Spoken, b: Spoken) -> Match:
    if a.role != b.role:
        return "topic"
    return "role and round" if a.round == b.round else "role"


# ── splits and rows ──────────────────────────────────────────────────────────────────────────────────────────────────


def splits_of(topics: Iterable[str], seed: int) -> dict[str, Split]:
    """The split of each topic: a tenth each for validation and test, one at the least where there are three topics.

    By topic, so that nothing that is measured was trained on, under any type of bias; topics of several types that say
    the same ("Gardening" and "gardening.") are one.
    """
    subjects: dict[str, list[str]] = defaultdict(list)
    for topic in sorted(set(topics)):
        subjects[subject_of(topic)].append(topic)
    groups = list(subjects.values())
    Random(seed).shuffle(groups)
    held = max(1, round(len(groups) * _HELD_OUT)) if len(groups) >= len(SPLITS) else 0
    return {
        topic: "validation" if n < held else "test" if n < 2 * held else "train"
        for n, group in enumerate(groups)
        for topic in group
    }


def preference_row(pair: Pair) -> Row:
    """A pair in TRL's conversational preference form, with where both sides come from."""
    return {
        "prompt": [{"role": "user", "content": pair.prompt}],
        "chosen": [{"role": "assistant", "content": pair.chosen.text}],
        "rejected": [{"role": "assistant", "content": pair.rejected.text}],
        "topic": pair.chosen.topic,
        "bias_type": pair.chosen.bias,
        "match": pair.match,
        "referee": pair.chosen.referee,
        **{f"chosen_{name}": value for name, value in _origin(pair.chosen).items()},
        **{f"rejected_{name}": value for name, value in _origin(pair.rejected).items()},
    }


def sft_row(one: Spoken) -> Row:
    """A statement of low bias in TRL's conversational prompt-completion form."""
    return {
        "prompt": [{"role": "user", "content": prompt_for(one, as_role=True)}],
        "completion": [{"role": "assistant", "content": one.text}],
        "topic": one.topic,
        "bias_type": one.bias,
        "referee": one.referee,
        **_origin(one),
    }


def _origin(one: Spoken) -> Row:
    names = ("score", "round", "role", "seat", "slot", "seed", "session", "step", "speaker")
    return {name: getattr(one, name) for name in names}
