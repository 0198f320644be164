"""Who is named in a rule and is no role: an error beside an arrow or in a field, named as such in a sentence."""

from __future__ import annotations

import pytest

from tests.debate_engine.scenes.lenient.readings import with_rules


def findings(rules: str) -> list[tuple[str, bool]]:
    return [(found.what, found.grave) for found in with_rules(rules).findings if "no role" in found.what]


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("1. (Unicast) Ben -> Zoe: hello", ["Zoe receives it, who is no role"]),
        ("1. [Unicast, Ben → Zoe] hello there, you", ["Zoe receives it, who is no role"]),
        ("1. Unicast: Zoe → Ben: hello", ["Zoe starts it, who is no role"]),
        ("1. (Multicast) Ben → Ada, Zoe and Old Tom: hello", ["Old Tom receives it, who is no role",
                                                             "Zoe receives it, who is no role"]),
        ("1. Mode: Unicast\n   From: Ben\n   To: Zoe\n   Content: says hello", ["Zoe receives it, who is no role"]),
        ("1. Mode: Unicast\n   From: Zoe\n   To: Ben\n   Content: says hello", ["Zoe starts it, who is no role"]),
    ],
)  # fmt: skip
def test_a_stranger_beside_an_arrow_or_in_a_field_keeps_the_script_from_being_a_scene(
    rule: str, wrong: list[str]
) -> None:
    assert findings(rule) == [(what, True) for what in wrong]


@pytest.mark.parametrize("verb", ["tells", "asks", "reminds", "urges"])
def test_a_rule_that_speaks_to_a_stranger_is_not_clear(verb: str) -> None:
    (rule,) = with_rules(f"1. (Unicast) Ben {verb} Zoe about the tea.").rules
    assert (rule.clear, rule.notes) == (False, ("nobody is named as spoken to: the likeliest is taken",))


@pytest.mark.parametrize(
    "rule",
    [
        "1. (Unicast) Ben → Ada: hello",
        "1. (Broadcast) Cleo → all: hello",
        "1. (Broadcast) Cleo → All: hello",
        "1. (Broadcast) Cleo → Everyone in the Room: hello",
        "1. (Multicast) Cleo → Ada, Others: hello",
        "1. (Unicast) Cleo → The Participants: hello",
        "1. Mode: Broadcast\n   From: Cleo\n   To: All Members\n   Content: says hello",
        "1. (Multicast) Cleo → the Subject and Ben: hello",
        "1. (Unicast) → Ben tells Ada of Plan B.",
        "1. System → Ada [self-receiving]: a Letter",
        "1. Self-receiving (SYS) --> Ada and Ben are informed of the Price",
        "1. (Unicast) Ada declines → Ben tells Ada more",
        "1. Mode: Unicast\n   From: the Confederate\n   To: Subject\n   Content: says hello",
        "1. (Unicast) Ben tells Ada that Zoe is away.",
        "1. Ben → Ada, Unicast: hello",
        "1. Ben → Ada | Unicast | hello",
        "1. Ben → Ada – Unicast – hello",
        "1. Ben → Broadcast: hello",
        "1. (Broadcast) Cleo → Public: hello",
        "1. (Broadcast) Cleo → The Whole Room: hello",
        "1. Mode: Self-receiving\n   From: N/A\n   To: Ada\n   Content: hears a bell",
        "1. Mode: Broadcast\n   From: Cleo\n   To: Not applicable\n   Content: says hello",
        "1. (Unicast) Ben tells Ada the way School → Work.",
        "1. (Unicast) Ben asks Ada → Decision",
        "1. (Self-receiving) The system shows Ada a change Old → New.",
    ],
)
def test_who_is_a_role_or_only_spoken_of_is_no_stranger(rule: str) -> None:
    assert findings(rule) == []
