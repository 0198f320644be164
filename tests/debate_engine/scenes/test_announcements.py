"""Roles announced in less usual dresses, and names that end in a letter or a number."""

from __future__ import annotations

import pytest

from tests.debate_engine.scenes.tastings import KINDS, PEOPLE, kinds_of, parties_of, whole


@pytest.mark.parametrize(
    "form",
    [
        "#### {kind}\n**{name}**\n- Background: {past}\n- Task: {task}",
        "[{kind}] {name}\nBackground: {past}\nTask: {task}",
        "{n}) {name}; {kind}; {past}; {task}",
        "**{name}** | {kind} | {past} | {task}",
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


def test_the_full_stop_of_an_initial_belongs_to_the_name() -> None:
    reading = whole(
        "Name: Ada K.\nIdentity: Subject\nName: Ben.\nIdentity: Confederate", "1. (Unicast) Ben asks Ada K. for a cup."
    )
    assert [role.name for role in reading.roles] == ["Ada K.", "Ben"]
    assert (reading.rules[0].rule.initiator, reading.rules[0].rule.receivers) == ("Ben", ("Ada K.",))


@pytest.mark.parametrize(
    "form",
    [
        "* {call} ({kind}): {name}, does {deed}",
        "{n}. {call} ({kind}) – {name}; does {deed}",
        "Role {n}: {call} ({kind}): {name}, does {deed}",
        "- {call}, the {kind}: {name}",
    ],
)
@pytest.mark.parametrize("names", [("Mia", "Noah", "Lea"), ("Ms. Hall", "José Diaz", "Dr. Lena Ott")])
def test_the_name_may_stand_behind_what_somebody_is_where_the_rules_use_it(form: str, names: tuple[str, ...]) -> None:
    calls = ("Buyer", "Seller", "Helper")
    people = "\n".join(
        form.format(n=n, call=call, kind=kind, name=name, deed="this")
        for n, (call, kind, name) in enumerate(zip(calls, KINDS, names, strict=True), 1)
    )
    buyer, seller, _ = names
    reading = whole(people, f"1. (Unicast) {seller} tells {buyer} a price.\n2. (Unicast) The Buyer answers the Seller.")
    assert kinds_of(reading) == list(zip(names, KINDS, strict=True))
    assert parties_of(reading) == [
        (seller, (buyer,)),
        (buyer, (seller,)),
    ]
    unused = whole(people, "1. (Unicast) The Seller tells the Buyer a price.")
    assert parties_of(unused) == [(unused.roles[1].name, (unused.roles[0].name,))]


def test_who_is_studied_is_the_subject_and_who_moderates_the_moderator() -> None:
    people = "* Seller (Confederate): Mia, sells a lamp\n* Buyer (the one we study): Noah\n* Helper, who moderates: Lea"
    rules = (
        "- (broadcast) Lea explains the market.\n- (unicast) Mia tells Noah a price.\n- Noah names his price to Mia."
    )
    roles = whole(people, rules).roles
    assert [(role.name, role.kind) for role in roles] == [
        ("Mia", "confederate"),
        ("Noah", "subject"),
        ("Lea", "moderator"),
    ]
