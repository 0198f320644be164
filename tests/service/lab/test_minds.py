"""The use cases of minds: made, fed, asked, surveyed, looked at, estimated, taken home, deleted; one of a name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import elenchus
from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.events import BudgetRaised, Fed, StopAsked, Surveyed
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.service.lab.lab_minds import MindWaits
from elenchus.service.lab.mind_options import LONGEST_NAME, MindOptions, mind_id, typed
from elenchus.service.lab.minds import Minds
from elenchus.service.lab.options import options_of
from tests.debate_engine.protocols.cognition.living import Living, described, real
from tests.debate_engine.protocols.cognition.minds import FERRY, OPINIONS, SHIPYARD
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON


@asynccontextmanager
async def minds_at(home: Path, living: Living | None = None) -> AsyncIterator[Minds]:
    """The minds of a home, all answered for in one way."""
    client = ScriptedClient(answerer=(living or Living()).answer)
    async with elenchus.open(settings=Settings(home=home), scripts={"m": client}) as lab:
        assert hasattr(lab, "minds")
        yield lab.minds


def greta(**more: Any) -> MindOptions:
    given = {"name": "greta", "person": "invented", "profile": GRETA_AS_JSON, "model": "scripted:m", **more}
    return options_of(MindOptions, given)


async def test_a_mind_is_made_fed_asked_surveyed_and_looked_at_as_of_any_iteration(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        made = await minds.create(greta(opinions=OPINIONS), by="anna")
        assert made.mind is not None
        assert made.mind.profile.name == "Greta Lund"
        first = await minds.survey("Greta", by="anna")
        reading = await minds.feed("GRETA ", typed(FERRY, "Ferries"), by="anna")
        second = await minds.survey("greta", ("Tea is better than coffee.",), by="ben")
        said = await minds.ask("greta", "Do you like ferries?", by="ben")
        assert [one.question for one in first.answers] == list(OPINIONS)
        assert reading.title == "Ferries"
        assert len(reading.taken.kept) > 0
        assert [one.question for one in second.answers] == ["Tea is better than coffee."]
        assert said.said == "I would rather go fishing."
        assert said.by == "ben"
        now, before = await minds.look("greta"), await minds.look("greta", iteration=0)
        assert (now.iteration, before.iteration, len(before.readings)) == (1, 0, 0)
    async with minds_at(tmp_path) as minds:
        again = await minds.look("greta")
        assert again.mind == now.mind, "it is there in another process"


async def test_the_name_that_it_is_given_is_put_before_its_model(tmp_path: Path) -> None:
    living = Living(person=real("living", "Ada Lovelace"))
    async with minds_at(tmp_path, living) as minds:
        with pytest.raises(UsageError, match=r"a real person who lives \(Ada Lovelace\)"):
            await minds.create(greta(name="Lovelace Ada"), by="anna")
        assert (await minds.create(greta(name="ida"), by="anna")).mind is not None


async def test_half_an_emoji_in_a_text_is_written_down_as_a_sign(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(), by="anna")
        reading = await minds.feed("greta", typed(f"{FERRY} \ud83d", "News \ud83d"), by="anna")
        assert reading.title == "News \ufffd"


async def test_a_name_is_one_in_a_place_and_free_in_another(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(), by="anna")
        with pytest.raises(UsageError, match="There is a mind called 'GRETA' here: choose another name"):
            await minds.create(greta(name="GRETA"), by="ben")
        await minds.create(greta(name="ÅSE"), by="anna", place="discord:7")
        await minds.create(greta(), by="ben", place="discord:7")
        assert [info.title for info in await minds.all()] == ["greta"]
        assert [info.title for info in await minds.all("discord:7")] == ["greta", "ÅSE"]
        assert await minds.all("discord:8") == []
        await minds.feed("åse", typed(FERRY), by="anna", place="discord:7")
        with pytest.raises(UsageError, match="There is no mind called 'ÅSE' here"):
            await minds.look("ÅSE")
        await minds.delete("greta", "discord:7")
        assert [info.title for info in await minds.all()] == ["greta"]
        await minds.create(greta(), by="ben", place="discord:7")


async def test_of_two_who_take_a_name_at_once_one_gets_it(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        both = await asyncio.gather(*(minds.create(greta(), by=who) for who in ("anna", "ben")), return_exceptions=True)
        assert sorted(type(one).__name__ for one in both) == ["MindProjection", "UsageError"], both
        assert len(await minds.all()) == 1


@given(st.text(min_size=1, max_size=80), st.text(max_size=10))
def test_any_name_that_is_taken_gives_an_id_that_a_session_can_have(name: str, place: str) -> None:
    from elenchus.debate_engine.log.rules import is_usable

    try:
        options = greta(name=name)
    except UsageError as error:
        assert "is what the mind is called" in str(error)
        return
    assert 0 < len(options.name) <= LONGEST_NAME
    assert is_usable(mind_id(options.name, place))
    assert mind_id(options.name.upper(), place) == mind_id(options.name.upper().casefold(), place)


# ── who it may be ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_makes_it_states_whether_it_is_a_real_person() -> None:
    without = {"name": "greta", "profile": GRETA_AS_JSON}
    with pytest.raises(UsageError, match="person"):
        options_of(MindOptions, without)
    with pytest.raises(UsageError, match="person"):
        options_of(MindOptions, {**without, "person": "living"})
    with pytest.raises(UsageError, match="Say who it is to be"):
        options_of(MindOptions, {"name": "greta", "person": "invented"})


@pytest.mark.parametrize("someone", [{"profile": None, "character": "Greta Lund, the minister"}, {}])
async def test_of_a_living_person_no_mind_is_made_and_nothing_is_left_of_it(
    tmp_path: Path, someone: dict[str, Any]
) -> None:
    model = Living(create=described("living", "Greta Lund"), person=real("living", "Greta Lund"))
    async with minds_at(tmp_path, model) as minds:
        with pytest.raises(UsageError, match=r"a real person who lives \(Greta Lund\)"):
            await minds.create(greta(**someone), by="anna")
        assert await minds.all() == []
        made = await minds.create(greta(**someone, person="myself"), by="greta")
        assert made.config is not None
        assert (made.config.person, made.config.character.by) == ("myself", "greta")


async def test_where_no_profile_comes_of_a_line_nothing_is_left_and_the_name_is_free(tmp_path: Path) -> None:
    line = {"profile": None, "character": "a cook"}
    async with minds_at(tmp_path, Living(create="no")) as minds:
        with pytest.raises(ElenchusError, match=r"greta was not made: No profile came of this line.*another model"):
            await minds.create(greta(**line), by="anna")
        assert await minds.all() == []
    async with minds_at(tmp_path) as minds:
        assert (await minds.create(greta(**line), by="anna")).mind is not None


# ── what cannot be done ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"profile": {"Name": "Greta"}}, "it lacks Gender, Age"),
        ({"name": "a:b"}, "is what the mind is called"),
        ({"name": "x" * 61}, "is what the mind is called"),
        ({"name": " "}, "is what the mind is called"),
        ({"name": ".."}, "is what the mind is called"),
        ({"name": "a\x1b[31mb"}, "is what the mind is called"),
        ({"model": "human"}, "A mind is a model"),
        ({"model": "gpt"}, "is no model, persona or person"),
        ({"settings": {"forget_share": 2}}, "forget_share"),
        ({"settings": {"memory": 2}}, "memory"),
        ({"opinions": ("",)}, "opinions"),
        ({"temperature": 1.0}, "cannot be set for a mind"),
        ({"budget_usd": 1.0, "model": "scripted:m"}, ""),
    ],
)
async def test_what_cannot_be_made_is_refused_in_a_sentence_and_nothing_is_left(
    tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    async with minds_at(tmp_path) as minds:
        if not said:
            await minds.create(greta(**options), by="anna")
            return
        with pytest.raises(UsageError) as refused:
            await minds.create(greta(**options), by="anna")
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)
        assert await minds.all() == []


async def test_what_cannot_be_given_is_refused_before_it_is_in_the_log(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(), by="anna")
        with pytest.raises(UsageError, match="there is nothing in it"):
            await minds.ask("greta", " \n", by="anna")
        with pytest.raises(UsageError, match="There are no opinions to rate"):
            await minds.survey("greta", by="anna")
        with pytest.raises(UsageError, match="The opinions to rate are empty"):
            await minds.survey("greta", ("", " "), by="anna")
        with pytest.raises(UsageError, match="100 are the most"):
            await minds.survey("greta", tuple(f"Tea {n}." for n in range(101)), by="anna")
        with pytest.raises(UsageError, match="an opinion has 700 characters, and 600 are the most"):
            await minds.survey("greta", ("Tea.", "x" * 700), by="anna")
        with pytest.raises(UsageError, match=r"^Opinion 2 has 700 characters, and 600 are the most: shorten it\.$"):
            await minds.create(greta(name="ida", opinions=("Tea.", "x" * 700)), by="anna")
        with pytest.raises(UsageError, match="There is nothing to read"):
            typed(" \n\t")
        with pytest.raises(UsageError, match=r"10,000,000 characters, and a persona reads 200,000"):
            typed("x" * 10_000_000)
        with pytest.raises(UsageError, match="There is no mind called 'otto' here"):
            await minds.feed("otto", typed(FERRY), by="anna")
        assert (await minds.look("greta")).waiting == {}


async def test_a_day_before_it_was_made_shows_nothing(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(), by="anna")
        today = datetime.now(UTC).date()
        assert (await minds.look("greta", day=today)).mind is not None
        with pytest.raises(UsageError, match=f"was not there yet on {today - timedelta(days=1)}: it was made on"):
            await minds.look("greta", day=today - timedelta(days=1))


async def test_what_an_exhausted_budget_keeps_back_is_carried_out_when_it_is_raised(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(budget_tokens=1, person="myself"), by="anna")
        with pytest.raises(MindWaits, match=r"the budget is reached.*what it was given is kept") as waits:
            await minds.feed("greta", typed(FERRY), by="anna")
        assert waits.value.exit_code == 4
        assert len((await minds.look("greta")).waiting) == 1
        await minds.log.send(mind_id("greta"), BudgetRaised(by="anna", tokens=10**6))
        reading = await minds.feed("greta", typed(SHIPYARD), by="anna")
        assert reading.iteration is not None
        assert reading.iteration.iteration == 2
        assert len((await minds.look("greta")).readings) == 2


async def test_what_waits_already_is_not_put_there_again_and_what_was_read_before_says_so(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(), by="anna")
        ferry, asked = Fed(by="anna", texts=(FERRY,)), Surveyed(by="anna", questions=OPINIONS)
        alone = await minds.estimate("greta", ferry)
        first, then = await minds.give("greta", ferry), await minds.give("greta", asked)
        assert await minds.give("greta", Fed(by="bob", texts=(FERRY,), title="Again")) == first
        assert await minds.give("greta", asked) == then
        assert (await minds.estimate("greta", ferry))["calls"] == alone["calls"] + len(OPINIONS)
        late = await minds.give("greta", Fed(by="anna", texts=(SHIPYARD,)))
        assert await minds.give("greta", asked) > late, "opinions after another text are other opinions"
        again = await minds.feed("greta", typed(SHIPYARD), by="anna")
        assert (again.seq, again.before) == (late, None)
        once_more = await minds.feed("greta", typed(FERRY), by="anna")
        assert once_more.iteration is not None
        assert (once_more.iteration.iteration, once_more.before) == (3, 1)
        assert len((await minds.look("greta")).surveys) == 2


async def test_a_mind_that_was_ended_takes_nothing_more(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(), by="anna")
        await minds.log.send(mind_id("greta"), StopAsked(by="anna", reason="enough"))
        with pytest.raises(MindWaits, match="stopped: enough"):
            await minds.ask("greta", "Hello?", by="anna")


# ── several at once ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_several_who_feed_it_at_once_are_all_served_one_after_the_other(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds, minds_at(tmp_path) as elsewhere:
        await minds.create(greta(), by="anna")
        texts = [FERRY, SHIPYARD, "A third text about the quay.", "A fourth one about the pier."]
        feeding = [
            (minds, elsewhere)[n % 2].feed("greta", typed(text, str(n)), by="anna") for n, text in enumerate(texts)
        ]
        readings = await asyncio.wait_for(asyncio.gather(*feeding), 30)
        numbers = [reading.iteration.iteration for reading in readings if reading.iteration]
        assert sorted(numbers) == [1, 2, 3, 4]
        assert [reading.title for reading in readings] == ["0", "1", "2", "3"]


# ── beforehand and home ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_estimate_asks_nobody_and_holds(tmp_path: Path) -> None:
    living = Living()
    client = ScriptedClient(answerer=living.answer)
    async with elenchus.open(settings=Settings(home=tmp_path), scripts={"m": client}) as lab:
        minds: Minds = lab.minds
        await minds.create(greta(), by="anna")
        client.asked.clear()
        told = await minds.estimate("greta", Fed(by="a", texts=(FERRY,)), Surveyed(by="a", questions=OPINIONS))
        assert not client.asked
        await minds.feed("greta", typed(FERRY), by="anna")
        await minds.survey("greta", OPINIONS, by="anna")
        assert len(client.asked) <= told["calls"] <= len(client.asked) + 2 + len(OPINIONS)
        with pytest.raises(UsageError, match="there is nothing in it"):
            await minds.estimate("greta", Surveyed(by="a", questions=()))


async def test_it_goes_home_as_files_and_is_deleted(tmp_path: Path) -> None:
    async with minds_at(tmp_path) as minds:
        await minds.create(greta(opinions=OPINIONS), by="anna")
        await minds.survey("greta", by="anna")
        files = await minds.export("greta", tmp_path / "out")
        assert {"report.md", "attitudes.png", "scores.csv"} <= {file.name for file in files}
        await minds.delete("greta")
        assert await minds.all() == []
        with pytest.raises(UsageError, match="There is no mind"):
            await minds.export("greta", tmp_path / "out")
