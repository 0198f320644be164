"""Where questions and flows come from; our small set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.config.documents import UnreadableDocument
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES
from elenchus.detectors.evaluation.cogbench.topics import SMALL_SET, TOPICS, own_set, profiles_in, released
from tests.detectors.evaluation.cogbench.made_files import task, written


def test_there_are_the_papers_50_topics_in_10_categories() -> None:
    assert len(TOPICS) == 10
    assert {len(names) for names in TOPICS.values()} == {5}
    assert len({name for names in TOPICS.values() for name in names}) == 50


def test_our_small_set_has_four_topics_three_profiles_and_five_articles_each_and_says_whose_it_is() -> None:
    material = own_set()
    assert (len(material.topics), len(material.profiles), len(material.control)) == (4, 3, 5)
    assert material.origin == "written for Elenchus; people, places and events are invented"
    for topic in material.topics.values():
        assert topic.topic in TOPICS[topic.category]
        assert len(topic.flows) == 5
        assert len({flow.texts for flow in topic.flows}) == 5
        assert all(120 <= len(flow.texts[0].split()) <= 200 for flow in topic.flows)


def test_in_our_small_set_opinions_and_interest_are_balanced_and_articles_push_both_ways_over_the_topics() -> None:
    coded = [topic.coded for topic in own_set().topics.values() if topic.coded]
    names = {profile.name for profile in own_set().profiles}
    assert sorted(one.pushes for one in coded) == [-1, -1, 1, 1]
    for one in coded:
        assert sorted(opinion.side for opinion in one.opinions) == [-1, -1, 1, 1]
        assert set(one.interest) == names
        assert {"high", "low"} == set(one.interest.values())
    high = [name for one in coded for name, interest in one.interest.items() if interest == "high"]
    assert {name: high.count(name) for name in names} == dict.fromkeys(names, 2)


def test_no_opinion_of_ours_hedges() -> None:
    for topic in own_set().topics.values():
        for question in topic.questions:
            assert not {"probably", "might", "may", "perhaps", "could"} & set(question.lower().rstrip(".").split())


def test_a_set_is_narrowed_by_names_or_their_beginnings() -> None:
    found = own_set().only(("winter", "PETS"), ("marta",))
    assert list(found.topics) == ["Winter Sports", "Pets"]
    assert [profile.name for profile in found.profiles] == ["Marta Lindqvist"]
    for topics, profiles in ((("Yoga",), ()), ((), ("Greta",)), (("",), ())):
        with pytest.raises(UsageError, match="There is no one"):
            own_set().only(topics, profiles)


def profile(name: str = "Greta") -> dict[str, str]:
    return {str(attribute): "some" for attribute in ATTRIBUTES} | {"Name": name}


def test_files_of_the_release_become_material(tmp_path: Path) -> None:
    tasks = written(tmp_path, [task(0, flow=[]), task(2, flow=[{"description": "A mat."}, "Text"]), task(1)])
    people = written(tmp_path, [profile(), profile("Jonas")], "profile.json")
    found = released(tasks, people)
    assert [flow.texts for flow in found.topics["Yoga"].flows] == [("An article.",), ("A mat.", "Text")]
    assert [one.name for one in found.profiles] == ["Greta", "Jonas"]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([task(0), task(1)], "iteration 0 of Yoga is asked before anything is read"),
        ([task(1), task(3)], "iteration 2 of Yoga is missing"),
        ([task(1), task(2, flow=[])], "iteration 2 of Yoga has nothing to read"),
        ([task(1, flow=["x" * 200_001])], "more than 200,000 characters"),
        ([{**task(1), "questionnaire": [{"question": " "}]}], "a question of Yoga is empty"),
    ],
)
def test_tasks_that_cannot_be_run_are_refused(tmp_path: Path, records: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        released(written(tmp_path, records), None)


def test_a_profile_with_a_missing_attribute_is_refused(tmp_path: Path) -> None:
    whole = profile()
    del whole["Flaws"], whole["Values"]
    with pytest.raises(UsageError, match=r"Profile 1 of .*: it lacks Values, Flaws"):
        profiles_in(written(tmp_path, [whole]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"opinions": []}, "opinions"),
        ({"articles": [{"file": "1.md", "pushes": 1}, {"file": "2.md", "pushes": -1}]}, "push to both sides"),
        ({"articles": [{"file": "../../x.md", "pushes": 1}]}, "articles.0.file"),
        ({"articles": [{"file": "none.md", "pushes": 1}]}, "none.md"),
        ({"interest": {"Greta": "some"}}, "interest.Greta"),
        ({"topic": ""}, "topic"),
    ],
)
def test_a_folder_with_a_faulty_topic_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    right = yaml.safe_load((SMALL_SET / "pets/topic.yaml").read_text())
    folder = tmp_path / "pets"
    folder.mkdir()
    for n in range(1, 6):
        (folder / f"{n}.md").write_text("Words.")
    (folder / "topic.yaml").write_text(yaml.safe_dump(right, allow_unicode=True))
    assert own_set(tmp_path).topics["Pets"].flows[0].texts == ("Words.",)
    (folder / "topic.yaml").write_text(yaml.safe_dump(right | change, allow_unicode=True))
    with pytest.raises((UsageError, UnreadableDocument), match=said):
        own_set(tmp_path)


def test_a_folder_without_topics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no topics"):
        own_set(tmp_path)
