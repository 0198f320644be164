"""A protocol of an installed package runs, resumes, is shown, reported, exported and posted by its spec alone."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from elenchus.bot.panel import content
from elenchus.config.settings import Settings
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.events import CallRecord, Recorded, Said, Seat, SessionFinished, SessionStarted, StepDone
from elenchus.debate_engine.protocols import registry
from elenchus.debate_engine.protocols.presentation import Presentation, Projection, RoundProgress
from elenchus.debate_engine.protocols.registry import UnknownProtocol, register, spec_of
from elenchus.debate_engine.protocols.spec import ProtocolSpec, imported
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.app import open_app
from elenchus.service.cli.live.status import stages
from elenchus.service.cli.show.terminal_view import TerminalView
from tests.bot.rendering.threads import after, all_posts
from tests.foreign import turn_taking
from tests.foreign.packages import known
from tests.service.cli.program import Program

NAME = "turn-taking"
SEATS = tuple(Seat(name=name, spec="scripted:demo") for name in ("first", "second", "judge"))
STARTED = SessionStarted(
    protocol=NAME, title="Tea", config={"motion": "Tea is better than coffee"}, seats=SEATS, seed=1, version="0"
)


async def started(home: Path) -> str:
    """A session of it that nobody has run yet, as another machine may have left it."""
    async with open_app(Settings(home=home)) as app:
        await app.log.create("tea", STARTED)
        return "tea"


@pytest.mark.slow
def test_a_package_registers_it_and_every_command_knows_it(tmp_path: Path) -> None:
    elenchus = Program(tmp_path / "home", tmp_path)
    session, env = asyncio.run(started(elenchus.home)), known(tmp_path, NAME, "tests.foreign.turn_taking:SPEC")
    unknown = elenchus("sessions", "resume", session)
    assert (unknown.code, "install the package that brings it" in unknown.err) == (2, True)
    ran = elenchus("sessions", "resume", session, "--export", tmp_path / "out", env=env)
    assert ran.code == 0, ran.err
    assert "[first, turn 1, scripted:demo]" in ran.out
    assert "[better] " in ran.out
    again = elenchus("sessions", "show", session, "--json", env=env).json
    assert (again["protocol"], again["state"]) == (NAME, "finished")
    assert again["better"] in ("first", "second")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "scores.csv").read_text(encoding="utf-8"))))
    assert rows == [{"session": session, "better": again["better"]}]
    assert NAME in elenchus("sessions", "list", env=env).out


@pytest.fixture
def events(tmp_path: Path) -> list[Recorded]:
    """Its log after a run that was broken off and resumed."""
    spec_registered()

    async def run() -> list[Recorded]:
        async with open_app(Settings(home=tmp_path / "home")) as app:
            session = await app.runner.create(STARTED)
            work = asyncio.create_task(app.runner.run(session))
            async for r in app.log.follow(session):
                if isinstance(r.event, Said):
                    break
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            ended = await app.runner.run(session)
            assert ended.state == "finished", ended.reason
            return await app.log.read(session)

    return asyncio.run(run())


def spec_registered() -> None:
    """In this process as a program does it; saying it twice is no fault."""
    register(turn_taking.SPEC)
    register(turn_taking.SPEC)


def test_it_goes_on_after_a_break_where_it_stood(events: list[Recorded]) -> None:
    said = [r.event.step for r in events if isinstance(r.event, Said)]
    assert said == [f"turn/{n}/{seat}/said" for n in (1, 2) for seat in ("first", "second")]


async def test_an_answer_that_a_rule_of_its_own_refuses_is_none_and_ends_no_session(tmp_path: Path) -> None:
    class Even(BaseModel):
        number: int

        @field_validator("number")
        @classmethod
        def _even(cls, value: int) -> int:
            raise ValueError(f"{value} is not even")

    async def run(s: Any, _config: dict[str, Any]) -> dict[str, Any]:
        answer = await s.ask("number", "judge", turn_taking.JUDGE, Even, heard="")
        return {"why": answer.reason}

    register(ProtocolSpec(name="even-numbers", run=run))
    async with open_app(Settings(home=tmp_path / "home")) as app:
        ended = await app.runner.run(await app.runner.create(STARTED.model_copy(update={"protocol": "even-numbers"})))
    assert (ended.state, ended.reason) == ("finished", "")
    assert ended.outcome is not None
    assert ended.outcome["why"].endswith("is not even")


def test_what_it_will_ask_is_known_beforehand() -> None:
    spec_registered()
    plan = plan_of(STARTED)
    assert [(call.seat, call.what, call.count) for call in plan.calls] == [
        ("first", "turns/speak", 2),
        ("second", "turns/speak", 2),
        ("judge", "turns/judge", 1),
    ]


def test_its_report_claims_nothing_of_another_protocols_methods(events: list[Recorded]) -> None:
    files = {name: content.decode() for name, content in contents_of("s", events).items()}
    outcome = next(r.event.outcome for r in events if isinstance(r.event, SessionFinished))
    report = files["report.md"]
    assert "protocol turn-taking" in report
    assert f"| better | {outcome['better']} |" in report
    assert f"- The judge named the {outcome['better']}." in report
    assert not [word for word in ("divided by", "SocraSynth", "CRIT", "motion “") if word in report]
    assert "drawn" not in json.loads(files["run.json"])
    assert list(csv.DictReader(io.StringIO(files["scores.csv"]))) == [{"session": "s", "better": outcome["better"]}]
    assert "| better | the seat that the judge named |" in files["scores-codebook.md"]
    assert "validity" not in files["scores-codebook.md"]


def test_a_thread_shows_its_speeches_and_its_end(events: list[Recorded]) -> None:
    posts = all_posts(events)
    speeches = [post for post in posts if post.speaker in ("first", "second")]
    assert len(speeches) == 4
    outcome = next(r.event.outcome for r in events if isinstance(r.event, SessionFinished))
    assert any(f"**better:** {outcome['better']}" in embed.description for post in posts for embed in post.embeds)
    assert posts[-1].pending_file == "report"
    assert "Tea" in posts[0].text


def test_a_model_that_stands_in_for_a_person_does_not_speak_under_that_name_in_any_protocol() -> None:
    spec_registered()
    carla = Seat(name="first", spec="human:discord:42", title="Carla")
    first = STARTED.model_copy(update={"seats": (carla, *SEATS[1:])})
    done = StepDone(step="turn/1/first", input_hash="", inputs={"seat": "first"}, calls=(CallRecord(model="x:y"),))
    said = Said(step="turn/1/first/said", input_hash="", speaker="first", to=("*",), text="Tea.", about="turn 1")
    assert [post.name for post in after(first, done, said)] == ["Stand-in (first)"]
    assert [post.name for post in after(first, done.model_copy(update={"calls": ()}), said)] == ["Carla (first)"]


class Counted(Projection):
    """Turns of four."""

    said = 0

    def apply(self, r: Recorded) -> None:
        self.said += isinstance(r.event, Said)

    @property
    def stage(self) -> str:
        return f"turn {self.said}"

    @property
    def standing(self) -> RoundProgress:
        return RoundProgress(stages=(self.stage, "verdict"), at=0, of=4)


def test_where_it_stands_is_shown_in_a_panel_and_at_the_foot_of_a_terminal(events: list[Recorded]) -> None:
    register(ProtocolSpec(name="counted", run=turn_taking.take_turns, presentation=Presentation(project=Counted)))
    first = events[0].model_copy(update={"event": STARTED.model_copy(update={"protocol": "counted"})})
    terminal = TerminalView("s")
    terminal.take_all([first, *(r for r in events[1:] if isinstance(r.event, Said))][:4])
    fields = {field.name: field.value for field in content.embed(terminal.moderated).fields}
    assert fields["Stage"] == "turn 3 of 4"
    assert stages(terminal, 60).plain == "▸ turn 3/4  verdict"


def test_a_step_has_its_own_words(events: list[Recorded]) -> None:
    view = SessionView.of("s", events)
    assert view.spec.doing("named") == "names the better one"
    assert view.spec.doing("named/again") == "names the better one once more"


def test_no_protocol_takes_the_name_of_another() -> None:
    with pytest.raises(ValueError, match="already"):
        register(ProtocolSpec(name="crit", run=turn_taking.take_turns))
    with pytest.raises(UnknownProtocol, match="install the package"):
        spec_of("nobody-knows-it")


@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_every_protocol_of_ours_is_found_under_its_own_name_with_all_that_it_names(name: str) -> None:
    spec = spec_of(name)
    assert spec.name == name
    assert callable(spec.runs)
    assert spec.present.project().stage in ("", "agenda")
    for model in (spec.config, spec.outcome):
        assert model is None or hasattr(imported(model), "model_validate")
