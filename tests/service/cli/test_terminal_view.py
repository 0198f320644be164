"""What a terminal may see of a session, and what is asked of the person who sits there."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from elenchus.debate_engine.events import (
    AnswerRejected,
    CallRecord,
    Event,
    HeatSet,
    Recorded,
    Said,
    Seat,
    SessionPaused,
    SessionStarted,
    StepDone,
    TurnAnswered,
    TurnOpened,
    now,
)
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.prompts import Section
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.reports.blocks import Block, Fact, Note, Speech
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.run_context import Draft
from elenchus.service.cli.live.dialogs import guide, keys_for
from elenchus.service.cli.live.input import KeyInput
from elenchus.service.cli.live.keyboard import KeyParser
from elenchus.service.cli.live.status import panel
from elenchus.service.cli.show.terminal_view import TerminalView
from elenchus.service.cli.turns import OpenTurns

PEOPLE = ("pro", "moderator")


def started() -> SessionStarted:
    cfg = DebateConfig(motion="Homework should end", judges=("judge-1",))
    specs = {"pro": "human", "moderator": "human"}
    seats = tuple(Seat(name=n, spec=specs.get(n, "scripted:x")) for n in ("pro", "con", "crit", "judge-1", "moderator"))
    config = cfg.model_dump(mode="json")
    return SessionStarted(protocol="socrasynth", title=cfg.motion, config=config, seats=seats, seed=1, version="0")


def numbered(events: Sequence[Event], first: int = 1) -> list[Recorded]:
    return [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, first)]


def said(speaker: str, to: tuple[str, ...], text: str, about: str = "opening") -> Said:
    return Said(step=f"{about}/{speaker}/said", input_hash="", speaker=speaker, to=to, text=text, about=about)


def done(step: str, result: Any) -> StepDone:
    return StepDone(step=step, input_hash="", result=result)


REASON = {"side": "pro", "about": "opening", "reason": "Rest is needed.", "gamma": 6.0, "theta": 5.0}
COURSE: list[Event] = [
    started(),
    done("opening/heat", {"heat": 0.9, "set_by": []}),
    said("pro", ("*",), "Pupils need rest."),
    said("con", ("*",), "Practice makes perfect."),
    said("moderator", ("con",), "Name a study.", "guidance"),
    said("crit", ("moderator",), "pro's weakest reason: rest", "weakest"),
    done("round/1/crit/quality", {"gamma": 6.0, "standing": 5.0, "new": [REASON]}),
]


def seen_by(*seats: str) -> list[Block]:
    return TerminalView("s", frozenset(seats), SessionView("s")).take_all(numbered(COURSE))


def texts(items: Sequence[Block]) -> list[str]:
    return [item.text for item in items if isinstance(item, Speech | Note)]


def test_the_moderator_sees_everything() -> None:
    items = seen_by()
    assert any("Name a study" in text for text in texts(items))
    assert any("weakest reason" in text for text in texts(items))
    assert any(isinstance(item, Fact) and item.name.startswith("quality") for item in items)
    assert {item.model for item in items if isinstance(item, Speech)} == {"", "scripted:x"}


def test_a_debater_sees_speeches_and_no_scores_guidance_to_the_other_or_models() -> None:
    items = seen_by("pro")
    assert texts(items) == ["Pupils need rest.", "Practice makes perfect."]
    assert not any(isinstance(item, Fact) and item.name.startswith("quality") for item in items)
    assert {item.model for item in items if isinstance(item, Speech)} == {""}


def test_what_a_scene_has_the_system_say_is_no_models() -> None:
    """What the system agent says of a deviation is."""
    seats = (Seat(name="Ada", spec="scripted:x"), Seat(name="system", spec="scripted:x"))
    first = started().model_copy(update={"protocol": "rulegen", "seats": seats})
    spoken = [
        said("system", ("Ada",), "Two teas stand here.", "self-receiving"),
        said("system", ("moderator",), "Ada departs from the rule.", "deviation"),
        said("Ada", ("*",), "The green one."),
    ]
    items = TerminalView("s", frozenset(), SessionView("s")).take_all(numbered([first, *spoken]))
    assert [item.model for item in items if isinstance(item, Speech)] == ["", "scripted:x", "scripted:x"]


def test_two_people_at_one_terminal_see_only_what_both_have_heard() -> None:
    assert "Name a study." not in str(seen_by("pro", "con"))
    assert "Name a study." in str(seen_by("con"))


def test_a_debater_sees_who_speaks_and_not_the_draft() -> None:
    moderator, debater = TerminalView("s"), TerminalView("s", frozenset({"pro"}))
    for terminal in (moderator, debater):
        terminal.take_all(numbered([started()]))
        terminal.draft(Draft("opening/con", "con", "A secret plan"))
        terminal.draft(Draft("judging/judging/judge-1/A-claims/topic/1", "judge-1", "{"))
    assert [a.text for a in moderator.visible_activity()] == ["A secret plan", "{"]
    assert [(a.seat, a.text) for a in debater.visible_activity()] == [("con", "")]


def test_a_draft_that_starts_again_shows_nothing_of_the_first_attempt() -> None:
    terminal = TerminalView("s")
    for text in ("half a", None, "whole"):
        terminal.draft(Draft("opening/con", "con", text))
    assert [a.text for a in terminal.visible_activity()] == ["whole"]
    terminal.draft(Draft("opening/con", "con", None, done=True))
    assert terminal.visible_activity() == []


class Piece(str):
    """A piece of a draft that counts what is copied when it is added to others."""

    __slots__ = ()
    copied = 0

    def __radd__(self, before: str) -> str:
        Piece.copied += len(before)
        return before + str(self)


def test_a_draft_that_comes_by_single_characters_is_not_copied_with_each() -> None:
    terminal = TerminalView("s", frozenset())
    for _ in range(100_000):
        terminal.draft(Draft("opening/con", "con", Piece("x")))
    assert terminal.visible_activity()[0].text == "x" * 100_000
    assert Piece.copied <= 1_000_000


def test_each_press_of_a_key_counts_from_the_heat_that_was_wanted_last() -> None:
    terminal = TerminalView("s", view=SessionView("s"))
    terminal.take_all(numbered(COURSE))
    dialogs = {key.key: key.dialog for key in keys_for(terminal)}
    for key, heat in (("+", 0.8), ("+", 0.85), ("+", 0.9), ("-", 0.85)):
        with pytest.raises(StopIteration) as end:
            next(dialogs[key](terminal, "me"))
        assert end.value.value == HeatSet(by="me", heat=heat)


def test_guidance_is_asked_for_in_two_steps_and_nothing_is_sent_without_words() -> None:
    for typed, sent in (("Be brief.", ("pro", "con")), ("  ", None)):
        dialog = guide(TerminalView("s"), "me")
        next(dialog)
        dialog.send("both")
        with pytest.raises(StopIteration) as end:
            dialog.send(typed)
        assert (end.value.value and end.value.value.to) == sent


# ── turns ────────────────────────────────────────────────────────────────────────────────────────────────────────


def opened(step: str, seat: str, schema: dict[str, Any] | None = None) -> TurnOpened:
    material = (Section(title="The agenda", text="1. a vs. b"),)
    ask = Ask(step=step, seat=seat, prompt_id="p", prompt_hash="", role="", material=material, task="Speak.")
    ask = ask.model_copy(update={"answer_schema": schema})
    return TurnOpened(step=step, seat=seat, asked=ask.model_dump(mode="json"), answer_schema=schema)


def test_turns_are_taken_up_in_order_and_only_those_of_seats_here() -> None:
    open_turns = OpenTurns(frozenset({"pro"}), by="me")
    open_turns.take_all(numbered([opened("a", "pro"), opened("b", "con"), opened("c", "pro")]))
    assert open_turns.current is not None
    assert [turn.step for turn in open_turns.waiting.values()] == ["a", "c"]
    assert open_turns.enter("My speech") == TurnAnswered(
        step="a", seat="pro", by="me", answer="My speech", via="terminal"
    )
    assert open_turns.current.step == "c"


def test_a_turn_that_was_answered_elsewhere_or_is_done_waits_no_more() -> None:
    open_turns = OpenTurns(frozenset({"pro"}), by="me")
    answered = TurnAnswered(step="a", seat="pro", by="she", answer="x")
    open_turns.take_all(numbered([opened("a", "pro"), answered, opened("b", "pro"), done("b", {"value": "y"})]))
    assert open_turns.current is None


def test_a_rejected_answer_opens_the_turn_again_and_says_why() -> None:
    open_turns = OpenTurns(None, by="me")
    answered = TurnAnswered(step="a", seat="pro", by="me", answer=3)
    open_turns.take_all(
        numbered([opened("a", "pro"), answered, AnswerRejected(step="a", answer_seq=2, reason="the answer is empty")])
    )
    assert open_turns.current is not None
    assert "the answer is empty" in open_turns.current.field.problem


def test_a_turn_can_be_passed_with_a_reason() -> None:
    open_turns = OpenTurns(None, by="me")
    open_turns.take_all(numbered([opened("a", "pro"), opened("b", "pro")]))
    assert open_turns.enter("/pass") == TurnAnswered(step="a", seat="pro", by="me", declined="passed", via="terminal")
    tired = TurnAnswered(step="b", seat="pro", by="me", declined="I am tired", via="terminal")
    assert open_turns.enter("/pass I am tired") == tired


# ── the keyboard ─────────────────────────────────────────────────────────────────────────────────────────────────


def keyboard(open_turns: OpenTurns) -> tuple[KeyInput, list[Event]]:
    sent: list[Event] = []
    terminal = TerminalView("s", view=SessionView("s"))
    terminal.take_all(numbered([started()]))
    return KeyInput(terminal, open_turns, sent.append), sent


def press(keys: KeyInput, text: str) -> None:
    for key in KeyParser().feed(text.encode()):
        keys.press(key)


def test_keys_are_commands_and_letters_while_a_turn_is_open() -> None:
    open_turns = OpenTurns(None, by="me")
    keys, sent = keyboard(open_turns)
    press(keys, "r")
    open_turns.take_all(numbered([opened("a", "pro")]))
    keys.take_up_turn()
    press(keys, "r for rest\r.\r")
    keys.take_up_turn()
    press(keys, "c")
    assert [event.kind for event in sent] == ["round", "turn_answered", "close"]
    assert isinstance(sent[1], TurnAnswered)
    assert sent[1].answer == "r for rest"


def test_a_turn_can_be_put_aside_for_a_command_and_taken_up_again() -> None:
    open_turns = OpenTurns(None, by="me")
    keys, sent = keyboard(open_turns)
    open_turns.take_all(numbered([opened("a", "pro")]))
    keys.take_up_turn()
    for text in ("\x1b", "p", "t", "Well.\x04"):
        press(keys, text)
    assert [event.kind for event in sent] == ["pause", "turn_answered"]


def test_p_lets_a_paused_session_go_on() -> None:
    keys, sent = keyboard(OpenTurns(None, by="me"))
    keys.terminal.take_all(numbered([SessionPaused(why="moderator", reason="tea")], 2))
    press(keys, "p")
    assert [event.kind for event in sent] == ["resume"]


def test_a_dialog_can_be_left() -> None:
    keys, sent = keyboard(OpenTurns(None, by="me"))
    for text in ("s", "because", "\x1b", "g", "\x1b", "d", "c"):
        press(keys, text)
    assert [event.kind for event in sent] == ["deepen"]


def test_words_typed_into_a_turn_that_was_answered_elsewhere_are_not_lost_silently() -> None:
    open_turns = OpenTurns(None, by="me")
    keys, _ = keyboard(open_turns)
    open_turns.take_all(numbered([opened("a", "pro")]))
    keys.take_up_turn()
    press(keys, "half a speech")
    open_turns.take_all(numbered([TurnAnswered(step="a", seat="pro", by="she", answer="x")], 2))
    keys.take_up_turn()
    assert "elsewhere" in keys.flash


@pytest.mark.parametrize(
    ("ceiling", "told"), [(None, "price unknown  budget $2.00"), (10.0, "price unknown  budget 50% of $2.00")]
)
def test_the_foot_says_no_share_of_a_budget_that_is_not_known(ceiling: float | None, told: str) -> None:
    call = CallRecord(model="scripted:x", input_tokens=60_000, output_tokens=40_000)
    first = started().model_copy(update={"budget_usd": 2.0, "unpriced_usd": ceiling})
    terminal = TerminalView("s", frozenset(), SessionView("s"))
    terminal.take_all(numbered([first, done("opening/pro", {"value": "Yes."}).model_copy(update={"calls": (call,)})]))
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(panel(terminal, Text(), Text(), elapsed=0, width=100))
    assert told in console.export_text()
