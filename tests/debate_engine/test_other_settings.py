from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.runner import Runner


def _nobody(*_: Any) -> Any:
    """A seat that nobody is asked on."""


async def test_a_session_with_a_setting_of_a_newer_release_is_left_as_it_is() -> None:
    config = spec_of("socrasynth").settings({"motion": "Tea is better."})
    started = SessionStarted(
        protocol="socrasynth", title="t", config={**config, "tone": ""}, seats=(Seat(name="pro", spec="x:m"),), seed=1,
        version="0.9.1",
    )  # fmt: skip
    log = MemoryLog()
    await log.create("s", started)
    with pytest.raises(UsageError) as error:
        await Runner(log, {"socrasynth": spec_of("socrasynth").runs}, _nobody).run("s")
    assert str(error.value) == (
        "The protocol socrasynth does not take these settings: tone: Extra inputs are not permitted. "
        "Go on with Elenchus 0.9.1, which began it."
    )
    assert [r.event.kind for r in await log.read("s")][1:] in ([], ["owner_started"])
    assert (await log.info("s")).owner is None
