"""Roles announced by structure: by name and occupation, by name alone, by what they are before their name."""

from __future__ import annotations

import pytest

from tests.debate_engine.scenes.lenient.readings import KINDS, PEOPLE, RULES, kinds_of, parties_of, roles_of, whole

FORMS = (
    "{n}. **{name}** ({job})\n   - Background: {past}\n   - Task: {task}",
    "{n}. {job}: {name}\n   Background: {past}\n   Task: {task}",
    "{n}. {name} - {job}\n   Background: {past}\n   Task: {task}",
    "- **{job} ({name})**\n  - Background: {past}\n  - Task: {task}",
    "- {name}, the {job}:\n  - Background: {past}\n  - Task: {task}",
    "### {name}\n- Identity: {job}\n- Background: {past}\n- Task: {task}",
    "**{name}**\nIdentity: {job}\nBackground: {past}\nTask: {task}",
    "{letter}) {name} ({job})\nBackground: {past}\nTask: {task}",
    "{job} {n}: {name}\nBackground: {past}\nTask: {task}",
    "Role: {job}\nName: {name}\nBackground: {past}\nTask: {task}",
    "### {job}\n- Name: {name}\n- Background: {past}\n- Task: {task}",
    "Role {word} ({job}): {name}\nBackground: {past}\nTask: {task}",
    "Role {word}: {name}, {job}\nBackground: {past}\nTask: {task}",
    "**Role {word}: {job} ({name})**\nBackground: {past}\nTask: {task}",
    "### Role {word}：{name}（{job}）\nBackground：{past}\nTask：{task}",
    "Name:\n{name}\nIdentity:\n{job}\nBackground: {past}\nTask: {task}",
    "Name: {name}, a {job}\nBackground: {past}\nTask: {task}",
    "Full Name: {name}\nRole in the Scene: {job}\nPersonal Background: {past}\nPrimary Task: {task}",
    "Name: {name}\nIdentity/Role: {job}\nCharacter Background: {past}\nRole tasks: {task}",
    "Nmae: {name}\nIdentity/Role: {job}\nCharacter Background: {past}\nRole taks: {task}",
)


@pytest.mark.parametrize("form", FORMS)
def test_who_bears_no_noun_for_a_kind_is_a_role_all_the_same(form: str) -> None:
    reading = whole(roles_of(form), RULES.splitlines()[0])
    assert kinds_of(reading) == [(name, kind) for (name, *_), kind in zip(PEOPLE, KINDS, strict=True)]
    assert [(role.background, role.task) for role in reading.roles] == [(past, task) for *_, past, task in PEOPLE]
    assert [(rule.rule.initiator, rule.rule.receivers, rule.clear) for rule in reading.rules] == [
        ("Ben", ("Ada",), True)
    ]


@pytest.mark.parametrize("form", FORMS[:4])
def test_rules_may_call_them_by_what_they_are(form: str) -> None:
    reading = whole(roles_of(form))
    assert (reading.rules[1].rule.initiator, reading.rules[1].rule.receivers) == ("Cleo", ("Ada",))


def test_beside_roles_with_a_kind_one_without_is_no_part_of_the_role_before() -> None:
    reading = whole(
        "1. **Ada** (Subject)\n   Task: choose\n2. **Ben** (Mentor)\n   Task: praise it\n3. **Cleo** (Moderator)"
    )
    assert [(role.name, role.task) for role in reading.roles] == [("Ada", "choose"), ("Ben", "praise it"), ("Cleo", "")]


@pytest.mark.parametrize("names", ["Ben, Dan, and Eve", "Ben, Dan and Eve", "Ben; Dan; Eve", "Ben, Dan & Eve"])
def test_a_list_of_names_declares_each(names: str) -> None:
    reading = whole(
        f"Name: Ada\nIdentity: Subject\nName: {names}\nIdentity: Confederates\nName: Cleo\nIdentity: Moderator"
    )
    assert [role.name for role in reading.roles] == ["Ada", "Ben", "Dan", "Eve", "Cleo"]


@pytest.mark.parametrize(
    "extra", ["- Gender: Female", "- Age: 25", "- Hobby: Chess", "- Instructions: Sit down.", "- Drinks: Green Tea"]
)
def test_further_fields_of_a_role_are_no_roles(extra: str) -> None:
    people = "\n".join(
        f"### {name} ({kind.title()})\n{extra}\n- Background: {past}\n- Task: {task}"
        for (name, _, past, task), kind in zip(PEOPLE, KINDS, strict=True)
    )
    assert [role.name for role in whole(people).roles] == ["Ada", "Ben", "Cleo"]
    assert [role.task for role in whole(people).roles] == [task for *_, task in PEOPLE]


def test_fields_without_their_colons_are_no_names() -> None:
    reading = whole(
        "Role One\nName Ada\nIdentity Subject\nBackground: x\nRole Two\nName Ben\nIdentity Mentor\nBackground: y"
    )
    assert not {role.name for role in reading.roles} & {"Identity Subject", "Identity Mentor", "Name Ada", "Name Ben"}


def test_a_task_behind_a_sentence_on_the_line_of_the_name_is_a_task() -> None:
    people = "\n".join(
        f"**{kind.title()}:** {name} – {past} Task: {task}"
        for (name, _, past, task), kind in zip(PEOPLE, KINDS, strict=True)
    )
    assert [role.task for role in whole(people).roles] == [task for *_, task in PEOPLE]
    assert [role.name for role in whole(people).roles] == ["Ada", "Ben", "Cleo"]


@pytest.mark.parametrize(
    "form",
    [
        "**{job} – {name}**\nBackground: {past}\nTask: {task}",
        "#### {job}: {name}\n- Background: {past}\n- Task: {task}",
    ],
)
def test_what_they_are_may_stand_before_the_name(form: str) -> None:
    rules = "1. (Unicast, joking) The Shop Assistant jokes with the Tea Drinker.\n2. (Unicast) The Shop Owner asks Ada."
    reading = whole(roles_of(form), rules)
    assert [(role.name, role.background) for role in reading.roles] == [(name, past) for name, _, past, _ in PEOPLE]
    assert parties_of(reading) == [
        ("Ben", ("Ada",)),
        ("Cleo", ("Ada",)),
    ]


def test_a_kind_in_brackets_leaves_the_name_and_the_job_before_it() -> None:
    people = "\n".join(
        f"**{job} – {name} ({kind.title()})**\nBackground: {past}"
        for (name, job, past, _), kind in zip(PEOPLE, KINDS, strict=True)
    )
    assert kinds_of(whole(people)) == [
        ("Ada", KINDS[0]),
        ("Ben", KINDS[1]),
        ("Cleo", KINDS[2]),
    ]


def test_an_article_is_no_part_of_a_name() -> None:
    reading = whole(
        "- The Nurse (Subject)\n- The Porter (Confederate)\n- The Doctor (Moderator)",
        "1. (Unicast) The Porter asks the Nurse.",
    )
    assert [role.name for role in reading.roles] == ["Nurse", "Porter", "Doctor"]
    assert (reading.rules[0].rule.initiator, reading.rules[0].rule.receivers) == ("Porter", ("Nurse",))


def test_a_noun_for_a_kind_is_a_name_where_the_rules_use_it_and_an_identity_stands_beside_it() -> None:
    people = (
        "Role 1: Participant A\n- Identity: Subject, a keen gardener\n- Task: guess\n"
        "Role 2: Participant B\n- Identity: Confederate, posing as a gardener\n- Task: agree\n"
        "Role 3: Researcher\n- Identity: Moderator\n- Task: lead"
    )
    rules = (
        "1. (Unicast) The Researcher asks Participant A for a guess.\n"
        "2. (Unicast) Participant B jokes with Participant A.\n"
        "3. (Broadcast) The Researcher reads the answer to both participants."
    )
    reading = whole(people, rules)
    assert kinds_of(reading) == [
        ("Participant A", "subject"),
        ("Participant B", "confederate"),
        ("Researcher", "moderator"),
    ]
    assert [(rule.rule.initiator, rule.rule.receivers, rule.clear) for rule in reading.rules] == [
        ("Researcher", ("Participant A",), True),
        ("Participant B", ("Participant A",), True),
        ("Researcher", ("Participant A", "Participant B"), True),
    ]


@pytest.mark.parametrize("job", ["Guest", "Night Guard"])
def test_a_name_stands_before_the_job_that_two_share_and_the_kind_in_brackets(job: str) -> None:
    people = (
        f"**Ada – {job} (Subject)**\n*Task:* choose\n\n**Ben – {job} (Confederate)**\n*Task:* praise it\n\n"
        "**Cleo – Front Desk (Moderator)**\n*Task:* lead"
    )
    rules = f"1. (Unicast) Ben jokes with Ada.\n2. (Unicast) Cleo asks Ada, the first {job}."
    assert kinds_of(whole(people, rules)) == list(zip(("Ada", "Ben", "Cleo"), KINDS, strict=True))


def test_two_words_for_what_somebody_is_may_stand_beside_each_other_with_a_stroke() -> None:
    people = (
        "1) Ada - subject. a student. task: guess\n2) Ben - confederate / guest. task: be sure\n"
        "3) Cleo - moderator / quiz leader. task: ask"
    )
    reading = whole(people, "1) unicast - Cleo asks Ada\n2) unicast - Ben jokes with Ada")
    assert [(role.name, role.kind, role.task) for role in reading.roles] == [
        ("Ada", "subject", "guess"),
        ("Ben", "confederate", "be sure"),
        ("Cleo", "moderator", "ask"),
    ]


@pytest.mark.parametrize(
    "head",
    [
        "**{job} ({kind})**",
        "### {job} – {kind}",
        "{kind} ({job})",
        "**{kind}: {job}**",
        "1. {job} ({kind})",
        "{job} – {kind}",
        "**{job}**: {kind}",
    ],
)
def test_a_head_over_a_field_for_the_name_tells_what_somebody_is(head: str) -> None:
    people = "\n\n".join(
        f"{head}\nName: {name}\nBackground: {past}\nTask: {task}".format(job=job, kind=kind.title())
        for (name, job, past, task), kind in zip(PEOPLE, KINDS, strict=True)
    )
    reading = whole(people, f"{RULES}\n3. (Unicast) The Moderator asks the Subject.")
    assert [(role.name, role.kind, role.task) for role in reading.roles] == [
        (name, kind, task) for (name, _, _, task), kind in zip(PEOPLE, KINDS, strict=True)
    ]
    assert parties_of(reading) == [
        ("Ben", ("Ada",)),
        ("Cleo", ("Ada",)),
        ("Cleo", ("Ada",)),
    ]


def test_what_is_said_of_a_role_begins_with_a_word() -> None:
    read = whole(roles_of("Role {n}: {name} ({job}). Background: {past} Task: {task}"))
    assert [(role.background, role.task) for role in read.roles] == [(past, task) for _, _, past, task in PEOPLE]


def test_who_carries_out_the_study_and_guides_through_it_moderates() -> None:
    flo = "- Flo, panel leader: a sociologist who carries out the study. Task: guide through it."
    assert kinds_of(whole(f"- Ada (Subject): votes.\n{flo}\n"))[1] == ("Flo", "moderator")


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
def test_who_is_called_by_what_they_are_is_so_in_the_rules_and_a_rule_with_the_name_behind_it_is_not_clear(
    form: str, names: tuple[str, ...]
) -> None:
    calls = ("Buyer", "Seller", "Shopkeeper")
    people = "\n".join(
        form.format(n=n, call=call, kind=kind, name=name, deed="this")
        for n, (call, kind, name) in enumerate(zip(calls, KINDS, names, strict=True), 1)
    )
    buyer, seller, _ = names
    reading = whole(people, f"1. (Unicast) {seller} tells {buyer} a price.\n2. (Unicast) The Buyer answers the Seller.")
    assert kinds_of(reading) == list(zip(calls, KINDS, strict=True))
    assert [rule.clear for rule in reading.rules] == [False, True]
    assert parties_of(reading)[1] == ("Buyer", ("Seller",))


def test_what_stands_behind_a_name_that_the_rules_use_is_no_name() -> None:
    people = "- Ada (Subject): Student, shy\n- Ben (Confederate): Baker, loud"
    reading = whole(people, "1. (Unicast) Ben tells Ada a price.\n2. (Unicast) The Student answers.")
    assert kinds_of(reading) == [("Ada", "subject"), ("Ben", "confederate")]


@pytest.mark.parametrize(
    "line",
    ["- Friend of the house", "**Dora**", "### Dora", "Dora the Explorer", "(Shop Assistant) confederate"],
)
def test_a_line_that_may_begin_a_role_and_is_not_understood_is_named(line: str) -> None:
    reading = whole(f"- Ada (Subject): buys\n- Ben (Confederate): praises\n{line}\n- Cleo (Moderator): leads")
    assert [
        finding.line for finding in reading.findings if "is taken for more of what is said of Ben" in finding.what
    ] == [6]


@pytest.mark.parametrize("line", ["likes tea and biscuits.", "and never buys any", "  - a biscuit, a cup"])
def test_more_words_on_a_role_are_its_own(line: str) -> None:
    reading = whole(f"Name: Ada\nIdentity: Subject\nTask: choose a tea\n{line}\nName: Ben\nIdentity: Confederate")
    assert line.strip(" -") in reading.roles[0].task
    assert not [finding for finding in reading.findings if "what is said of" in finding.what and finding.line == 7]


def test_lines_before_the_first_role_are_named_as_left_out() -> None:
    reading = whole("Dora the baker\n- Ada (Subject): buys\n- Ben (Confederate): praises")
    assert [finding.what for finding in reading.findings if finding.line == 4] == [
        "“Dora the baker” is taken for no role"
    ]


def test_a_task_told_in_a_sentence_is_named_as_not_found_and_its_words_are_kept() -> None:
    people = (
        "- **Subject**: Ada, a guest. Her task is to choose a tea.\n"
        "- **Confederate**: Ben, a friend of the house. His task will be to praise the green one."
    )
    reading = whole(people)
    assert [(role.name, role.task) for role in reading.roles] == [("Ada", ""), ("Ben", "")]
    assert "Her task is to choose a tea." in reading.roles[0].background
    told = [finding.what for finding in reading.findings if "no task" in finding.what]
    assert told == ["no task was found for Ada", "no task was found for Ben"]


@pytest.mark.parametrize("form", ["{n}) {name}; {kind}; {past}; {task}", "**{name}** | {kind} | {past} | {task}"])
def test_a_role_whose_task_is_not_found_is_named(form: str) -> None:
    people = "\n".join(
        form.format(n=n, name=name, kind=kind.title(), past=past, task=task)
        for n, (kind, (name, _, past, task)) in enumerate(zip(KINDS, PEOPLE, strict=True), 1)
    )
    reading = whole(people)
    assert kinds_of(reading) == [(name, kind) for (name, *_), kind in zip(PEOPLE, KINDS, strict=True)]
    told = [finding.what for finding in reading.findings if "no task" in finding.what]
    assert told == [f"no task was found for {name}" for name, *_ in PEOPLE]


UNAWARE = [
    "Has not been told what the study is about.",
    "Unaware of the purpose of the study.",
    "Knows nothing of the study.",
    "Believes it is a normal tasting.",
]


@pytest.mark.parametrize("unaware", UNAWARE)
def test_who_is_called_no_subject_beside_one_who_is_is_none(unaware: str) -> None:
    lena = f"Name: Lena\nIdentity: Dietician\nBackground: {unaware}\nTask: Answers questions about sugar."
    beside = whole(f"Name: Ines\nIdentity: Subject\nTask: rates drinks\n{lena}")
    assert kinds_of(beside) == [("Ines", "subject"), ("Lena", "other")]
    assert "Lena is taken for other by what is said of them" in [finding.what for finding in beside.findings]
    alone = whole(f"Name: Ines\nIdentity: Guest\nBackground: {unaware}\nTask: To rate drinks.")
    assert kinds_of(alone) == [("Ines", "subject")]


def test_who_works_with_somebody_is_the_subject_that_they_are_called() -> None:
    people = "Name: Noemi\nIdentity: Subject\nBackground: has worked with the old supplier for years\nTask: choose"
    assert kinds_of(whole(people)) == [("Noemi", "subject")]
    plant = whole(people.replace("the old supplier", "the researchers"))
    assert kinds_of(plant) == [("Noemi", "confederate")]
    assert "Noemi is taken for confederate by what is said of them" in [finding.what for finding in plant.findings]
