"""A reply that is not quite of the asked form is read all the same, where there is no doubt about it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.llm import filler
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.reply_parsing import read_json
from elenchus.debate_engine.llm.schema import at_most, bounded, check, json_schema_of
from elenchus.debate_engine.protocols.crit.schemas import FoundReasons, Validation
from elenchus.debate_engine.protocols.rulegen.answers import Finding
from elenchus.debate_engine.protocols.socrasynth.schemas import AgendaReview, Position, Proposals
from tests.debate_engine.llm.replies import parse
from tests.debate_engine.llm.test_schema import GOOD, Ruling, Side, schemas, spoilt

REASON: dict[str, Any] = {"topic": 1, "quote": "a b", "reason": "Because.", "source": ""}
SCORE: dict[str, Any] = {"justification": "It bears on the claim.", "quotes": [], "validity": 7, "credibility": 5}


def read(value: Any, schema: type, *, last: bool = False) -> tuple[Any, tuple[str, ...]]:
    return read_json(value if isinstance(value, str) else json.dumps(value), json_schema_of(schema), last=last)


# ── texts that are too long ──────────────────────────────────────────────────────────────────────────────────────

REGISTRATION = (
    "Mandatory registration of clinical trials is weighed against the freedom of small laboratories to explore, with "
    "public funding, commercial secrecy, the protection of those who take part and the credibility of what is "
    "published all in scope, while the costs of the registries themselves are left to another debate."
)
HARM = (
    "What is owed to those who are harmed is set against what innovation needs: liability, insurance, the burden of "
    "proof and the question who speaks for people that never consented are in scope; criminal law, and the practice "
    "of countries without any such rules, stay outside of it, and so does the history of the question."
)
SCOPES = [REGISTRATION, HARM]
"""As long as those of the paper's own agenda (table 4), which has scopes of 259 to 320 characters."""


def test_an_agenda_whose_scopes_are_as_long_as_the_papers_comes_through_whole() -> None:
    assert all(259 <= len(scope) <= 320 for scope in SCOPES)
    topics = [{"pro_concern": f"safety {n}", "con_concern": "freedom", "scope": s} for n, s in enumerate(SCOPES)]
    value, notes = read({"topics": topics}, bounded(Proposals, 5))
    assert [topic["scope"] for topic in value["topics"]] == SCOPES
    assert notes == ()


GERMAN = (
    "Die Begründung stützt sich auf nachvollziehbare Untersuchungsergebnisse unabhängiger Forschungseinrichtungen, "
    "berücksichtigt gesellschaftliche Verteilungswirkungen ausdrücklich und unterscheidet Korrelationen sorgfältig von "
    "Ursachenzusammenhängen; allerdings bleiben Finanzierungsfragen, Übergangsregelungen sowie Zuständigkeitskonflikte "
    "zwischen Bundesländern und Gemeinden weitgehend unbeantwortet, weshalb die Schlussfolgerung trotz überzeugender "
    "Einzelargumente nicht vollständig trägt und weiterführende Vergleichsuntersuchungen europäischer Nachbarländer "
    "erforderlich wären, bevor man von hinreichend belegter Wirksamkeit sprechen und die Maßnahme empfehlen kann"
)


def test_a_german_justification_of_sixty_words_is_whole_and_its_score_counts() -> None:
    assert len(GERMAN.split()) <= 60
    assert len(GERMAN) >= 575
    value, notes = read(SCORE | {"justification": GERMAN}, Validation)
    assert value["justification"] == GERMAN
    assert value["validity"] == 7
    assert notes == ()


def test_one_long_reason_does_not_sink_the_list() -> None:
    long = "Where it was tried it has worked, as three independent surveys of the same years tell, " * 4
    assert len(long) > 305
    value, notes = read({"reasons": [REASON, REASON | {"reason": long[:305]}, *[REASON] * 3]}, FoundReasons)
    assert len(value["reasons"]) == 5
    assert value["reasons"][1]["reason"] == long[:305]
    assert notes == ()


def test_a_label_that_is_a_whole_sentence_is_cut_at_a_word_and_said_so() -> None:
    label = "The scientific uncertainty about " + "long-term neurological consequences for adolescents and " * 4
    topic = {"pro_concern": label, "con_concern": "b", "scope": "s"}
    value, notes = read({"topics": [topic]}, Proposals)
    assert value["topics"][0]["pro_concern"].endswith("…")
    assert len(value["topics"][0]["pro_concern"].split()) == 16
    assert notes == ("topics[0].pro_concern may have at most 16 words: its end was cut",)


def test_chinese_is_counted_by_its_letters_and_an_endless_word_as_many() -> None:
    schema = {"type": "object", "properties": {"t": {"type": "string", **at_most(10, characters=9)}}}
    assert read_json(json.dumps({"t": "禁" * 30}), schema)[0] == {"t": "禁" * 20 + "…"}
    assert len(read_json(json.dumps({"t": "x" * 10_000}), schema)[0]["t"]) == 501


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_one_bad_entry_is_left_out_and_named_and_the_rest_is_kept() -> None:
    bad = REASON | {"topic": "first"}
    value, notes = read({"reasons": [REASON, bad, REASON | {"reason": "So."}]}, FoundReasons)
    assert [reason["reason"] for reason in value["reasons"]] == ["Because.", "So."]
    assert notes == ("reasons[1].topic must be of type integer: this entry was left out",)


def test_a_list_of_which_nothing_can_be_read_is_not_an_empty_list() -> None:
    with pytest.raises(UnreadableReply, match=r"reasons\[0\] lacks topic.*; reasons\[1\] lacks"):
        read({"reasons": [{"quote": "a"}, {"quote": "b"}]}, FoundReasons)
    with pytest.raises(UnreadableReply, match="lacks reasons"):
        read({}, FoundReasons, last=True)
    with pytest.raises(UnreadableReply, match="lacks reasons"):
        read({"reasons": None}, FoundReasons, last=True)


def test_of_a_list_that_is_too_long_the_first_sound_entries_stay() -> None:
    quotes = [None, "one", "two", "three"]
    value, notes = read(SCORE | {"quotes": quotes}, Validation)
    assert value["quotes"] == ["one", "two"]
    assert "quotes may have at most 2 items: the first of 3 were taken" in notes


def test_entries_that_must_differ_and_do_not_are_too_few() -> None:
    numbers = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 2}
    schema = {"type": "object", "properties": {"n": numbers}}
    assert read_json('{"n": [3, 3, 4]}', schema)[0] == {"n": [3, 4]}
    with pytest.raises(UnreadableReply, match="n needs at least 2 items"):
        read_json('{"n": [3, 3]}', schema)


def test_three_verdicts_where_two_topics_were_asked_are_two() -> None:
    verdicts = [
        {"number": n, "verdict": "Agree.", "pro_concern": "", "con_concern": "", "scope": ""} for n in (2, 1, 3)
    ]
    value, _ = read({"topics": verdicts}, bounded(AgendaReview, 2))
    assert [(topic["number"], topic["verdict"]) for topic in value["topics"]] == [(2, "agree"), (1, "agree")]


def test_a_bare_list_is_taken_for_the_one_list_of_the_answer_and_a_single_entry_for_a_list_of_one() -> None:
    assert read([REASON, REASON], FoundReasons)[0] == {"reasons": [REASON, REASON]}
    assert read({"reasons": REASON}, FoundReasons)[0] == {"reasons": [REASON]}
    assert read(SCORE | {"quotes": "its words"}, Validation)[0]["quotes"] == ["its words"]


# ── the first of several ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "frame",
    [
        "{}", "  {}\n", "```json\n{}\n```", "```\n{}```", "\n```JSON\n{}\n```\n", "\ufeff{}", "Here it is: {} I hope.",
        "Sure!\n```json\n{}\n```\nAnything else?", "[{}]", "{}\n{}", '{"answer": {}}', "<think>{hm}</think>{}",
    ],
)  # fmt: skip
def test_an_answer_is_found_whatever_stands_around_it(frame: str) -> None:
    assert parse(frame.replace("{}", json.dumps(GOOD)), Ruling).winner is Side.A


def test_an_answer_within_another_field_is_found_also_where_the_form_has_a_field_of_that_name() -> None:
    held = {"more": True, "stance": "hold", "answer": "the flu"}
    assert read({"answer": held}, Position)[0] == held


def test_of_two_answers_side_by_side_that_differ_in_words_alone_the_first_counts() -> None:
    one, two = json.dumps(SCORE), json.dumps(SCORE | {"justification": "It does not bear on it at all."})
    for text in (f"{one}\n{two}", f"[{one}, {two}]"):
        value, notes = read(text, Validation)
        assert value == SCORE
        assert any("the first of 2" in note for note in notes)


@pytest.mark.parametrize("last", [False, True])
def test_of_two_scores_neither_is_taken_wherever_they_stand(last: bool) -> None:
    one, two = json.dumps(SCORE), json.dumps(SCORE | {"validity": 2})
    twice = one.replace('"validity": 7', '"validity": 7, "validity": 2')
    for text in (f"{one}\n{two}", f"{one}{two}", f"[{one}, {two}]", twice, f"```json\n{twice}\n```"):
        with pytest.raises(UnreadableReply):
            read(text, Validation, last=last)
    same = one.replace('"validity": 7', '"validity": 7, "validity": 7')
    assert read(same, Validation)[0] == SCORE


def test_a_draft_that_differs_from_the_answer_after_it_is_a_doubt() -> None:
    one, two = json.dumps(SCORE | {"validity": 2}), json.dumps(SCORE)
    with pytest.raises(UnreadableReply, match="several different answers"):
        read(f"At first {one}, but no: {two}", Validation)
    assert read(f"So {two}. Again: {two}", Validation)[0] == SCORE
    assert read(f'At first {{"validity": 2}}, but no: {two}', Validation)[0] == SCORE, "what does not fit is no answer"
    assert read(f"<think>At first {one}, but no.</think> {two}", Validation)[0] == SCORE, "it is told where it begins"


def test_a_field_is_known_by_its_letters() -> None:
    shouted = {"Justification": "It bears on the claim.", "QUOTES": [], "Validity ": "7", "credi-bility": 5}
    assert read(shouted, Validation)[0] == SCORE


def test_of_a_text_that_is_given_twice_the_first_counts_and_of_a_choice_neither() -> None:
    value, notes = read('{"present": "no", "reason": "r", "quotes": [], "reason": "s"}', Finding)
    assert value["reason"] == "r"
    assert notes == ("reason may be given once: the first of 2 was taken",)
    for present in ('"no", "present": "yes"', '["no", "yes"]'):
        with pytest.raises(UnreadableReply, match="present"):
            read(f'{{"reason": "r", "quotes": [], "present": {present}}}', Finding)


# ── small liberties ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changed", "name", "expected"),
    [
        ({"validity": "7"}, "validity", 7),
        ({"validity": 7.0}, "validity", 7),
        ({"validity": [7]}, "validity", 7),
        ({"Validity ": 4, "validity": 7}, "validity", 7),
        ({"quotes": None}, "quotes", []),
        ({"mood": "good", "deeper": {"a": [1]}}, "validity", 7),
        ({"mood": "good"}, "credibility", 5),
    ],
)
def test_what_is_meant_without_doubt_is_taken(changed: Any, name: str, expected: Any) -> None:
    assert read(SCORE | changed, Validation)[0][name] == expected


@pytest.mark.parametrize(
    "validity", [0, 11, -1, 7.5, "seven", "7 or 8", "8/10", True, None, [7, 3], [], {}, 10**400, "", "٧.", 1e400]
)
def test_a_score_in_doubt_is_no_score(validity: Any) -> None:
    for last in (False, True):
        with pytest.raises(UnreadableReply, match="validity"):
            read(SCORE | {"validity": validity}, Validation, last=last)


@pytest.mark.parametrize("said", ["Yes", " yes. ", "YES!", '"yes"', True])
def test_a_choice_is_known_by_its_letters(said: Any) -> None:
    assert read({"reason": "r", "quotes": [], "present": said}, Finding)[0]["present"] == "yes"


@pytest.mark.parametrize("said", ["yes and no", "perhaps", "", 1, None, {}])
def test_a_choice_that_is_none_is_not_taken(said: Any) -> None:
    with pytest.raises(UnreadableReply, match="present"):
        read({"reason": "r", "quotes": [], "present": said}, Finding)


# ── what cannot be read ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", "the reply was empty"),
        ("   ", "the reply was empty"),
        ("I would rather not.", "not valid JSON"),
        ("Here it is: {}", "the answer lacks rationale, reasons, winner, kind, second, undecided"),
        (json.dumps(GOOD)[:-20], "breaks off in the middle|not valid JSON"),
        ("Here: " + json.dumps(GOOD)[:60], "breaks off in the middle"),
        (spoilt(undecided=float("nan")), "undecided must be of type boolean"),
        ("[" * 100_000, "not valid JSON"),
        ('{"a":' * 100_000, "not valid JSON"),
        ('{"a":' * 900 + "1" + "}" * 900, "lacks rationale|not valid JSON"),
        ("[]", "the answer must be of type object"),
        ("{}", "the answer lacks rationale, reasons, winner, kind, second, undecided"),
        (spoilt(winner="C"), "winner must be one of A, B"),
        (spoilt(reasons=[{"quote": "", "strength": 3, "weight": 0.5}]), r"reasons\[0\].quote must not be empty"),
    ],
)
def test_what_is_wrong_with_a_reply_is_said_so_that_its_author_can_mend_it(text: str, problem: str) -> None:
    with pytest.raises(UnreadableReply, match=problem):
        parse(text, Ruling)


def test_all_faults_are_named_at_once() -> None:
    wrong = {"reasons": [{"quote": "", "strength": 12, "weight": 0.5}], "winner": "C", "kind": "final"}
    with pytest.raises(UnreadableReply) as refused:
        parse(json.dumps(wrong), Ruling)
    for place in ("lacks rationale, second, undecided", "reasons[0].quote", "reasons[0].strength", "winner"):
        assert place in str(refused.value)


# ── when nobody is asked again ───────────────────────────────────────────────────────────────────────────────────


def test_the_whole_entries_of_a_list_that_breaks_off_are_taken_in_the_end() -> None:
    text = json.dumps({"reasons": [REASON, REASON | {"reason": "So."}, REASON]})[:-30]
    with pytest.raises(UnreadableReply, match=r"breaks off|not valid"):
        read(text, FoundReasons)
    value, _ = read(text, FoundReasons, last=True)
    assert [reason["reason"] for reason in value["reasons"]][:2] == ["Because.", "So."]


def test_a_number_at_the_break_is_no_number() -> None:
    text = '{"justification": "It bears on the claim.", "quotes": [], "credibility": 5, "validity": 1'
    with pytest.raises(UnreadableReply, match="lacks validity"):
        read(text, Validation, last=True)


def test_what_may_be_empty_and_was_not_given_is_empty_in_the_end() -> None:
    verdict = {"topics": [{"number": 1, "verdict": "agree"}]}
    with pytest.raises(UnreadableReply, match=r"topics\[0\] lacks pro_concern, con_concern, scope"):
        read(verdict, AgendaReview)
    value, notes = read(verdict, AgendaReview, last=True)
    assert value["topics"][0]["scope"] == ""
    assert "lacks pro_concern, con_concern, scope: left empty" in notes[0]


# ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.text())
def test_no_text_makes_the_reader_fail_in_another_way(text: str) -> None:
    for last in (False, True):
        with pytest.raises(UnreadableReply):
            read_json(text, json_schema_of(Ruling), last=last)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda v: st.lists(v) | st.dictionaries(st.text() | st.sampled_from(["a", "quote", "b"]), v),
)


@given(JSON, schemas(), st.booleans())
def test_whatever_is_read_fits_the_schema(value: Any, schema: dict[str, Any], last: bool) -> None:
    schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    try:
        found, _ = read_json(json.dumps({"a": value}), schema, last=last)
    except UnreadableReply:
        return
    assert check(found, schema) is found


@st.composite
def disobeying(draw: st.DrawFn, value: Any, schema: dict[str, Any]) -> Any:
    """The value with more words, more entries, another order and unknown fields, but nothing else wrong."""
    if isinstance(value, dict):
        items = [(name, draw(disobeying(sub, schema["properties"][name]))) for name, sub in value.items()]
        items += [(f"unknown {n}", draw(JSON)) for n in range(draw(st.integers(0, 2)))]
        return dict(draw(st.permutations(items)))
    if isinstance(value, list) and value:
        many = value + draw(st.lists(st.sampled_from(value), max_size=4))
        return [draw(disobeying(item, schema["items"])) for item in draw(st.permutations(many))]
    if isinstance(value, str) and "enum" not in schema:
        return value + draw(st.sampled_from(["", " and so on" * 60, "!" * 900, "；更多" * 200]))
    if isinstance(value, int) and not isinstance(value, bool) and draw(st.booleans()):
        return draw(st.sampled_from([str(value), float(value), [value]]))
    return value


@given(st.data(), schemas(), st.integers())
def test_an_answer_that_fits_but_for_lengths_counts_order_and_unknown_fields_is_read(
    data: st.DataObject, schema: dict[str, Any], seed: int
) -> None:
    schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    call = Call("m", (Message("user", f"{seed}"),), schema=schema)
    sent = data.draw(disobeying(json.loads(filler.answer(call, schema)), schema))
    found, _ = read_json(json.dumps(sent), schema)
    assert check(found, schema) is found


def test_half_an_escaped_character_becomes_a_sign_that_can_be_stored_and_two_halves_become_one_character() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert read_json('{"a": "x\\ud83d"}', schema)[0] == {"a": "x\ufffd"}
    assert read_json('{"a": "\\ud83d\\ude00"}', schema)[0] == {"a": "😀"}


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("text", "comes"),
    [
        ('{"a": "' + "e" * 10**6 + "x", "lacks a"),
        ('{"a": ' + "1" * 10**6 + "x", "not valid JSON"),
        ("{" * 10**6, "not valid JSON"),
        ('{"a":' * 10**5, "not valid JSON"),
        ("</think>" * 10**5 + "{", "lacks a"),
        ('{"a": "' + '"' * 10**6, "'a': ''"),
        ('{"a": "x"} ' * 10**5, "'a': 'x'"),
        ('{"a": "' + "word " * 10**5, "lacks a"),
    ],
    ids=["letters", "digits", "braces", "fields", "thoughts", "quotes", "objects", "words"],
)
def test_a_long_reply_is_read_in_one_go(text: str, comes: str) -> None:
    """What grows with the square of its length takes hours here, and stops everybody meanwhile."""
    try:
        came = str(
            read_json(text, {"type": "object", "properties": {"a": {"type": "string", "minLength": 0}}}, last=True)
        )
    except UnreadableReply as error:
        came = str(error)
    assert comes in came
