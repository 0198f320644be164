"""What people are promised, over the real program's storage: nothing is left in any file when its time is over."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import (
    Seat,
    SessionFinished,
    SessionStarted,
    TurnAnswered,
    TurnOpened,
    UnforeseenQuestion,
)
from elenchus.debate_engine.log import EventLog, Ownership, SessionInfo
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.rulegen.config import Terms
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw
from elenchus.debate_engine.protocols.rulegen.people.retention import tally_of
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.service.app import App, open_app
from elenchus.service.lab import codes
from elenchus.service.lab.allocation import StoredAllocation, assignment_of
from elenchus.service.lab.retention import Retention
from tests.debate_engine.protocols.rulegen.people.test_ethics import TERMS
from tests.debate_engine.protocols.rulegen.test_fixed_lines import priced

PRICE = 30.625


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[App]:
    async with open_app(Settings(home=home)) as app:
        yield app


def started(name: str, mode: Any, terms: Terms | None, plan: Plan) -> SessionStarted:
    scene = priced().model_copy(update={"bias": "", "plan": plan})
    seats = (Seat(name="Ada", spec=f"human:{name}"),)
    cfg = config_for(scene, seats, mode=mode, terms=terms)
    return SessionStarted(
        protocol="rulegen", title=scene.title, config=cfg.model_dump(mode="json"), seats=seats, seed=1, version="0"
    )


async def played(
    app: App, session: str = "s", *, account: str = "anna", mode: Any = "demonstration", terms: Terms | None = None,
    says: dict[str, Any] | None = None, deception: Any = "none",
) -> str:  # fmt: skip
    """Play the scene of fixed lines as this person; the made-up name."""
    retention, name = Retention(app.people), await app.pseudonyms.of(account)
    await retention.promise(session)
    await app.runner.create(started(name, mode, terms, Plan(deception=deception)), session)
    answers = {"Ada": "yes", "age": "yes", "keep": "yes"} | (says or {})

    async def person() -> None:
        async for r in app.log.follow(session):
            if isinstance(r.event, TurnOpened):
                ask = Ask.model_validate(r.event.asked)
                last = ask.step.rpartition("/")[2]
                if last in answers and answers[last] is None:
                    continue
                answer = {"agreed": answers[last]} if last in answers else {"price": PRICE, "tea": "green"}
                await app.log.send(session, TurnAnswered(step=ask.step, seat="Ada", by=name, answer=answer))

    helper = asyncio.create_task(person())
    try:
        run = await app.runner.run(session)
    finally:
        helper.cancel()
    assert run.state == "finished", run.reason
    return name


def on_disk(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def later(**time: float) -> Any:
    return lambda: events.now() + timedelta(**time)


async def test_a_demonstration_is_gone_after_a_day_from_every_file_and_what_stays_is_a_count(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        name = await played(app)
        assert b"30.625" in on_disk(tmp_path)
        assert await Retention(app.people, later(hours=23)).sweep() == 0
        assert (await app.log.info("s")).state == "finished"
        due = Retention(app.people, later(hours=25))
        assert await due.sweep() == 1
        with pytest.raises(UnknownSession):
            await app.log.info("s")
        assert await due.counts("The tasting") == {("", "played", "yes"): 1}
        assert await due.sweep() == 0
    held = on_disk(tmp_path)
    assert [needle for needle in (b"30.625", name.encode(), b"anna") if needle in held] == []


async def test_who_played_to_the_end_keeps_a_place_in_the_lot_when_their_time_is_over_and_who_took_it_back_does_not(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as app:
        lots = StoredAllocation(app.store, app.log)

        async def place(session: str) -> int:
            return await lots.draw(await assignment_of(app.store, "tea", session, ("a", "b"), seed=3))

        await played(app, "played")
        assert await place("played") == 1
        await played(app, "back", account="ben")
        assert await place("back") == 2
        code = await codes.new_withdrawal_code(app.store, "back", await app.log.read("back"), "Ada")
        assert code
        assert await Retention(app.people).withdraw(code)
        assert await Retention(app.people, later(hours=25)).sweep() == 1
        assert await app.log.sessions() == []
        assert await place("next") == 2


async def test_a_study_is_kept_as_long_as_its_consent_says(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app, mode="study", terms=TERMS)
        assert await Retention(app.people, later(days=29)).sweep() == 0
        assert await Retention(app.people, later(days=31)).sweep() == 1


async def test_a_name_stays_in_the_key_as_long_as_another_session_needs_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        name = await played(app, "demo")
        await played(app, "kept", mode="study", terms=TERMS)
        assert await Retention(app.people, later(hours=25)).sweep() == 1
        assert await app.pseudonyms.account_of(name) == "anna"
        assert [info.id for info in await app.log.sessions()] == ["kept"]


async def test_who_was_to_be_in_a_session_that_died_before_it_was_made_leaves_the_key_after_a_day(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as app:
        await Retention(app.people).promise("s")
        await app.pseudonyms.of("anna", "s")
        await Retention(app.people).sweep()
        assert await app.pseudonyms.find("anna"), "it may be in the making"
        await Retention(app.people, later(hours=25)).sweep()
    assert b"anna" not in on_disk(tmp_path)


async def test_who_does_not_agree_to_have_it_kept_is_gone_at_the_next_look(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app, mode="study", terms=TERMS, says={"keep": "no"}, deception="omission")
        now = Retention(app.people)
        assert await now.sweep() == 1
        assert [one.session for one in await now.withdrawals()] == ["s"]
        assert await now.counts("The tasting") == {("", "not kept", ""): 1}, "that, and nothing of what came out"
    assert b"30.625" not in on_disk(tmp_path)


async def test_who_never_answers_whether_it_may_be_kept_is_gone_after_a_day_and_counted_as_silent(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as app:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2):
                await played(app, mode="study", terms=TERMS, says={"keep": None}, deception="omission")
        assert await Retention(app.people, later(hours=23)).sweep() == 0
        due = Retention(app.people, later(hours=25))
        assert await due.sweep() == 1
        assert await due.counts("The tasting") == {("", "no answer whether it may be kept", ""): 1}
        assert [one.session for one in await due.withdrawals()] == ["s"], "copies made before are to be cleaned"
    assert b"30.625" not in on_disk(tmp_path)


async def test_who_is_still_there_is_not_counted_among_those_that_are_gone(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        shown = Retention(app.people, later(hours=25))
        await app.store.put("bindings", "b", {"session": "s"})
        assert await shown.sweep() == 0, "a bot shows it, and removes that itself"
        assert not await shown.counts("The tasting", ["s"])
        assert await shown.counts("The tasting") == {("", "played", "yes"): 1}


async def test_a_code_takes_it_back_without_an_account_and_says_no_more_than_that(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app, mode="study", terms=TERMS)
        await played(app, "other", account="ben", mode="study", terms=TERMS)
        code = await codes.new_withdrawal_code(app.store, "s", await app.log.read("s"), "Ada")
        assert code
        assert code.encode() not in on_disk(tmp_path), "only its hash is kept"
        now = Retention(app.people)
        assert await now.withdraw(f" {code.upper()} ")
        assert [info.id for info in await app.log.sessions()] == ["other"]
        (one,) = await now.withdrawals()
        assert (one.session, one.date) == ("s", events.now().date().isoformat())
        for wrong in (code, "", "abcd-efgh-jkmn-pqrs", "x" * 10_000, "\0🙂"):
            with pytest.raises(UsageError, match="not known"):
                await now.withdraw(wrong)
        assert (await app.log.info("other")).state == "finished"
    assert b"anna" not in on_disk(tmp_path)


async def held_by(app: App, other: App) -> tuple[Ownership, str, str]:
    """A played session that another process has open; its hold, a withdrawal code, and the completion code."""
    await played(app, mode="study", terms=TERMS)
    recorded = await app.log.read("s")
    code = await codes.new_withdrawal_code(app.store, "s", recorded, "Ada")
    completion = await codes.completion_code(app.store, "s", recorded, "Ada")
    assert code
    assert completion
    return await other.log.claim("s"), code, completion[1]


async def test_a_code_is_good_until_it_is_done_also_while_another_process_has_the_session_open(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as app, opened(tmp_path) as other:
        hold, code, completion = await held_by(app, other)
        now = Retention(app.people)
        first = asyncio.create_task(now.withdraw(code))
        while not (await app.store.get("promised", "s") or {}).get("begun"):  # noqa: ASYNC110 - another writes it
            await asyncio.sleep(0.05)
        again = asyncio.create_task(now.withdraw(code))
        await asyncio.sleep(0.2)
        recorded = await app.log.read("s")
        assert await codes.new_withdrawal_code(app.store, "s", recorded, "Ada") is None, "there is nothing left to do"
        await hold.release()
        assert await first
        assert await again, "it finishes what was begun"
        with pytest.raises(UsageError, match="not known"):
            await now.withdraw(code)
        assert await codes.ending_behind(app.store, completion) == "complete", "they were there all the same"
    assert b"30.625" not in on_disk(tmp_path)


@pytest.mark.slow
async def test_what_another_process_does_not_let_go_of_is_removed_at_a_later_look(tmp_path: Path) -> None:
    """It is waited for a minute."""
    async with opened(tmp_path) as app, opened(tmp_path) as other:
        hold, code, _ = await held_by(app, other)
        now = Retention(app.people)
        assert not await now.withdraw(code), "it is noted, and goes later"
        await hold.release()
        assert await now.sweep() == 1
    assert b"30.625" not in on_disk(tmp_path)


async def test_after_its_time_a_code_withdraws_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app, mode="study", terms=TERMS)
        code = await codes.new_withdrawal_code(app.store, "s", await app.log.read("s"), "Ada")
        with pytest.raises(UsageError, match="over"):
            await Retention(app.people, later(days=15)).withdraw(code or "")
        assert (await app.log.info("s")).state == "finished"


async def test_of_many_codes_of_one_seat_the_last_ones_are_good(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        recorded = await app.log.read("s")
        given = [await codes.new_withdrawal_code(app.store, "s", recorded, "Ada") or "" for _ in range(7)]
        known = [await codes.withdrawal_behind(app.store, code) for code in given]
        assert known == [None, None, *([("s", "Ada")] * 5)]


async def test_a_code_is_given_only_once_the_log_has_the_end_and_for_ones_own_seat(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        recorded = await app.log.read("s")
        end = next(n for n, r in enumerate(recorded) if r.event.kind == "session_finished")
        assert await codes.completion_code(app.store, "s", recorded[:end], "Ada") is None
        assert await codes.new_withdrawal_code(app.store, "s", recorded[:end], "Ada") is None
        assert await codes.completion_code(app.store, "s", recorded, "Ben") is None
        found = await codes.completion_code(app.store, "s", recorded, "Ada")
        assert found
        assert found[0] == "complete"
        assert found == await codes.completion_code(app.store, "s", recorded, "Ada"), "the same is shown again"
        logged = "".join(str(r.line()) for r in await app.log.read("s"))
        assert found[1] not in logged


@pytest.mark.parametrize(
    ("says", "plan", "ending"),
    [({"Ada": "no"}, {}, "screened"), ({"age": "no"}, {}, "screened"), ({"keep": "no"}, {}, "complete")],
)
async def test_each_ending_has_its_code_that_outlives_the_session(
    tmp_path: Path, says: dict[str, str], plan: dict[str, Any], ending: str
) -> None:
    async with opened(tmp_path) as app:
        await played(app, says=says, deception="active", mode="study", terms=TERMS)
        found = await codes.completion_code(app.store, "s", await app.log.read("s"), "Ada")
        assert found
        assert found[0] == ending
        assert await codes.ending_behind(app.store, found[1]) == ending
        await Retention(app.people, later(days=40)).sweep()
        assert await app.log.sessions() == []
        assert await codes.ending_behind(app.store, found[1].upper()) == ending
        assert await codes.ending_behind(app.store, "nonsense") is None


async def test_who_lets_the_time_go_by_has_a_code_of_that_and_is_a_count_after_a_day(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        name = await app.pseudonyms.of("anna")
        await Retention(app.people).promise("s")
        first = started(name, "study", TERMS, Plan())
        seats = tuple(seat.model_copy(update={"deadline": 0.5}) for seat in first.seats)
        await app.runner.create(first.model_copy(update={"seats": seats}), "s")
        running = asyncio.create_task(app.runner.run("s"))
        async for r in app.log.follow("s"):
            if isinstance(r.event, TurnOpened) and "consent" in r.event.step:
                yes = TurnAnswered(step=r.event.step, seat="Ada", by=name, answer={"agreed": "yes"})
                await app.log.send("s", yes)
            elif isinstance(r.event, TurnOpened):
                break
        await running
        found = await codes.completion_code(app.store, "s", await app.log.read("s"), "Ada")
        assert found
        assert found[0] == "timed out"
        assert await codes.ending_behind(app.store, found[1]) == "timed out"
        due = Retention(app.people, later(hours=25))
        assert await due.sweep() == 1
        assert await due.counts("The tasting") == {("", "vanished", ""): 1}


async def test_who_withdrew_in_the_scene_has_a_code_of_that_and_is_listed_when_it_is_removed(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        retention, name = Retention(app.people), await app.pseudonyms.of("anna")
        await retention.promise("s")
        await app.runner.create(started(name, "demonstration", None, Plan()), "s")
        await withdraw(app.log, app.runner, "s", "Ada", name)
        found = await codes.completion_code(app.store, "s", await app.log.read("s"), "Ada")
        assert found
        assert found[0] == "withdrew"
        assert await codes.new_withdrawal_code(app.store, "s", await app.log.read("s"), "Ada") is None
        due = Retention(app.people, later(hours=25))
        assert await due.sweep() == 1
        assert [one.session for one in await due.withdrawals()] == ["s"]


class DeletesMeanwhile:
    """A log of which somebody deletes a session as soon as its sessions were listed."""

    def __init__(self, log: EventLog, session: str) -> None:
        """`session` is the one that goes."""
        self._log, self._session = log, session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def sessions(self) -> list[SessionInfo]:
        found = await self._log.sessions()
        with suppress(UnknownSession):
            await self._log.delete(self._session)
        return found


async def test_who_is_removed_while_another_session_is_deleted_leaves_the_key(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        name = await played(app)
        await played(app, "other", account="bert")
        people = replace(app.people, log=cast(EventLog, DeletesMeanwhile(app.log, "other")))
        assert await Retention(people).remove("s")
        assert await app.pseudonyms.account_of(name) is None
        assert await app.log.sessions() == []
    assert [needle for needle in (b"30.625", name.encode(), b"anna") if needle in on_disk(tmp_path)] == []


async def test_two_at_once_remove_it_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as app, opened(tmp_path) as other:
        await played(app)
        due = [Retention(one.people, later(hours=25)) for one in (app, other)]
        await asyncio.gather(*(one.sweep() for one in due))
        for one in due:
            await one.sweep()
        assert await app.log.sessions() == []
        assert sum((await due[0].counts("The tasting")).values()) == 1
    assert b"30.625" not in on_disk(tmp_path)


async def test_a_session_that_a_bot_shows_loses_its_words_at_once_and_the_rest_where_it_is_shown(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        await app.store.put("bindings", "s@c1", {"session": "s"})
        assert await Retention(app.people, later(hours=25)).sweep() == 0
        assert b"30.625" not in on_disk(tmp_path)
        hidden: list[str] = []

        async def elsewhere(session: str) -> None:
            """It is another shard that shows it."""

        async def hide(session: str) -> None:
            hidden.append(session)
            await app.store.remove("bindings", "s@c1")

        assert await Retention(app.people, later(hours=25), elsewhere).sweep() == 0
        assert await Retention(app.people, later(hours=25), hide).sweep() == 1
        assert hidden == ["s"]


async def test_a_session_that_was_never_promised_anything_is_let_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app, mode="")
        assert await Retention(app.people, later(days=1000)).sweep() == 0


async def test_a_session_that_is_left_open_is_gone_a_day_after_the_last_that_happened_in_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        retention, name = Retention(app.people), await app.pseudonyms.of("anna")
        await retention.promise("s")
        await app.runner.create(started(name, "study", TERMS, Plan(deception="omission")), "s")
        running = asyncio.create_task(app.runner.run("s"))
        async for r in app.log.follow("s"):
            if isinstance(r.event, TurnOpened):
                break
        late = Retention(app.people, later(hours=25))
        assert await late.sweep() == 0, "somebody holds it, and may still answer"
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert await retention.sweep() == 0
        assert await late.sweep() == 1
        assert await late.counts("The tasting") == {("", "unfinished", ""): 1}


async def test_an_answer_after_the_end_changes_nothing_and_goes_with_the_rest(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        name = await played(app, mode="study", terms=TERMS, says={"keep": "no"}, deception="omission")
        late = TurnAnswered(step="consent/Ada/keep", seat="Ada", by=name, answer={"agreed": "yes"})
        await app.log.send("s", late)
        await app.log.send("s", UnforeseenQuestion(seat="Ada", by=name, text="zanzibar quince perplexity"))
        code = await codes.new_withdrawal_code(app.store, "s", await app.log.read("s"), "Ada")
        assert code is None, "all of it goes without one"
        assert await Retention(app.people).sweep() == 1
    assert b"zanzibar" not in on_disk(tmp_path)


async def test_the_same_code_twice_at_once_takes_it_back_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as app, opened(tmp_path) as other:
        await played(app)
        code = await codes.new_withdrawal_code(app.store, "s", await app.log.read("s"), "Ada") or ""
        both = (Retention(one.people).withdraw(code) for one in (app, other))
        found = await asyncio.gather(*both, return_exceptions=True)
        assert all(isinstance(one, bool | UsageError) for one in found), found
        await Retention(app.people).sweep()
        assert await app.log.sessions() == []
        assert len(await Retention(app.people).withdrawals()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("calls", [2, 4, 5, 6, 7, 8])
async def test_what_dies_amid_removing_is_finished_by_the_next_process(tmp_path: Path, calls: int) -> None:
    async with opened(tmp_path) as app:
        name = await played(app)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.service.lab.dying_sweep", str(tmp_path), str(calls)
    )
    assert await child.wait() == -signal.SIGKILL
    async with opened(tmp_path) as app:
        due = Retention(app.people, later(hours=25))
        await due.sweep()
        assert await app.log.sessions() == []
        assert await due.counts("The tasting") == {("", "played", "yes"): 1}
    held = on_disk(tmp_path)
    assert [needle for needle in (b"30.625", name.encode(), b"anna") if needle in held] == []


async def test_a_session_with_several_outcomes_is_counted_once_and_with_none_of_them(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        recorded = await app.log.read("s")
    assert tally_of(recorded)["outcome"] == "yes"
    *before, last = recorded
    assert isinstance(last.event, SessionFinished)
    (one,) = last.event.outcome["outcomes"]
    levels = [{**one, "met": "gain"}, {**one, "met": "loss", "value": False}]
    ended = last.event.model_copy(update={"outcome": {**last.event.outcome, "outcomes": levels}})
    tally = tally_of([*before, last.model_copy(update={"event": ended})])
    assert (tally["ended"], tally["outcome"]) == ("played", "")


async def test_what_examined_a_session_goes_with_it_and_what_examined_that(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        for copy, source in (("d1", "s"), ("d2", "d1"), ("other", "elsewhere")):
            found = SessionStarted(
                protocol="detect", title=f"zanzibar-{copy}", config={}, seats=(), source=source, seed=1, version="0"
            )
            await app.log.create(copy, found)
        await app.store.put("bindings", "d2@c1", {"session": "d2"})
        assert await Retention(app.people, later(hours=25)).sweep() == 0, "a bot shows one of them"
        hidden: list[str] = []

        async def hide(session: str) -> None:
            hidden.append(session)
            await app.store.remove("bindings", f"{session}@c1")

        assert await Retention(app.people, later(hours=25), hide).sweep() == 1
        assert hidden == ["d2", "d1", "s"]
        assert [info.id for info in await app.log.sessions()] == ["other"]
    held = on_disk(tmp_path)
    assert [needle for needle in (b"zanzibar-d1", b"zanzibar-d2", b"30.625") if needle in held] == []
    assert b"zanzibar-other" in held


async def test_what_examined_a_session_that_somebody_deleted_goes_when_its_time_is_over(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await played(app)
        found = SessionStarted(
            protocol="detect", title="zanzibar", config={}, seats=(), source="s", seed=1, version="0"
        )
        await app.log.create("d1", found)
        await app.log.delete("s")
        assert await Retention(app.people, later(hours=25)).sweep() == 1
        assert await app.log.sessions() == []
    assert b"zanzibar" not in on_disk(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("calls", [3, 5, 7, 9, 11, 13, 15, 17, 19])
async def test_a_withdrawal_that_dies_in_the_middle_is_finished_with_the_same_code(tmp_path: Path, calls: int) -> None:
    async with opened(tmp_path) as app:
        name = await played(app)
        code = await codes.new_withdrawal_code(app.store, "s", await app.log.read("s"), "Ada") or ""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.service.lab.dying_sweep", str(tmp_path), str(calls), code
    )
    assert await child.wait() == -signal.SIGKILL
    async with opened(tmp_path) as app:
        assert await Retention(app.people).withdraw(code)
        assert await app.log.sessions() == []
        assert len(await Retention(app.people).withdrawals()) == 1
    held = on_disk(tmp_path)
    assert [needle for needle in (b"30.625", name.encode(), b"anna") if needle in held] == []
