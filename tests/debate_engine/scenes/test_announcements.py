"""Roles announced in less usual dresses, and names that end in a letter or a number."""

from __future__ import annotations

import pytest

from tests.debate_engine.scenes.tastings import KINDS, PEOPLE, kinds_of, parties_of, whole


@pytest.mark.parametrize(
    "form",
    [
        "#### {kind}\n**{name}**\n- Background: {past}\n- Task: {task}",
        "[{kind}] {name}\nBackground: {past}\nTask: {task}",
        "Participant {n} ({kind}): {name}\nBackground: {past}\nTask: {task}",
        "Participant {letter}: {name} – {kind}\nBackground: {past}\nTask: {task}",
        "{kind} Name: {name}\n{kind} Background: {past}\n{kind} Task: {task}",
        "- {kind} – {name}: {past} Task: {task}",
        "{name} — {kind} — {past} — Task: {task}",
    ],
)
@pytest.mark.parametrize("names", [("Ada", "Ben", "Cleo"), ("Mrs. Hall", "José Diaz", "Dr. Lena Ott")])
def test_a_kind_beside_a_name_is_known_in_less_usual_dresses(form: str, names: tuple[str, ...]) -> None:
    people = "\n".join(
        form.format(n=n, letter="ABC"[n - 1], name=name, kind=kind.title(), past=past, task=task)
        for n, (name, kind, (_, _, past, task)) in enumerate(zip(names, KINDS, PEOPLE, strict=True), 1)
    )
    reading = whole(people, f"1. (Unicast, joking) {names[1]} jokes with {names[0]}.")
    assert kinds_of(reading) == list(zip(names, KINDS, strict=True))
    assert [role.task for role in reading.roles] == [task for *_, task in PEOPLE]
    assert (reading.rules[0].rule.initiator, reading.rules[0].rule.receivers) == (names[1], (names[0],))


@pytest.mark.parametrize("call", ["Player", "Person", "Agent", "Participant"])
@pytest.mark.parametrize(
    "form", ["{call} {letter} ({kind}): {past}\nTask: {task}", "{call} {letter} ({kind})\nTask: {task}"]
)
def test_a_number_or_letter_belongs_to_the_name_where_the_rules_use_both(call: str, form: str) -> None:
    people = "\n".join(
        form.format(call=call, letter=letter, kind=kind.title(), past=past, task=task)
        for letter, kind, (_, _, past, task) in zip("ABC", KINDS, PEOPLE, strict=True)
    )
    rules = f"1. (Unicast, joking) {call} B jokes with {call} A.\n2. (Unicast) {call} C asks {call} A."
    reading = whole(people, rules)
    assert kinds_of(reading) == [(f"{call} {letter}", kind) for letter, kind in zip("ABC", KINDS, strict=True)]
    assert parties_of(reading) == [
        (f"{call} B", (f"{call} A",)),
        (f"{call} C", (f"{call} A",)),
    ]


def test_an_initial_belongs_to_the_name() -> None:
    reading = whole(
        "Name: Ada K.\nIdentity: Subject\nName: Ben.\nIdentity: Confederate", "1. (Unicast) Ben asks Ada K. for a cup."
    )
    assert [role.name for role in reading.roles] == ["Ada K", "Ben"]
    assert parties_of(reading) == [("Ben", ("Ada K",))]


def test_a_name_behind_what_somebody_is_is_not_plain_and_no_rule_that_uses_it_is_called_clear() -> None:
    people = "* Buyer (Subject): Mia, looks\n* Seller (Confederate): Noah, sells\n* Helper (Moderator): Lea, helps"
    reading = whole(people, "1. (Unicast) Noah tells Mia a price.\n2. (Unicast) The Seller tells the Buyer a price.")
    assert [rule.clear for rule in reading.rules] == [False, True]
    assert parties_of(reading)[1] == ("Seller", ("Buyer",))
