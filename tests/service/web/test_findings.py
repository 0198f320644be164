"""What came out is told on a page in the page's language: every sentence that the engine makes of a class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest

from elenchus.debate_engine.protocols.rulegen.study import contrasts, differences
from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.service.lab.classes import effects
from elenchus.service.lab.classes.effects import effects_of
from elenchus.service.lab.classes.reveal import rows_of
from elenchus.service.web.findings import FORMS, either, finding_in_words, numbers, part_in_words, published_in_words
from elenchus.service.web.strings import Words
from tests.service.lab.classes.observed import observed

CELLS = tuple("/".join(levels) for levels in product(("hoch", "niedrig"), ("eilig", "ruhig")))
ENGLISH = re.compile(r"\b(?:the|and|with|of|who|met|that|not|expected|points|against|people|told|within|to|on)\b")
_FROM = (range(5_000, 5_090, 10), range(4_000, 4_090, 10), range(100, 190, 10), range(1_000, 1_900, 100))
NUMBERS: Mapping[str, Sequence[float]] = dict(zip(CELLS, _FROM, strict=True))
ALIKE: Mapping[str, Sequence[float]] = {cell: [1_000.5 + n for n in range(9)] for cell in CELLS}
SHARES = {CELLS[0]: [True] * 9 + [False] * 6, CELLS[1]: [True] * 8 + [False] * 7,
          CELLS[2]: [True] * 5 + [False] * 10, CELLS[3]: [True] * 6 + [False] * 9}  # fmt: skip
FEW = {CELLS[0]: [True] * 14 + [False], CELLS[1]: [True] * 13 + [False] * 2,
       CELLS[2]: [False] * 15, CELLS[3]: [False] * 14 + [True]}  # fmt: skip
TWELVE = {cell: [True] * 6 + [False] * 6 for cell in CELLS}
SKEWED: Mapping[str, Sequence[float]] = {cell: [*values[:8], 1_000_000] for cell, values in NUMBERS.items()}
OUTCOMES: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "numbers": NUMBERS, "alike": ALIKE, "skewed": SKEWED, "shares": SHARES, "few": FEW, "twelve": TWELVE,
}  # fmt: skip
COMPARED: Sequence[Mapping[str, Any]] = (
    {"compare": "hoch/* - niedrig/*", "expect": "greater"},
    {"compare": "hoch/* - niedrig/*", "expect": "less"},
    {"compare": "hoch/* - niedrig/*"},
    {"compare": "hoch/* - niedrig/*", "expect": "same", "margin": 0.4},
    {"compare": "hoch/* - niedrig/*", "expect": "same", "margin": 0.0001},
    {"compare": "*/eilig - */ruhig"},
    {"compare": "hoch/* - niedrig/*", "expect": "same", "margin": 1},
    {"compare": "(hoch/eilig - niedrig/eilig) - (hoch/ruhig - niedrig/ruhig)"},
)


def a_study(outcomes: Mapping[str, Sequence[Any]], contrast: Mapping[str, Any]) -> Study:
    plan = Plan(contrasts=(Contrast.model_validate(contrast),))
    scene = StudiedScene(name="s", title="S", design=Design.between(CELLS, ("zahl", "tempo")), outcome="x", plan=plan)
    return study_of(scene, observed(outcomes)).model_copy(
        update={"unit": "Perlen" if outcomes in (NUMBERS, ALIKE) else ""}
    )


@cache
def sentences(which: str, contrast: int) -> tuple[str, ...]:
    """What the engine tells of many classes: of these outcomes, compared so."""
    effects, _ = effects_of(a_study(OUTCOMES[which], COMPARED[contrast]), PEOPLE, ())
    return tuple(dict.fromkeys(sentence for effect in effects for sentence in effect.sentences))


@pytest.mark.parametrize("contrast", range(len(COMPARED)))
@pytest.mark.parametrize("which", OUTCOMES)
def test_a_sentence_on_how_versions_differ_is_told_in_german_with_its_numbers(which: str, contrast: int) -> None:
    for sentence in sentences(which, contrast):
        german = numbers(finding_in_words(sentence, Words("de")), Words("de"))
        assert not ENGLISH.search(german), german
        digits = [re.sub(r"\D", "", found) for found in re.findall(r"\d[\d.,]*", sentence)]
        assert sorted(re.sub(r"\D", "", found) for found in re.findall(r"\d[\d.,]*", german)) == sorted(digits)
        assert numbers(finding_in_words(sentence, Words("en")), Words("en")) == sentence


def test_every_form_of_such_a_sentence_is_met_by_some_class() -> None:
    said = {one for which, contrast in product(OUTCOMES, range(len(COMPARED))) for one in sentences(which, contrast)}
    met = {name for name in FORMS for sentence in said if _form_of(sentence) == name}
    assert set(FORMS) - met <= {"same-untold", "rough"}, "which a p that cannot be told leaves"


def _form_of(sentence: str) -> str:
    return next((name for name, form in FORMS.items() if form.fullmatch(sentence)), "")


@pytest.mark.parametrize(
    "why", [effects.FEW_PEOPLE, effects.FEW_SAID, effects.FEW_CHANGED, effects.FEW_BETWEEN, contrasts.NO_STRATUM,
            differences.TWO_EACH, differences.FEW_SHARES, differences.SAME_CHANGE]
)  # fmt: skip
def test_why_versions_are_not_compared_is_told_in_german(why: str) -> None:
    assert Words("en").of("labels", why) == why
    assert Words("de").of("labels", why) != why


def test_what_stands_in_a_table_and_what_others_found_is_told_in_german() -> None:
    german = Words("de")
    (row, *_) = rows_of(a_study(SHARES, COMPARED[0]))
    assert part_in_words(row.told, german) == row.told.replace(" to ", " bis ")
    assert " bis " in part_in_words(row.told, german)
    assert either("hoch or keine", german) == "hoch oder keine"
    assert part_in_words("hoch against niedrig", german) == "hoch gegen niedrig"
    assert part_in_words("−14 percentage points on average", german) == "−14 Prozentpunkte im Mittel"
    assert published_in_words("d 0.6 (0.4 to 0.8), 6,271 people", german, "de") == "d 0,6 (0,4 bis 0,8), 6.271 Personen"
    assert published_in_words("risk difference 0.5", german, "en") == "Risikodifferenz 0,5"
    assert published_in_words("d von 1,17 bis 2,42, mit je 5.284 Personen", german, "de").endswith("je 5.284 Personen")
    assert published_in_words("d from 1.17 to 2.42, with 5,284", german, "en") == "d from 1,17 to 2,42, with 5.284"


def test_what_has_no_form_is_shown_as_it_is() -> None:
    assert finding_in_words("Nobody has a form for this.", Words("de")) == "Nobody has a form for this."
