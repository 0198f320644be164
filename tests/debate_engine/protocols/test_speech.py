"""A speech is one text, split by its headings into a part for each topic."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.speech import Speech, Topic, sections_of

TOPICS = (
    Topic(pro_concern="rest", con_concern="daily practice", scope="evenings"),
    Topic(pro_concern="fairness at home", con_concern="effort", scope="help"),
)


@pytest.mark.parametrize(
    "text",
    [
        "## 1. rest vs. daily practice\nSleep.\n\n## 2. fairness at home vs. effort\nHelp.",
        "### Topic 1\nSleep.\n# 2) Fairness\nHelp.",
        "**1. Rest**\nSleep.\n\n**Topic 2: fairness**:\nHelp.",
        "## Rest vs. daily practice\nSleep.\n## Fairness at home vs effort ##\nHelp.",
        "  ## 2. second\nHelp.\n## 1. first\nSleep.",
        "My speech begins.\n## 1. rest\nSleep.\n## 2. fairness\nHelp.",
    ],
    ids=["as asked", "numbers alone", "bold", "titles alone", "the other way round", "with a preamble"],
)
def test_headings_are_found_by_number_or_by_the_words_of_the_title(text: str) -> None:
    assert sections_of(text, TOPICS) == ["Sleep.", "Help."]


def test_a_heading_of_no_topic_stays_within_the_part_that_it_stands_in() -> None:
    text = "## 1. rest\nSleep.\n### A study\nOf 2019.\n## 2. fairness\nHelp."
    assert sections_of(text, TOPICS) == ["Sleep.\n### A study\nOf 2019.", "Help."]


@pytest.mark.parametrize(
    "inside",
    [
        "### 2 reasons for this",
        "## 2 reasons for this",
        "### 2. The second reason",
        "**2. The second reason**",
        "## 1.5 million studies",
        "### 2-year-olds",
        "# 2nd thoughts",
    ],
)
def test_a_figure_at_the_beginning_of_a_heading_within_a_topic_moves_nothing_to_another_topic(inside: str) -> None:
    text = f"## 1. rest\nSleep.\n{inside}\nOf 2019.\n## 2. fairness\nHelp."
    assert sections_of(text, TOPICS) == [f"Sleep.\n{inside}\nOf 2019.", "Help."]


@pytest.mark.parametrize(
    "second", ["### 2. Fairness at home vs. effort", "###### Fairness at home vs effort", "# 2、公平"]
)
def test_a_topic_is_known_by_its_title_at_any_depth_and_by_its_number_at_the_depth_of_the_first(second: str) -> None:
    assert sections_of(f"## 1. rest\nSleep.\n{second}\nHelp.", TOPICS) == ["Sleep.", "Help."]


def test_a_topic_with_two_headings_has_both_parts_and_one_that_was_passed_over_none() -> None:
    assert sections_of("## 1. rest\nSleep.\n## 1. rest\nAnd dream.", TOPICS) == ["Sleep.\n\nAnd dream.", ""]


def test_a_text_without_any_known_heading_belongs_whole_to_every_topic() -> None:
    assert sections_of(" Sleep and help. \n", TOPICS) == ["Sleep and help."] * 2
    assert sections_of("## 7. weather\nIt rains.", TOPICS) == ["## 7. weather\nIt rains."] * 2


def test_a_turn_without_a_speech_has_no_words_and_its_reason() -> None:
    silent = Speech.none("con", "opening", "the model refused", TOPICS)
    assert (silent.text, silent.sections, silent.declined) == ("", ("", ""), "the model refused")


@given(st.text(), st.integers(1, 2))
def test_any_text_has_a_part_for_each_topic_made_of_its_own_words(text: str, topics: int) -> None:
    speech = Speech.of("pro", "opening", text, TOPICS[:topics])
    assert len(speech.sections) == topics
    words = set(text.split())
    assert all(set(section.split()) <= words for section in speech.sections)


def test_a_title_names_the_concern_of_the_side_that_claims_first() -> None:
    assert TOPICS[0].title == "rest vs. daily practice"
    assert TOPICS[0].turned == "daily practice vs. rest"
