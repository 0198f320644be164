"""Scripts of our own whose sections are called otherwise, run together or stand between others."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes.lenient.reader import read_script
from elenchus.debate_engine.scenes.lenient.reading import Reading

CAST = "Role 1: Ada (Subject)\nTask: choose\nRole 2: Ben (Confederate)\nRole 3: Cleo (Moderator)\nTask: lead"
COURSE = "1. (Unicast, joking) Ben jokes with Ada.\n2. (Broadcast, feelings) Cleo thanks everyone."
USUAL = ("# Purpose", "# Background", "# Roles", "# Rules", "# Observation")


def script(headings: tuple[str, ...] = USUAL, *, rules: str = COURSE, roles: str = CAST) -> str:
    texts = ("to see it", "a tea shop", roles, rules, "count the cups")
    return "\n".join(line for pair in zip(headings, texts, strict=True) for line in pair if line)


def parts(reading: Reading) -> tuple[object, ...]:
    rules = [(read.rule.initiator, read.rule.content) for read in reading.rules]
    return reading.purpose, reading.background, [role.task for role in reading.roles], rules, reading.observation


WHOLE = parts(read_script(script()))


def test_the_plain_script_is_whole() -> None:
    rules = [("Ben", "Ben jokes with Ada."), ("Cleo", "Cleo thanks everyone.")]
    assert ("to see it", "a tea shop", ["choose", "", "lead"], rules, "count the cups") == WHOLE


@pytest.mark.parametrize("dress", ["# {}", "**{}**", "### {}:", "**{}:**", "{}:"])
@pytest.mark.parametrize(
    "line",
    [
        "Research Aim / Situation / Role Profiles / Course of Events / Evaluation",
        "Introduction and Aim / Scene Setup / Persons / Interaction Steps / Assessment Criteria",
        "Purpose Statement / Background Story / Actors / Dialogue Script / Detecting the Bias",
        "Research Questions / Scenario Overview / Roles and Tasks / Timeline / Data Analysis",
    ],
)
def test_other_words_for_the_sections_are_known_where_they_are_due(line: str, dress: str) -> None:
    headings = tuple(dress.format(heading) for heading in line.split(" / "))
    assert parts(read_script(script(headings))) == WHOLE


@pytest.mark.parametrize(
    ("headings", "placed"),
    [
        (("# What For", "# Where It Happens", "# Roles", "# Scene Rules", "# Afterwards"), [0, 1, 4]),
        (("# Purpose", "# The Tea Shop", "# Roles", "# How It Goes", "# Observation"), [1, 3]),
        (("# Why We Do This", "# Background", "# Roles", "", "# What We Look At"), [0, 4]),
        (("WHY WE DO THIS", "WHERE WE ARE", "DRAMATIS PERSONAE", "HOW IT GOES", "WHAT WE COUNT"), [0, 1, 2, 3, 4]),
        (("**The idea**", "**The setting**", "**Who is who**", "**What happens**", "**The effect**"), [0, 2, 3, 4]),
        (("# 🎯 Purpose", "# 🏠 Background", "# 👥 People", "# 📜 Course", "# 🔍 What we look for"), [4]),
    ],
)
def test_a_heading_of_unknown_words_is_placed_by_its_order_and_said_to_be(
    headings: tuple[str, ...], placed: list[int]
) -> None:
    reading = read_script(script(headings))
    assert parts(reading) == WHOLE
    names = ("purpose", "background", "roles", "rules", "observation")
    told = [finding.what for finding in reading.findings if "by its place" in finding.what]
    assert told == [f"the heading here is taken for {names[index]} by its place" for index in placed]


@pytest.mark.parametrize("headings", [("# Materials", "# Duration"), ("# Materials",)])
def test_headings_that_cannot_be_placed_are_said_to_be_left_out(headings: tuple[str, ...]) -> None:
    more = "\n".join(f"{heading}\n- a pot and six cups" for heading in headings)
    reading = read_script(script(USUAL).replace(USUAL[4], f"{more}\n{USUAL[4]}"))
    assert parts(reading) == WHOLE
    told = [finding.what for finding in reading.findings if "left out" in finding.what]
    assert told == [f"“{heading[2:]}” names no section: what stands under it is left out" for heading in headings]


@pytest.mark.parametrize("heading", ["What we look at", "How we see it"])
def test_a_line_that_is_set_as_a_heading_is_no_part_of_the_rule_above_it(heading: str) -> None:
    reading = read_script(script((*USUAL[:4], heading)))
    assert parts(reading)[3] == WHOLE[3]
    told = [finding.what for finding in reading.findings]
    assert "this is taken for a heading, not for a rule" in told
    assert "no observation was found" in told


@pytest.mark.parametrize("dress", ["**{}** {}", "{}. {}", "__{}__ {}", "{} - {}", "**{}.** {}", "**{}** – {}"])
def test_a_heading_may_end_where_its_emphasis_its_full_stop_or_a_dash_does(dress: str) -> None:
    told = [("Purpose", "To see it"), ("Background", "A tea shop"), ("Observation", "Count")]
    first, second, last = (dress.format(head, text) for head, text in told)
    reading = read_script(f"{first}\n{second}\n**Roles**\n{CAST}\n**Rules**\n{COURSE}\n{last}")
    assert (reading.purpose, reading.background, reading.observation) == ("To see it", "A tea shop", "Count")
    assert [read.rule.content for read in reading.rules] == ["Ben jokes with Ada.", "Cleo thanks everyone."]


@pytest.mark.parametrize("heading", ["", "# The Tasting", "**The Tasting**", "The Tasting:", "The Tasting"])
def test_rules_without_a_known_heading_are_no_part_of_the_last_task(heading: str) -> None:
    assert parts(read_script(script((*USUAL[:3], heading, USUAL[4])))) == WHOLE


@pytest.mark.parametrize(
    "headings",
    [
        ("- Scene Purpose:", "- Scene Background:", "- Scene Roles:", "- Scene Rules:", "- Method to Observe:"),
        (
            "Step 1: Scene Purpose",
            "Step 2: Scene Background",
            "Step 3: Scene Roles",
            "Step 4: Scene Rules",
            "Step 5: Observation Method",
        ),
    ],
)
def test_headings_in_a_list_or_numbered_as_steps_are_headings(headings: tuple[str, ...]) -> None:
    assert parts(read_script(script(headings))) == WHOLE


@pytest.mark.parametrize("heading", ["# Materials", "# Duration", "# Modes of Speech"])
def test_a_section_that_is_none_of_the_five_ends_the_one_before(heading: str) -> None:
    between = f"{heading}\n- Unicast: from one to another\n- a pot and six cups"
    assert parts(read_script(script(roles=f"{CAST}\n{between}"))) == WHOLE
    assert parts(read_script(script(rules=f"{COURSE}\n{heading}\n- a pot and six cups"))) == WHOLE


@pytest.mark.parametrize(
    "label",
    ["**2. Broadcast (Giving instructions)**", "2. **Broadcast – Instructions**", "#### 2. Broadcast (instructions)"],
)
def test_a_label_on_a_line_of_its_own_is_no_heading(label: str) -> None:
    reading = read_script(script(rules=f"1. (Unicast, joking) Ben jokes with Ada.\n{label}\nCleo tells all to sip.\n"))
    assert [(read.rule.initiator, read.rule.mode, read.rule.purpose) for read in reading.rules] == [
        ("Ben", "unicast", "JOK"),
        ("Cleo", "broadcast", "ADV"),
    ]
    assert reading.rules[1].rule.content == "Cleo tells all to sip."


@pytest.mark.parametrize("text", ["To observe who sips first", "Measure the first sip", "Watch the method of pouring"])
def test_a_short_text_under_a_heading_is_no_heading_itself(text: str) -> None:
    reading = read_script(script().replace("to see it", text).replace("count the cups", text))
    assert (reading.purpose, reading.background, reading.observation) == (text, "a tea shop", text)
    assert len(reading.rules) == 2


def test_lines_broken_in_the_middle_of_a_sentence_begin_no_section() -> None:
    text = "The cups are counted, and any\nobservations of the pourer are noted in the\nbackground by a clerk"
    reading = read_script(script().replace("count the cups", text))
    assert (reading.observation, reading.background) == (text, "a tea shop")


def test_a_sentence_that_explains_the_modes_is_no_rule() -> None:
    told = "Unicast means that one speaks to one other.\n"
    assert [read.line for read in read_script(script(rules=told + COURSE)).rules] == [13, 14]


def test_the_headings_of_rounds_are_no_part_of_a_rule() -> None:
    rules = COURSE.replace("2.", "Second round: the green tea\n2.")
    assert parts(read_script(script(rules=rules))) == WHOLE


@pytest.mark.parametrize("dress", ["{}: ", "**{}:** ", "### {}: "])
@pytest.mark.parametrize(
    "heads",
    [("purpose", "background", "observation"), ("Aim", "Context", "Measurement"), ("Goal", "Background", "Method")],
)
def test_sections_may_stand_on_the_lines_of_headings_of_one_word(heads: tuple[str, str, str], dress: str) -> None:
    purpose, background, observation = (dress.format(head) for head in heads)
    told = f"{purpose}to see it\n{background}a tea shop\n\nroles:\n{CAST}\n\nrules:\n{COURSE}\n\n"
    assert parts(read_script(f"{told}{observation}count the cups\n")) == WHOLE


@pytest.mark.parametrize("dress", ["{}", "# {}", "**{}**"])
def test_a_purpose_with_a_colon_in_it_is_no_heading(dress: str) -> None:
    text = "To observe thirst: does anybody ask for more, or not?"
    reading = read_script(script(tuple(dress.format(head.strip("# ")) for head in USUAL)).replace("to see it", text))
    assert (reading.purpose, reading.background, reading.observation) == (text, "a tea shop", "count the cups")


@pytest.mark.parametrize(
    "head", ["**How to Observe the Bias:**", "How to measure the effect:", "### How We Observe It:"]
)
def test_how_something_is_observed_may_be_told_on_the_line_of_its_heading(head: str) -> None:
    assert parts(read_script(script((*USUAL[:4], "")).replace("count the cups", f"{head} count the cups"))) == WHOLE


@pytest.mark.parametrize(
    "farewell",
    [
        "Let me know if you want a second version!",
        "I hope this helps with your study.",
        "If you would like a shorter script, tell me.",
        "---\n*Feel free to change the names.*",
    ],
)
def test_what_the_writer_says_in_parting_is_no_part_of_the_observation(farewell: str) -> None:
    assert parts(read_script(f"{script()}\n\n{farewell}\n")) == WHOLE


@pytest.mark.parametrize(
    "head",
    [
        "# Debriefing of the participants",
        "**Debrief:**",
        "Debriefing:",
        "AFTERWARDS (DEBRIEFING)",
        "5. Debrief -",
        "Debrief",
    ],
)
def test_a_debrief_is_kept_and_is_no_part_of_the_observation(head: str) -> None:
    reading = read_script(f"{script()}\n{head}\nThis was about cups.\nLet me know if you want more!\n")
    assert parts(reading) == WHOLE
    assert reading.debrief == reading.scene().debrief == "This was about cups."


@pytest.mark.parametrize("mark", [">", "|", ">-", "|+"])
def test_a_sign_that_the_text_begins_on_the_next_line_is_no_part_of_it(mark: str) -> None:
    reading = read_script(
        script((f"purpose: {mark}", f"background: {mark}", "roles:", "rules:", f"observation: {mark}"))
    )
    assert parts(reading) == WHOLE
