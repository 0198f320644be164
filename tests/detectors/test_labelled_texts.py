"""The labelled set of our own: 73 pairs of texts, one with exactly one bias, its twin soundly reasoned.

What is proved here is form: completeness, length, that no text names a bias, and that neither length nor one word tells
the twins apart. Whether a text shows its bias and no other is for readers to judge: `second_review.yaml`.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean

import pytest
import yaml

from elenchus import detectors
from elenchus.config.catalogue import load_biases

TEXTS = Path(detectors.__file__).parent / "evaluation" / "texts"
REVIEW = TEXTS.with_name("second_review.yaml")
WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*")
SIDES = ("biased", "sound")

MARGIN = 9
"""How far right may exceed wrong over 73 pairs, about the spread of 73 coin tosses (8.5). That is strict: the verdicts
hang together, and with the twins swapped at random the difference goes past 20 in one case of twenty."""

LEAN = 7
"""In how many more pairs a word may stand only in the biased twin than only in the sound one, or the reverse. Strict
too: with the twins swapped at random, the word that leans most leans by 10 as a rule."""

Twins = tuple[frozenset[str], frozenset[str]]
"""The words of the biased text and of the sound one."""


def read(path: Path) -> dict[str, str]:
    pair: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return pair


PAIRS = {path.stem: read(path) for path in sorted(TEXTS.iterdir())}
BIASES = tuple(bias for bias in load_biases() if bias.detected)


def words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.lower().replace("’", "'")))


def twins() -> dict[str, Twins]:
    return {bias: (words(pair["biased"]), words(pair["sound"])) for bias, pair in PAIRS.items()}


def lengths(side: str) -> dict[str, int]:
    return {bias: len(pair[side].split()) for bias, pair in PAIRS.items()}


def spaced(text: str) -> str:
    """Lower-case words between single spaces, so that a name is found whatever its hyphens, and only as whole words."""
    return f" {' '.join(re.findall(r'[a-z]+', text.lower()))} "


# ── form ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_bias_of_the_catalogue_has_one_pair_and_there_is_no_other() -> None:
    assert set(PAIRS) == {bias.id for bias in BIASES}
    assert len(PAIRS) == 73
    for bias, pair in PAIRS.items():
        assert set(pair) == {"bias", *SIDES}
        assert pair["bias"] == bias
        assert pair["biased"] != pair["sound"]


@pytest.mark.parametrize("side", SIDES)
def test_a_text_has_80_to_200_words(side: str) -> None:
    assert {bias: n for bias, n in lengths(side).items() if not 80 <= n <= 200} == {}


@pytest.mark.parametrize("side", SIDES)
def test_no_text_names_a_bias_by_id_name_or_alias(side: str) -> None:
    names = {spaced(called) for bias in BIASES for called in bias.called()}
    named = {
        bias: found for bias, pair in PAIRS.items() if (found := [name for name in names if name in spaced(pair[side])])
    }
    assert named == {}


def test_no_text_was_changed_after_the_second_reading_unless_it_is_said_which() -> None:
    """Who changes a text names its pair in second_review.yaml, under `changed_since`, with `texts_now_sha256`."""
    second = yaml.safe_load(REVIEW.read_text(encoding="utf-8"))["second_reading"]
    files = b"".join(path.read_bytes() for path in sorted(TEXTS.iterdir()))
    assert hashlib.sha256(files).hexdigest() == second.get("texts_now_sha256", second["texts_sha256"])
    assert ("texts_now_sha256" in second) == ("changed_since" in second)
    assert set(second.get("changed_since", ())) <= set(PAIRS)


# ── length does not tell ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_twins_are_of_like_length_one_by_one_and_on_the_whole() -> None:
    biased, sound = lengths("biased"), lengths("sound")
    assert {bias: biased[bias] - sound[bias] for bias in PAIRS if abs(biased[bias] - sound[bias]) > 25} == {}
    assert abs(fmean(biased.values()) - fmean(sound.values())) <= 3


def test_the_shorter_twin_is_the_sound_one_about_as_often_as_the_biased_one() -> None:
    biased, sound = lengths("biased"), lengths("sound")
    sound_shorter = sum(sound[bias] < biased[bias] for bias in PAIRS)
    biased_shorter = sum(biased[bias] < sound[bias] for bias in PAIRS)
    assert abs(sound_shorter - biased_shorter) <= MARGIN


# ── no single word tells ─────────────────────────────────────────────────────────────────────────────────────────


def leans(pairs: Mapping[str, Twins]) -> Counter[str]:
    """Of each word: in how many pairs it stands only in the biased text, less those where only in the sound one."""
    found: Counter[str] = Counter()
    for biased, sound in pairs.values():
        found.update(biased - sound)
        found.subtract(sound - biased)
    return found


def strongest(lean: Counter[str], among: frozenset[str]) -> str:
    return max(sorted(among), key=lambda word: abs(lean[word]))


def one_word_for_all(lean: Counter[str], pair: Twins) -> str:
    """The word that leans most in the other pairs, whether or not it parts this pair."""
    return strongest(lean, frozenset(lean))


def best_word_at_hand(lean: Counter[str], pair: Twins) -> str:
    """Of the words that part this pair, the one that leans most in the others."""
    return strongest(lean, pair[0] ^ pair[1])


def verdict(word: str, lean: Counter[str], pair: Twins) -> str:
    biased, sound = pair
    if (word in biased) == (word in sound) or not lean[word]:
        return "undecided"
    return "right" if (lean[word] > 0) == (word in biased) else "wrong"


def leave_one_out(pairs: Mapping[str, Twins], choose: Callable[[Counter[str], Twins], str]) -> Counter[str]:
    """How often a rule of one word, learnt on all other pairs, picks the biased twin of the pair left out."""
    verdicts: Counter[str] = Counter()
    everywhere = leans(pairs)
    for bias, pair in pairs.items():
        lean = everywhere.copy()
        lean.subtract(leans({bias: pair}))
        verdicts[verdict(choose(lean, pair), lean, pair)] += 1
    return verdicts


def tells(verdicts: Counter[str]) -> bool:
    """Whether the rule is right more often than chance explains. Wrong more often is no leak: see below."""
    return verdicts["right"] - verdicts["wrong"] > MARGIN


@pytest.mark.parametrize("choose", [one_word_for_all, best_word_at_hand])
def test_one_word_learnt_on_the_other_pairs_does_not_pick_the_biased_twin(
    choose: Callable[[Counter[str], Twins], str],
) -> None:
    """A guard and no measurement: the words were evened out by hand with these counts in view.

    Hence it is wrong more often than right: where a word stands even, a pair left out tips the rest the other way.
    """
    verdicts = leave_one_out(twins(), choose)
    assert verdicts.total() == len(PAIRS)
    assert not tells(verdicts), verdicts


def test_no_word_leans_far_to_one_side() -> None:
    assert {word: lean for word, lean in leans(twins()).items() if abs(lean) > LEAN} == {}


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("choose", [one_word_for_all, best_word_at_hand])
def test_a_word_planted_in_one_side_of_two_pairs_in_three_is_caught(
    choose: Callable[[Counter[str], Twins], str], side: int
) -> None:
    planted = twins()
    for bias in (bias for n, bias in enumerate(PAIRS) if n % 3):
        pair = list(planted[bias])
        pair[side] |= {"verily"}
        planted[bias] = (pair[0], pair[1])
    assert tells(leave_one_out(planted, choose))
    assert abs(leans(planted)["verily"]) > LEAN
