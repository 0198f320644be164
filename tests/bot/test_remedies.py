"""A sentence that names a button or a command names one that is there: the button in the view shown beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from elenchus.bot.client import ElenchusBot
from elenchus.bot.panel.buttons import buttons_of
from elenchus.bot.rendering import (
    audience as votes,
    scene_turns,
    scenes as wording,
    turns as turn_wording,
)
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.posts import posts_for
from elenchus.bot.scenes import control_room_panel, seat_thread
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.strings import catalogue, messages, msg
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import (
    Event,
    Recorded,
    Seat,
    SessionFailed,
    SessionPaused,
    SessionStarted,
    TurnOpened,
    TurnReminded,
    now,
)
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.service.app import open_app
from elenchus.service.cli.program import whole_tree
from elenchus.service.lab.session_status import SessionStatus
from tests.bot.stage import services_of
from tests.twins import twin_scenes

BOB = "human:discord:123456789012345678"


def sentences() -> Iterator[tuple[str, str]]:
    """What stands in the catalogues, by id; what is put in as `{…}`."""
    for name, texts in catalogue().items():
        yield from ((name, text) for text in ([texts] if isinstance(texts, str) else texts))


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────

COMMANDS = sorted({found for _, text in sentences() for found in re.findall(r"`(/[a-z][^`]*)`", text)})
PROGRAM = sorted({found for _, text in sentences() for found in re.findall(r"`elenchus ([^`]*)`", text)})


@pytest.mark.parametrize("named", COMMANDS)
async def test_a_command_that_is_named_is_there_with_its_option(named: str, tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        tree = ElenchusBot(services_of(app)).tree
    words = named[1:].split()
    found: Any = tree.get_command(words[0])
    while isinstance(found, app_commands.Group) and len(words) > 1:
        found, words = found.get_command(words[1]), words[1:]
    assert found is not None, named
    options = [word.partition(":")[0] for word in words[1:] if ":" in word]
    assert set(options) <= {option.name for option in getattr(found, "parameters", ())}


@pytest.mark.parametrize("named", PROGRAM)
def test_a_command_of_the_terminal_that_is_named_is_there(named: str) -> None:
    command: Any = whole_tree()
    for word in named.split():
        if word.islower() and hasattr(command, "commands"):
            assert word in command.commands, named
            command = command.commands[word]


# ── buttons ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def recorded(*events: Event) -> list[Recorded]:
    return [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]


def labels(buttons: Sequence[Button]) -> list[str]:
    return [button.label for button in buttons]


def debate(*events: Event) -> SessionStatus:
    cfg = DebateConfig(motion="Trams?", judges=("judge-1",), vote_seconds=60.0)
    seats = tuple(Seat(name=n, spec="scripted:demo") for n in ("pro", "crit", "judge-1"))
    first = SessionStarted(
        protocol="socrasynth", title="Trams?", config=cfg.model_dump(mode="json"), seed=0, version="",
        seats=(*seats, Seat(name="con", spec=BOB)),
    )  # fmt: skip
    return SessionStatus.of("s", recorded(first, *events))


def panel_after(*events: Event) -> list[str]:
    return labels(buttons_of(debate(*events)))


PAUSED = {why: SessionPaused(why=why, reason="") for why in ("moderator", "budget", "provider", "interrupt")}
FAILED = SessionFailed(error="ProtocolBug", message="it broke")
ASK = Ask(step="opening/con", seat="con", prompt_id="p", prompt_hash="h", role="", material=(), task="Speak.")


def turn(seat: str, step: str) -> TurnOpened:
    asked = ASK.model_copy(update={"step": step, "seat": seat}).model_dump(mode="json")
    return TurnOpened(step=step, seat=seat, asked=asked, due=now() + timedelta(hours=1))


def under_a_turn() -> list[str]:
    status = debate(opened := turn("con", "opening/con"))
    (post,) = posts_for(Recorded(seq=2, at=now(), event=opened), status.view)
    return labels(post.buttons)


def of_vote(when: When) -> list[str]:
    return labels(votes.buttons(debate().view, when))


def scene(*events: Event, subject: str = BOB, confederate: str = "scripted:demo") -> SceneView:
    played = twin_scenes()["seeds"]
    specs = {"Robin": subject, "Mika": confederate}
    names = [role.name for role in played.roles] + ["system", "judge-1"]
    seats = tuple(Seat(name=name, spec=specs.get(name, "scripted:demo")) for name in names)
    first = SessionStarted(
        protocol="rulegen", title="Seeds", config=config_for(played, seats).model_dump(mode="json"), seats=seats,
        seed=0, version="",
    )  # fmt: skip
    return SceneView.of("s", recorded(first, *events), {BOB.removeprefix("human:"): 123456789012345678})


def seat_panel(name: str, *events: Event) -> list[str]:
    view = scene(*events, confederate=BOB) if name == "Mika" else scene(*events)
    return labels(seat_thread.panel_of(view, name).buttons)


def beside(event: Event, seat: str, *before: Event) -> tuple[str, list[str]]:
    """What an event says in a seat's thread, and the buttons that stand under it or on the panel."""
    view = scene(*before, event, confederate=BOB) if seat == "Mika" else scene(*before, event)
    (draft,) = seat_thread.drafts_for(Recorded(seq=len(before) + 2, at=now(), event=event), view, seat)
    return draft.text, [*labels(draft.buttons), *labels(seat_thread.panel_of(view, seat).buttons)]


def control(*events: Event) -> list[str]:
    return labels(control_room_panel.panel_of(scene(*events), 1).buttons)


def reminded(step: str, seat: str) -> tuple[str, list[str]]:
    opened = turn(seat, step)
    return beside(TurnReminded(step=step, seat=seat, due=now()), seat, opened)


def status() -> list[str]:
    return [f"{msg('scenes-resume')} 1"] if scene(PAUSED["moderator"]).status.waits_for_moderator else []


CASES: dict[str, Callable[[], tuple[str, list[str]]]] = {
    "budget spent": lambda: (messages("panel-paused-for")["budget"], panel_after(PAUSED["budget"])),
    "provider fails": lambda: (messages("panel-paused-for")["provider"], panel_after(PAUSED["provider"])),
    "broke off": lambda: (msg("panel-failed"), panel_after(FAILED)),
    "broke off, in the thread": lambda: (msg("thread-broke-off", reason="why", session="s"), panel_after(FAILED)),
    "vote before": lambda: (msg("panel-vote-before", until="soon"), of_vote("before")),
    "vote after": lambda: (msg("panel-vote-after", until="soon"), of_vote("after")),
    "vote before, under it": lambda: (votes.question("before", "soon"), of_vote("before")),
    "vote after, under it": lambda: (votes.question("after", "soon"), of_vote("after")),
    "may not see": lambda: (msg("posting-channel-hidden", title="t", session="s"), panel_after(PAUSED["moderator"])),
    "may not post": lambda: (msg("posting-cannot-post", title="t", session="s"), panel_after(PAUSED["moderator"])),
    "locked": lambda: (msg("posting-thread-locked", title="t", session="s"), panel_after(PAUSED["moderator"])),
    "a turn": lambda: (turn_wording.your_turn(1, "w", ""), under_a_turn()),
    "a drafted turn": lambda: (turn_wording.your_turn(1, "w", "", prepared=True), under_a_turn()),
    "not agreed yet": lambda: (msg("people-agree-first"), under_a_turn()),
    "a turn in a scene": lambda: beside(turn("Robin", "rule/2/turn/1/reply"), "Robin"),
    "a reminder in a scene": lambda: reminded("rule/2/turn/1/reply", "Robin"),
    "a judge's turn in a scene": lambda: (
        scene_turns.your_turn("w", "", "", judge=True),
        [label for _, label, _ in seat_thread.ACTIONS],
    ),
    "a subject's pause": lambda: beside(PAUSED["moderator"], "Robin"),
    "a confederate's pause": lambda: beside(PAUSED["moderator"], "Mika"),
    "a subject's scene broke off": lambda: beside(FAILED, "Robin"),
    "a confederate's scene broke off": lambda: beside(FAILED, "Mika"),
    "a scene broke off": lambda: (msg("scenes-broke-off", title="t"), control(FAILED)),
    **{
        f"scene {kind}": (lambda kind=kind: (wording.posting_failure(kind, "t", "s", "r"), status()))  # type: ignore[misc]
        for kind in ("gone", "kicked", "hidden", "forbidden", "locked")
    },
}
LABELS = {
    *messages("panel-buttons").values(), *messages("audience-close").values(),
    *messages("scene-rooms-buttons").values(),
    msg("people-answer"), msg("people-read"), msg("people-pass"), msg("people-longer"), msg("people-leave"),
    msg("scene-seats-withdraw"), msg("scene-seats-question"),
}  # fmt: skip
NAMED = re.compile(
    rf"(?:\b[Pp]ress |→ |\bor |\*\*)(?:\*\*)?({'|'.join(sorted(map(re.escape, LABELS), key=len, reverse=True))})(?!\w)"
)
"""Where a sentence names a button: what is to be pressed, chosen, or stands out."""


@pytest.mark.parametrize("case", CASES)
def test_a_button_that_a_sentence_names_is_shown_beside_it(case: str) -> None:
    sentence, shown = CASES[case]()
    named = NAMED.findall(sentence)
    assert named, sentence
    assert [name for name in named if not any(label in (name, f"{name} 1") for label in shown)] == [], shown


def test_every_sentence_that_names_a_button_has_its_case() -> None:
    told = [CASES[case]()[0] for case in CASES]
    naming = [
        (file, text)
        for file, text in sentences()
        if NAMED.search(text) or re.search(r"\b[Pp]ress |\*\*\{(?:[A-Z]|side)", text)
    ]
    assert len(naming) > 15
    for name, text in naming:
        longest = max(re.split(r"\{[^{}]*(?:\{[^{}]*\})?[^{}]*\}", text), key=len)
        known = any(longest in one for one in told) or name in ELSEWHERE
        assert known, f"{name}: {text!r} names a button: give it a case with what is shown beside it"


ELSEWHERE = {
    "audience-voted",  # what was pressed
    "helping-sitting",  # /help, of a turn
}


def test_who_is_reminded_to_agree_is_not_told_of_buttons_that_a_turn_has() -> None:
    text, _ = reminded("consent/Robin", "Robin")
    assert "please decide" in text
    assert NAMED.findall(text) == []
