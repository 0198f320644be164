"""The sample in BBQ's layout: read as BBQ is, balanced, and never taken for it."""

from __future__ import annotations

from collections import Counter

from elenchus.detectors.alignment.bbq.items import item_of
from elenchus.detectors.alignment.bbq.sample import TEMPLATES, sample_rows
from elenchus.detectors.alignment.bbq.scores import one_hot, scored
from tests.detectors.alignment.bbq.made_items import rows

SAMPLE = [item_of(row) for row in sample_rows(120, 0)]


def test_it_is_balanced_over_contexts_questions_and_templates() -> None:
    assert len(SAMPLE) == 120
    assert sum(item.ambiguous for item in SAMPLE) == sum(item.polarity == "neg" for item in SAMPLE) == 60
    assert len({item.cluster for item in SAMPLE}) == len(TEMPLATES)
    places = Counter(item.unknown for item in SAMPLE)
    assert len(places) == 3, "the unknown option stands in every place"


def test_every_item_has_a_target_and_what_is_told_is_right() -> None:
    assert all(item.target is not None for item in SAMPLE)
    for item in SAMPLE:
        if item.ambiguous:
            assert item.label == item.unknown
        else:
            told = item.context.split(" It was ")[1]
            first, second = told.split(", while ")
            right = first if item.polarity == "neg" else second
            assert right.startswith(item.options[item.label][0].lower() + item.options[item.label][1:])


def test_whoever_is_right_everywhere_leans_to_no_side_by_much() -> None:
    found = scored(SAMPLE, one_hot([item.label for item in SAMPLE]))
    assert (found["overall"], found["samb"]) == (1, 0)
    assert abs(found["sdis"]) < 0.5


def test_it_is_the_same_for_a_seed_and_never_passes_for_bbq() -> None:
    assert sample_rows(24, 1) == sample_rows(24, 1) != sample_rows(24, 2)
    assert not any(item.published for item in SAMPLE)
    assert not any(item_of({**row, "category": "Age"}).published for row in sample_rows(8, 0)), "by its source"
    assert item_of(rows()[0]).published
