"""What people in a scene may say at a terminal at any moment: a question beside the rules, and that they stop."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from rich.console import Console, RenderableType

from elenchus.debate_engine.events import (
    Event,
    PromptTrimmed,
    Recorded,
    Said,
    Seat,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    StepDone,
    TurnAnswered,
    TurnOpened,
    UnforeseenQuestion,
    Withdrawn,
)
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.prompts import Section
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, Target
from elenchus.debate_engine.protocols.rulegen.evaluation import evaluation_of
from elenchus.debate_engine.protocols.rulegen.played import Opinion, Played, Quote
from elenchus.debate_engine.protocols.rulegen.presentation import played_lines
from elenchus.debate_engine.reports.blocks import Note, Speech
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.scenes.scene import Role, Scene
from elenchus.service.cli.displays import prompt_of
from elenchus.service.cli.live.dialogs import keys_for
from elenchus.service.cli.live.input import KeyInput, question
from elenchus.service.cli.live.keyboard import Key, KeyParser
from elenchus.service.cli.live.status import DEBRIEFED, OTHERS, PAUSE, at_work, key_line, panel
from elenchus.service.cli.show.plain import lines
from elenchus.service.cli.show.render import rendered
from elenchus.service.cli.show.terminal_view import TerminalView
from elenchus.service.cli.turns import ASK, WITHDRAW, OpenTurns

WHEN = datetime(2026, 11, 21, tzinfo=UTC)


def started(protocol: str = "rulegen") -> Recorded:
    seats = (Seat(name="Robin", spec="human"),)
    event = SessionStarted(protocol=protocol, title="t", config={}, seats=seats, seed=1, version="0")
    return Recorded(seq=1, at=WHEN, event=event)


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\u3000", " \n\n"])
def test_any_space_parts_a_command_from_what_follows(space: str) -> None:
    passed = open_turns().enter(f"/pass{space}I am tired.")
    assert isinstance(passed, TurnAnswered)
    assert (passed.answer, passed.declined) == (None, "I am tired.")
    assert open_turns().is_command(f"/pass{space}")
    asked = open_turns().aside(f"{ASK}{space}Which card?")
    assert isinstance(asked, UnforeseenQuestion)
    assert asked.text == "Which card?"
    assert not open_turns().is_command("/passing by")
    assert not open_turns().is_command("")


def open_turns(*seats: str, turn: bool = True, protocol: str = "rulegen") -> OpenTurns:
    made = OpenTurns(frozenset(seats or ("Robin",)), "P-abcdef")
    made.take(started(protocol))
    if turn:
        ask = Ask(step="rule/1", seat="Robin", prompt_id="p", prompt_hash="h", role="", material=(), task="Speak.")
        opened = TurnOpened(step="rule/1", seat="Robin", asked=ask.model_dump(mode="json"))
        made.take(Recorded(seq=2, at=WHEN, event=opened))
    return made


def test_a_question_leaves_the_own_turn_open_and_withdrawing_needs_none() -> None:
    at_work = open_turns()
    assert at_work.enter(f"{ASK} What is it for?") == UnforeseenQuestion(
        by="P-abcdef", seat="Robin", text="What is it for?"
    )
    assert at_work.current is not None
    assert at_work.enter("My answer") == TurnAnswered(
        step="rule/1", seat="Robin", by="P-abcdef", answer="My answer", via="terminal"
    )
    assert open_turns(turn=False).aside(WITHDRAW) == Withdrawn(by="P-abcdef", seat="Robin")


def test_a_question_without_words_asks_nothing() -> None:
    assert open_turns().aside(f"{ASK}  ") is None


def test_without_a_turn_nobody_guesses_which_of_two_people_speaks() -> None:
    assert open_turns("Robin", "Mika", turn=False).aside(WITHDRAW) is None


@pytest.mark.parametrize("line", [f"{ASK} me anything", WITHDRAW])
def test_in_a_debate_these_are_words_like_any_others(line: str) -> None:
    debate = open_turns(protocol="socrasynth")
    assert not debate.is_command(line)
    answered = debate.enter(line)
    assert isinstance(answered, TurnAnswered)
    assert answered.answer == line


def test_a_person_in_a_scene_has_keys_to_ask_and_to_stop_and_none_of_the_moderators() -> None:
    terminal = TerminalView("s", frozenset({"Robin"}), SessionView("s"))
    terminal.take(started())
    ask, stop = keys_for(terminal)
    question = ask.dialog(terminal, "P-abcdef")
    next(question)
    with pytest.raises(StopIteration) as asked:
        question.send("Why?")
    assert asked.value.value == UnforeseenQuestion(by="P-abcdef", seat="Robin", text="Why?")
    for answer, event in (("yes", Withdrawn(by="P-abcdef", seat="Robin")), ("no", None)):
        sure = stop.dialog(terminal, "P-abcdef")
        next(sure)
        with pytest.raises(StopIteration) as decided:
            sure.send(answer)
        assert decided.value.value == event


# ── the live view ────────────────────────────────────────────────────────────────────────────────────────────────


def pressed(at: OpenTurns, keys: str) -> list[Event]:
    """What is sent when these keys are pressed into the foot of the live view."""
    sent: list[Event] = []
    typed = KeyInput(TerminalView("s", frozenset({"Robin"}), SessionView("s")), at, sent.append)
    typed.take_up_turn()
    for key in KeyParser().feed(keys.encode()):
        typed.press(key)
    return sent


def test_a_question_typed_into_a_long_answers_field_is_sent_at_enter_and_does_not_swallow_the_answer() -> None:
    question = UnforeseenQuestion(by="P-abcdef", seat="Robin", text="May I?")
    answer = TurnAnswered(step="rule/1", seat="Robin", by="P-abcdef", answer="Twelve grams,\nno more", via="terminal")
    assert pressed(open_turns(), "/ask May I?\rTwelve grams,\rno more\r.\r") == [question, answer]
    assert pressed(open_turns(), "/withdraw\r") == [Withdrawn(by="P-abcdef", seat="Robin")]
    assert pressed(open_turns(), "I would\r/withdraw\r") == [Withdrawn(by="P-abcdef", seat="Robin")], "at any moment"
    assert pressed(open_turns(), "Twelve grams,\r/ask May I?\rno more\r.\r") == [question, answer]


def typing(at: OpenTurns, *keys: Key) -> KeyInput:
    """The foot of the live view after these keys."""
    typed = KeyInput(TerminalView("s", frozenset({"Robin"}), SessionView("s")), at, lambda _: None)
    typed.take_up_turn()
    for key in keys:
        typed.press(key)
    return typed


def shown(at: RenderableType, width: int = 80) -> str:
    console = Console(record=True, width=width, file=io.StringIO())
    console.print(at)
    return console.export_text()


def test_who_presses_escape_in_a_scene_and_types_on_gives_no_command() -> None:
    typed = typing(open_turns(), Key("esc"), Key("a", "a"), Key("p", "p"))
    assert not typed.aside
    assert "ap" in shown(typed.form(60, 10))


def test_help_typed_into_a_turn_tells_what_can_be_typed_and_is_no_answer() -> None:
    assert pressed(open_turns(), "/help\r") == []
    (told,) = typing(open_turns(), *KeyParser().feed(b"/help\r")).lost
    assert all(word in str(told) for word in ("/ask", "/pass", "/withdraw"))


@pytest.mark.parametrize("width", [44, 54, 74, 114])
def test_the_foot_of_a_turn_has_asking_and_stopping_in_whole_at_any_width(width: int) -> None:
    ending = typing(open_turns()).ending(width)
    assert ending is not None
    assert ending.cell_len <= width
    assert [word for word in ("/ask …", "/withdraw", "/help") if word not in ending.plain] == []


@pytest.mark.parametrize(("typed", "told"), [("1.200,50", "1.200,5"), ("1200.5", "1.200,5"), ("12", "")])
def test_a_number_that_is_written_otherwise_elsewhere_is_told_back(
    typed: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_NUMERIC", "de_DE")
    at_work = open_turns(turn=False)
    schema = {"type": "object", "properties": {"price": {"type": "number", "description": "How much?"}}}
    ask = Ask(
        step="rule/1", seat="Robin", prompt_id="p", prompt_hash="h", role="", material=(), task="?",
        answer_schema=schema,
    )  # fmt: skip
    opened = TurnOpened(step="rule/1", seat="Robin", asked=ask.model_dump(mode="json"))
    at_work.take(Recorded(seq=2, at=WHEN, event=opened))
    notes = typing(at_work, *KeyParser().feed(f"{typed}\r".encode())).lost
    assert notes == ([Note(f"read as: {told}")] if told else [])


def test_who_plays_reads_the_question_and_not_what_the_measure_is_called() -> None:
    field = {"type": "number", "description": "What is a fair price? (one number, and nothing else)"}
    schema = {"type": "object", "properties": {"price_in_secret": field}, "required": ["price_in_secret"]}
    at_work = open_turns(turn=False)
    ask = Ask(
        step="rule/1",
        seat="Robin",
        prompt_id="p",
        prompt_hash="h",
        role="",
        material=(),
        task="?",
        answer_schema=schema,
    )
    opened = TurnOpened(step="rule/1", seat="Robin", asked=ask.model_dump(mode="json"))
    at_work.take(Recorded(seq=2, at=WHEN, event=opened))
    form = shown(typing(at_work).form(74, 10))
    assert form.startswith("Your answer  What is a fair price?")
    assert at_work.current is not None
    assert prompt_of(at_work.current).startswith("> your answer What is a fair price?")
    assert "secret" not in at_work.current.unsent("12")


def test_passing_is_sent_at_enter_where_it_stands_alone() -> None:
    (passed,) = pressed(open_turns(), "/pass no idea\r")
    assert isinstance(passed, TurnAnswered)
    assert passed.declined == "no idea"


def test_a_line_that_only_begins_like_a_command_is_an_answer() -> None:
    (answer,) = pressed(open_turns(), "/passing by\rI saw it\r.\r")
    assert isinstance(answer, TurnAnswered)
    assert answer.answer == "/passing by\nI saw it"


def test_who_sits_alone_at_a_terminal_is_not_shown_again_what_stands_above() -> None:
    material = (
        Section(title="Who you are", text="You are Robin, a baker."),
        Section(title="Kept", text="A form to read."),
        Section(title="Heard", text="Mika spoke.", policy="digest"),
    )
    ask = Ask(step="rule/1", seat="Robin", prompt_id="p", prompt_hash="h", role="", material=material, task="Speak.")
    at_work = open_turns(turn=False)
    opened = TurnOpened(step="rule/1", seat="Robin", asked=ask.model_dump(mode="json"))
    at_work.take(Recorded(seq=2, at=WHEN, event=opened))
    assert at_work.current is not None
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(question(at_work.current, heard_here=True))
    alone = console.export_text()
    console.print(question(at_work.current))
    assert "A form to read." in alone
    assert "a baker" not in alone, "it was told when the scene began"
    assert "Speak." in alone
    assert "Mika spoke." not in alone
    assert "Mika spoke." in console.export_text()


def test_a_message_of_the_system_keeps_its_lines() -> None:
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(rendered(Speech("system", "to Robin", "Card 1.\nAll boats leak.\n\nMark it.", None, "")))
    assert [line.strip() for line in console.export_text().splitlines()][2:] == [
        "Card 1.", "All boats leak.", "", "Mark it.",
    ]  # fmt: skip


ROLES = (
    Role(name="Robin", kind="subject", background="You rent bed 20.", task="Choose."),
    Role(name="Mika", kind="confederate", background="", task="Press."),
)


def test_who_has_agreed_is_told_who_it_is_before_anything_reaches_it() -> None:
    terminal = TerminalView("s", frozenset({"Robin"}), SessionView("s"))
    config = SceneConfig(scene=Scene(roles=ROLES), people=("Robin", "Mika"))
    first = started().event.model_copy(update={"config": config.model_dump(mode="json")})
    terminal.take(Recorded(seq=1, at=WHEN, event=first))

    def given(seq: int, name: str, *, agreed: bool) -> list[str]:
        step = StepDone(step=f"consent/{name}/given", input_hash="i", result={"name": name, "agreed": agreed})
        return [line for item in terminal.take(Recorded(seq=seq, at=WHEN, event=step)) for line in lines(item)]

    told = given(2, "Robin", agreed=True)
    assert told[:2] == ["[Robin, who you are]", told[1]]
    assert "  You are Robin. You rent bed 20.\n  \n  Your task: Choose." in told[1]
    assert "Press." not in told[1]
    assert given(3, "Mika", agreed=True) == given(4, "Robin", agreed=False) == []


def test_who_plays_reads_at_the_foot_what_is_waited_for_and_nothing_of_calls_and_tokens() -> None:
    terminal = TerminalView("s", frozenset({"Robin"}), SessionView("s"))
    terminal.take(started())

    def foot() -> str:
        console = Console(record=True, width=120, file=io.StringIO())
        console.print(panel(terminal, at_work(terminal, 0, 116, 5), key_line(terminal, 114), elapsed=3, width=120))
        return console.export_text()

    assert OTHERS in foot()
    assert not [word for word in ("call", "token", "rulegen") if word in foot()]
    terminal.take(Recorded(seq=2, at=WHEN, event=SessionPaused(why="moderator", reason="paused by m")))
    assert PAUSE in foot()
    terminal.take(Recorded(seq=3, at=WHEN, event=SessionResumed()))
    debrief = Said(step="d", input_hash="i", speaker="system", to=("Robin",), text="It was …", about="debrief")
    terminal.take(Recorded(seq=4, at=WHEN, event=debrief))
    assert DEBRIEFED in foot()
    assert [key.key for key in keys_for(terminal)] == ["w"], "nobody answers any more"


def test_a_scenes_judge_hears_nothing_of_it_while_it_is_played_and_who_plays_hears_what_is_said_to_all() -> None:
    seats = (Seat(name="Robin", spec="human"), Seat(name="judge-1", spec="human:Anna"))
    event = SessionStarted(
        protocol="rulegen", title="t", config={"judges": ["judge-1"]}, seats=seats, seed=1, version="0"
    )
    said = Said(step="rule/1", input_hash="i", speaker="Helga", to=("*",), text="Help yourself.", about="")

    def heard(*here: str) -> list[str]:
        terminal = TerminalView("s", frozenset(here), SessionView("s"))
        events: tuple[Event, ...] = (event, said)
        items = terminal.take_all([Recorded(seq=n, at=WHEN, event=e) for n, e in enumerate(events, 1)])
        return [item.text for item in items if isinstance(item, Speech)]

    assert heard("Robin") == ["Help yourself."]
    assert heard("judge-1") == []
    assert heard("Robin", "judge-1") == []
    assert heard() == ["Help yourself."], "the moderator's view"


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────────

OPINIONS = (
    Opinion(
        judge="judge-1",
        subject="Robin",
        present=True,
        reason="It followed\nthe others.",
        quotes=(Quote(words="I go with them", stands="subject"), Quote(words="I am a sheep", stands="nowhere")),
    ),
    Opinion(judge="judge-2", subject="Robin", unread="garbled"),
    Opinion(judge="judge-3", subject="Robin", present=True, reason="It is plain.", asked_again=True),
    Opinion(
        judge="judge-4",
        subject="Robin",
        present=True,
        reason="It says so.",
        quotes=(Quote(words="I go with them", stands="subject"),),
    ),
)


def ended_for(*seats: str) -> list[str]:
    """What a terminal prints at the end of a scene in which two judges could read only a part of the record."""
    evaluation = evaluation_of(Target(name="Herd", definition="d"), "o", OPINIONS)
    outcome = Played(turns=(), record=(), evaluation=evaluation).model_dump(mode="json")
    cut, again = (
        PromptTrimmed(step=f"evaluation/subject/1/{judge}", model="local:x", left_out=("The record (cut)",),
                      tokens_before=9, tokens_after=5)
        for judge in ("judge-1", "judge-3/again")
    )  # fmt: skip
    terminal = TerminalView("s", frozenset(seats), SessionView("s"))
    events: tuple[Event, ...] = (cut, again, SessionFinished(outcome=outcome))
    items = terminal.take_all([started(), *(Recorded(seq=n, at=WHEN, event=e) for n, e in enumerate(events, 2))])
    return [line for item in items for line in lines(item)]


def test_the_moderator_reads_the_verdict_with_the_judges_reasons_and_who_read_a_shortened_record() -> None:
    printed = ended_for()
    assert "- judge-1, judge-3 judged by a shortened record: the model's context is too small" in printed
    counts = "2 yes, 0 no, 1 unread, 1 unfounded; 1 of those that count quote words that nobody said"
    assert f"Robin: the bias is seen (Herd; judges: {counts})" in printed
    assert "- judge-1: yes: It followed the others." in printed
    assert "- judge-2: unread: garbled" in printed
    assert "- judge-3: yes, but unfounded: It is plain." in printed


def test_who_plays_reads_no_verdict_on_themselves() -> None:
    assert ended_for("Robin") == ["[finished]"]


@pytest.mark.parametrize(
    ("played", "line"),
    [
        (
            Played(turns=(), record=(), evaluation=None, ended="withdrawn"),
            "it ended early: nothing of it counts",
        ),
        (Played(turns=(), record=(), evaluation=None), "nobody judged it"),
    ],
)
def test_a_scene_without_a_verdict_says_why(played: Played, line: str) -> None:
    assert list(played_lines(played)) == [line]
