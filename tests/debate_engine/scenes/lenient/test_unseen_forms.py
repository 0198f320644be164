"""Whole scripts of our own in forms that the reader was not written for: all roles, and each rule's parties."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.debate_engine.scenes.lenient.reader import read_script
from elenchus.debate_engine.scenes.lenient.words import kind_of, named_kind
from tests.debate_engine.scenes.lenient.readings import agree, parties_told, told, with_rules

ROOT = Path(__file__).parents[4]
FORMS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("unseen_forms.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", FORMS)
def test_a_script_in_another_form_is_read_whole(form: str) -> None:
    reading = read_script(FORMS[form]["script"])
    assert ", ".join(f"{role.name} {role.kind}" for role in reading.roles) == FORMS[form]["cast"]
    assert FORMS[form]["cast"] or "no roles were found" in [finding.what for finding in reading.findings]
    assert len(reading.rules) == len(FORMS[form]["rules"])
    assert all(agree(found, expected) for found, expected in zip(told(reading), FORMS[form]["rules"], strict=True))


READ_ALL = """
import sys, yaml
from elenchus.debate_engine.scenes.lenient.reader import read_script
print([read_script(form["script"]) for form in yaml.safe_load(sys.stdin.read()).values()])
"""


@pytest.mark.slow
def test_another_process_reads_the_same_whatever_the_order_of_its_sets() -> None:
    forms = Path(__file__).with_name("unseen_forms.yaml").read_bytes()
    told = {
        subprocess.run(
            [sys.executable, "-c", READ_ALL],
            input=forms,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
    assert len(next(iter(told))) > 10_000


SENTENCES = Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", SENTENCES)
def test_who_speaks_to_whom_is_read_from_the_sentence(line: str) -> None:
    mode, sentence, expected = line.split(" | ")
    (read,) = with_rules(f"1. ({mode}, x) {sentence}").rules
    assert read.rule.mode == mode
    assert agree(parties_told(read), expected)


def test_three_of_four_sentences_that_have_an_answer_are_read_clear() -> None:
    answered = [line.split(" | ") for line in SENTENCES if not line.endswith("?")]
    clear = [with_rules(f"1. ({mode}, x) {sentence}").rules[0].clear for mode, sentence, _ in answered]
    assert sum(clear) >= 0.75 * len(answered)


NOT_TOLD = ["To influence the range by leaving stars"]
KINDS = Path(__file__).with_name("kinds.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", KINDS)
def test_what_a_role_is_for_is_told_from_what_it_does(line: str) -> None:
    kind, title, identity, background, task = line.split(" | ")
    found, guessed = kind_of(title, identity, background, task), named_kind(title, identity, background) is None
    assert found == kind or (guessed and task in NOT_TOLD)  # a guess is named in a finding


HEADINGS = """
1. Scene Purpose / 2. Scene Background / 3. Settings of Roles / 4. Scene Rules / 5. Method to Observe the Phenomenon
I. Purpose / II. Background / III. Roles / IV. Rules / V. Observation
**1. Purpose:** / **2. Scene Background:** / **3. Settings of Roles:** / **4. Rules:** / **5. Observation Method:**
Section 1: Purpose / Section 2: Background / Section 3: Roles / Section 4: Rules / Section 5: Observation
## Objective / ## Context / ## Characters / ## Interaction Rules / ## Measurement
# Aim of the Experiment / # Setting / # Participants and Roles / # Procedure / # How the Bias Is Observed
SCENE PURPOSE / SCENE BACKGROUND / SETTINGS OF ROLES / SCENARIO RULES / METHOD TO OBSERVE
[Scene Purpose] / [Scene Background] / [Settings of Roles] / [Scene Rules] / [Method to Observe]
Purpose of the Scene: / Background of the Scene: / Roles and Settings: / Rules (in order): / Observation of the Bias:
Scene Pupose: / Scene Backgroud: / Seting of Roles: / Scence Rules: / Method to Obseve the Cognitve Bias:
> **Purpose** / > **Scene Background** / > **Settings of Roles** / > **Scene Rules** / > **Method to Observe**
- **Purpose:** / - **Scene Background:** / - **Settings of Roles:** / - **Scene Rules:** / - **Method to Observe:**
Scene Purpose - / Scene Background - / Settings of Roles - / Scene Rules - / Method to Observe -
scene purpose： / scene background： / settings of roles： / scene rules： / method to observe：
WHY WE DO THIS / WHERE WE ARE / DRAMATIS PERSONAE / HOW IT GOES / WHAT WE COUNT
**The idea** / **The setting** / **Who's who** / **What happens, step by step** / **How you'd see the effect**
# 🎯 Purpose / # 🏠 Background / # 👥 People / # 📜 Course of events / # 🔍 What we look for
Scene Purpsoe / Scene Backgruond / Setting of Roels / Scene Ruels / Mehtod to Observe
"""


@pytest.mark.parametrize("line", HEADINGS.strip().splitlines())
def test_sections_are_found_whatever_their_headings_look_like(line: str) -> None:
    purpose, background, roles, rules, observation = line.split(" / ")
    cast = "Role 1: Ada (Subject)\nRole 2: Ben (Confederate)\nRole 3: Cleo (Moderator)"
    course = "1. (Unicast) Ben jokes with Ada.\n2. (Broadcast) Cleo thanks everyone."
    parts = (purpose, "see it", background, "a shop", roles, cast, rules, course, observation, "count it")
    reading = read_script("\n".join(parts))
    assert (reading.purpose, reading.background, reading.observation) == ("see it", "a shop", "count it")
    assert [role.kind for role in reading.roles] == ["subject", "confederate", "moderator"]
    assert told(reading) == ["unicast None Ben > Ada", "broadcast None Cleo > Ada,Ben"]
