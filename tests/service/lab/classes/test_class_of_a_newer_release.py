from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.errors import NewerSchema
from elenchus.service.lab.classes.class_store import CLASSES, PLANS
from elenchus.service.lab.classes.new_class import ClassOptions
from tests.service.lab.classes.room import opened, scene_in


async def test_it_keeps_no_server_from_starting_and_is_left_to_the_newer_ones(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, classes):
        made = await classes.create(ClassOptions(scene=scene_in(tmp_path), people=2))
        one = made.room.id
        for namespace in (CLASSES, PLANS):
            document = await app.store.get(namespace, one)
            assert document is not None
            await app.store.put(namespace, "newer", {**document, "id": "newer", "seating": "rows"})
    async with opened(tmp_path) as (_, classes):
        await classes.open_all()
        assert [room.id for room in await classes.store.all()] == [one]
        with pytest.raises(NewerSchema) as error:
            await classes.open("newer")
    assert str(error.value) == (
        "Classroom newer was written by another version of Elenchus, probably a newer one (seating: Extra inputs are "
        "not permitted): it goes on there."
    )
