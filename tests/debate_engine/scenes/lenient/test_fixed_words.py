"""Scripts that give a rule's very words: they are taken over as they stand, but for a subject's."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes.consistency import inconsistencies
from elenchus.debate_engine.scenes.scene import Rule
from elenchus.debate_engine.scenes.script import read_any

SCRIPT = """Purpose: see whether people follow.

Roles
1. Ada (subject): a guest. Task: choose a tea.
2. Ben (confederate): her friend. Task: praise the green tea.
3. Cleo (moderator): the host. Task: lead.

Rules
1. (Broadcast) Cleo welcomes everybody.
2. {rule}

Observation: she takes green.
"""


def rule(text: str) -> Rule:
    scene = read_any(SCRIPT.replace("{rule}", text)).scene()
    assert not list(inconsistencies(scene))
    return scene.rules[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('(Unicast) Ben tells Ada who took it.\n   Says: "Everybody did, {Ada}."', "Everybody did, {Ada}."),
        ("(Unicast) Ben tells Ada who took green.\n   - Says: “Everybody took green.”", "Everybody took green."),
        ("(Unicast) Ben tells Ada who took green.\n   Verbatim: Everybody took green.", "Everybody took green."),
        ('(Unicast) Ben tells Ada: "Green is what I would take."', "Green is what I would take."),
        ("(Unicast) Ben tells Ada: “The price is {12}.”", "The price is {{12}}."),
        ('(Unicast) Ben tells Ada: "Take one" and shows her the "best".', ""),
        ("(Unicast) Ben tells Ada who took green.", ""),
        ('(Unicast) Ada tells Ben: "I take green."', ""),
    ],
)  # fmt: skip
def test_fixed_words_are_those_that_stand_there(text: str, words: str) -> None:
    assert rule(text).says == words


def test_the_words_of_the_system_are_its_message() -> None:
    read = rule("(Self-receiving) Ada receives system information.\n   Verbatim: Two teas stand here.")
    assert (read.message, read.says) == ("Two teas stand here.", "")
