"""Who speaks to whom, told in ways that mean the same: what is not plain is marked, and nothing is read wrongly."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes.lenient.reader import read_script
from tests.debate_engine.scenes.lenient.readings import ROLES, plain_or_marked, whole

NUMBERED = ROLES.replace("Role 1:", "Role One:").replace("Role 2:", "Role Two:").replace("Role 3:", "Role Three:")


def parties(rule: str, mode: str = "Unicast", *, before: str = "", roles: str = ROLES) -> str:
    """The last rule's `initiator > receivers`, with a question mark where the script is not clear."""
    rules = f"1. {before}\n2. ({mode}, joking) {rule}\n" if before else f"1. ({mode}, joking) {rule}\n"
    read = read_script(f"{roles}# Rules\n{rules}").rules[-1]
    return f"{read.rule.initiator} > {','.join(read.rule.receivers)}{'' if read.clear else ' ?'}"


CONDITIONS = [
    "If Ada refuses, ",
    "Should Ada refuse, ",
    "Should the Subject agree with Cleo, ",
    "Were Ada to refuse, ",
    "Had Ada refused, ",
    "Should Ada hesitate ",
    "Even if Ada agrees, ",
    "Although Ada has agreed, ",
    "Where Ada takes the green tea, ",
    "Whichever tea Ada takes, ",
    "Whether or not Ada agrees, ",
    "No matter what Ada says, ",
    "Regardless of Ada's choice, ",
    "(only if Ada refuses) ",
    "[If Ada refuses:] ",
    "If Ada refuses: ",
    "Ada takes the green tea -> ",
    "Together with Cleo, ",
    "In the presence of the Moderator ",
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(
    "said, expected",
    [("Ben urges Ada to choose.", "Ben > Ada"), ("the Confederate contradicts the Subject.", "Ben > Ada")],
)
def test_a_condition_told_first_changes_nothing_of_who_speaks(condition: str, said: str, expected: str) -> None:
    assert plain_or_marked(parties(said[0].upper() + said[1:]), expected)
    assert plain_or_marked(parties(condition + said), expected)


THINGS = [
    "the tea that Ben praised",
    "the tea Ben praised",
    "the tea Ben will later praise",
    "a second tea, which Ben has praised",
    "a tea resembling the one Ben praised",
    "the tea praised by Ben",
    "what Ben said",
    "how Ben chose",
    "Ben's price",
]


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("verb", ["presents", "repeats", "describes", "announces"])
def test_who_is_only_told_of_is_spoken_to_by_nobody(thing: str, verb: str) -> None:
    assert plain_or_marked(parties(f"Cleo {verb} {thing}."), "Cleo > Ada ?")
    assert plain_or_marked(parties(f"Cleo {verb} {thing} to Ada."), "Cleo > Ada")
    assert plain_or_marked(parties(f"Cleo tells Ada about it and {verb} {thing}."), "Cleo > Ada")


@pytest.mark.parametrize(
    "when", ["after Ben has spoken", "once Ben has left", "while Ben waits", "because Ben is late"]
)
def test_a_circumstance_told_last_names_nobody_who_is_spoken_to(when: str) -> None:
    assert plain_or_marked(parties(f"Cleo asks for a decision {when}."), "Cleo > Ada ?")
    assert plain_or_marked(parties(f"Cleo asks Ada for a decision {when}."), "Cleo > Ada")


@pytest.mark.parametrize(
    "more", ["", " on what Ben has said", ", noting that Ben agrees", " about the tea that Ben praised"]
)
def test_an_owner_is_spoken_to_whoever_is_told_of_behind(more: str) -> None:
    assert plain_or_marked(parties(f"Cleo challenges Ada's choice{more}."), "Cleo > Ada")
    assert plain_or_marked(parties(f"Cleo asks for Ada's view{more}."), "Cleo > Ada")


@pytest.mark.parametrize(
    "both", ["Ada and Ben", "Both participants", "Both of them", "The two of them", "The two participants", "The two"]
)
@pytest.mark.parametrize("roles", [ROLES, NUMBERED])
@pytest.mark.parametrize("before", ["", "(Unicast) Cleo asks Ada to go on."])
def test_two_who_discuss_speak_to_each_other_and_the_first_begins(both: str, roles: str, before: str) -> None:
    assert plain_or_marked(parties(f"{both} discuss the tea.", before=before, roles=roles), "Ada > Ben ?")
    if both != "The two":
        assert plain_or_marked(parties(f"{both} tell Cleo their choice.", before=before, roles=roles), "Ada > Cleo ?")


@pytest.mark.parametrize("what", ["tell Cleo their choice", "both report their choice to Cleo", "discuss it with Cleo"])
@pytest.mark.parametrize("mode", ["Unicast", "Multicast"])
def test_two_who_speak_to_a_third_are_heard_by_the_third(what: str, mode: str) -> None:
    assert plain_or_marked(parties(f"Ada and Ben {what}.", mode), "Ada > Cleo ?")


def test_others_who_speak_along_are_not_the_moderator() -> None:
    for told in ("argue for the tea", "argue for the tea, targeting undecided guests", "press Ada"):
        assert plain_or_marked(parties(f"Ben and other Confederates {told}.", "Multicast"), "Ben > Ada ?")


RULES = [
    ("The two options are put before Ada by Cleo.", "Unicast"),
    ("The two offers are compared by Ada.", "Broadcast"),
    ("Cleo asks which of the two is better.", "Unicast"),
    ("Cleo tells Ben of the two teas.", "Unicast"),
    ("The one who speaks first is chosen by Cleo.", "Unicast"),
    ("The two options are described in a message from the system.", "Self-receiving"),
    ("Cleo asks the two of them how they feel.", "Multicast"),
]


@pytest.mark.parametrize("rule, mode", RULES)
def test_the_number_of_a_role_is_no_name_for_it(rule: str, mode: str) -> None:
    assert plain_or_marked(parties(rule, mode, roles=NUMBERED), parties(rule, mode))


@pytest.mark.parametrize("done", ["explained", "given", "read out", "summed up", "put forward", "called good"])
@pytest.mark.parametrize("what", ["The scale", "A short summary of the tasting", "All of it"])
def test_a_thing_that_somebody_does_is_told_as_clearly_in_the_passive(done: str, what: str) -> None:
    assert plain_or_marked(parties(f"{what} is {done} by Cleo.", "Broadcast"), "Cleo > Ada,Ben")
    assert plain_or_marked(parties(f"{what} is {done} by Ada to Ben."), "Ada > Ben")
    assert plain_or_marked(parties(f"{what} is {done} by the Moderator to Ada and Ben.", "Multicast"), "Cleo > Ada,Ben")


@pytest.mark.parametrize("to", ["Ada and Ben", "both participants", "the Subject and the Confederate"])
def test_those_spoken_to_may_stand_first(to: str) -> None:
    assert plain_or_marked(parties(f"To {to}, Cleo explains the scale.", "Multicast"), "Cleo > Ada,Ben")
    assert plain_or_marked(parties(f"Cleo explains the scale to {to}.", "Multicast"), "Cleo > Ada,Ben")
    assert plain_or_marked(parties("In a short talk with Ada, Ben praises the tea."), "Ben > Ada")


WORDS = st.lists(
    st.sampled_from(["Ada", "Ben", "Cleo", "tea", "is", "right", "and", "wrong", "yes"]), min_size=2, max_size=8
)


@given(WORDS, st.sampled_from(['"{}"', "“{}”", "«{}»"]), st.sampled_from([".", "!", "?"]))
def test_nothing_that_is_said_word_by_word_tells_who_is_spoken_to(words: list[str], marks: str, end: str) -> None:
    quote = marks.format(f"I say {' '.join(words)} again{end}")
    assert plain_or_marked(parties(f"Ben tells Ada: {quote}"), "Ben > Ada")
    assert plain_or_marked(parties(f"{quote}, says Ben to Ada."), "Ben > Ada")
    assert plain_or_marked(parties(f"{quote} Ben tells Ada."), "Ben > Ada")
    assert plain_or_marked(parties(f"Cleo says: {quote}"), "Cleo > Ada ?")


@pytest.mark.parametrize(
    "quote", ["Ben, do you agree with Ada?", "Do you agree with Ada, Ben?", "Thank you, Ada. Ben, do you agree?"]
)
def test_who_is_called_by_name_in_a_speech_is_spoken_to(quote: str) -> None:
    for rule in (f'Cleo asks: "{quote}"', f'Cleo: "{quote}"', f'"{quote}" asks Cleo.'):
        assert plain_or_marked(parties(rule), "Cleo > Ben")
    assert plain_or_marked(parties('Cleo asks: "Ada and Ben, who is Cleo?"', "Multicast"), "Cleo > Ada,Ben")


@pytest.mark.parametrize("thing", ["audience votes are", "team result is", "group average is"])
def test_a_word_for_the_group_that_only_tells_what_it_is_gets_nothing(thing: str) -> None:
    assert plain_or_marked(parties(f"The {thing} shown to Ada.", "Self-receiving"), "system > Ada")
    assert plain_or_marked(parties(f"The {thing} shown to both participants.", "Self-receiving"), "system > Ada,Ben")
    assert plain_or_marked(parties(f"The {thing} shown.", "Self-receiving"), "system > Ada ?")


@pytest.mark.parametrize("whose", ["everyone's", "the participants'", "Ben's"])
def test_whose_something_is_is_not_who_gets_it(whose: str) -> None:
    assert plain_or_marked(parties(f"A list of {whose} votes is sent to Ada.", "Self-receiving"), "system > Ada")


@pytest.mark.parametrize(
    "before, rule, expected",
    [
        ("(Unicast) Cleo asks Ada which tea she takes.", "She names a tea to Cleo.", "Ada > Cleo ?"),
        ("(Unicast) Cleo asks Ada which tea she takes.", "Then she answers the Moderator.", "Ada > Cleo ?"),
        ("(Unicast) Ben praises the tea to Ada.", "Otherwise, he contradicts the Subject.", "Ben > Ada ?"),
        ("(Unicast) Ben praises the tea to Ada.", "He then suggests that Ada take it.", "Ben > Ada ?"),
    ],
)
def test_a_pronoun_that_speaks_is_somebody_of_the_rule_before(before: str, rule: str, expected: str) -> None:
    assert plain_or_marked(parties(rule, before=before), expected)


@pytest.mark.parametrize("word", ["advice", "message", "final suggestion", "question"])
def test_a_word_to_somebody_is_said_by_whose_it_is(word: str) -> None:
    assert plain_or_marked(parties(f"Ben's {word} to Ada is to take the green tea."), "Ben > Ada")
    assert plain_or_marked(parties(f"Ben's {word} to Cleo is that Ada needs time."), "Ben > Cleo")


@pytest.mark.parametrize(
    "who", ["the players", "the three players", "all players", "all three players", "each of the players"]
)
def test_the_bearers_of_an_identity_are_meant_and_nobody_else(who: str) -> None:
    players = "".join(f"- {name} (Player): plays.\n" for name in ("Tom", "Ida", "Bea"))
    cast = f"{players}- Max (Moderator): asks.\n- Uma (Scorekeeper): writes down the points.\n"
    (rule,) = whole(cast, f"1. (Multicast, figuring things out) Max asks {who} to guess their rank.").rules
    assert (rule.rule.initiator, set(rule.rule.receivers)) == ("Max", {"Tom", "Ida", "Bea"})


def test_most_of_what_has_an_answer_is_read_and_not_only_marked() -> None:
    told = [f"{condition}Ben urges Ada to choose." for condition in CONDITIONS]
    told += [f"Cleo tells Ada about it and announces {thing}." for thing in THINGS]
    read = [rule for rule in told if not parties(rule).endswith("?")]
    assert len(read) >= 0.75 * len(told)
