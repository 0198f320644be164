"""What a type checker knows of options and rows is what the models say."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import GenericAlias, ModuleType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest

from elenchus.config.models import Price
from elenchus.debate_engine.events.values import FrozenModel
from elenchus.debate_engine.key_value_store import Document
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation, Result, Seats
from elenchus.debate_engine.protocols.rulegen.study.selection import Selection
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.scenes.measures import Stated
from elenchus.debate_engine.scenes.scene import Condition
from elenchus.service.lab import detection, grid, options, person_records, protocol_session, typed_options as typed
from elenchus.service.lab.detection import DetectOptions
from elenchus.service.lab.grid import GridOptions
from elenchus.service.lab.options import CritOptions, DebateOptions, RunOptions, Source, SweepOptions
from elenchus.service.lab.protocol_session import ProtocolOptions

NAMES = {"Price": Price, "Topic": Topic, "Source": Source, "Result": Result, "Condition": Condition, "Stated": Stated}


def hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind, localns=NAMES | {"Document": Document})


def as_given(annotation: Any) -> Any:
    """The type of what may be given for a field: any sequence for a tuple, a price as text too."""
    origin, of = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return as_given(of[0])
    if origin is tuple:
        return GenericAlias(Sequence, (as_given(of[0]),))
    if of and type(None) in of:
        first, _ = of
        return (Price | str if first is Price else as_given(first)) | None
    return annotation


@pytest.mark.parametrize(
    ("model", "keywords", "own"),
    [
        (RunOptions, typed.RunKeywords, set()),
        (DebateOptions, typed.DebateKeywords, {"motion", "pro", "con"}),
        (CritOptions, typed.CritKeywords, {"document", "model"}),
        (SweepOptions, typed.SweepKeywords, {"motion"}),
        (DetectOptions, typed.DetectKeywords, {"turns", "method", "model"}),
        (ProtocolOptions, typed.ProtocolKeywords, {"protocol", "config", "seats"}),
        (GridOptions, typed.GridKeywords, {"scene", "n"}),
    ],
)
def test_the_options_of_a_call_have_the_types_of_the_model(
    model: type[FrozenModel], keywords: type[Any], own: set[str]
) -> None:
    fields: Mapping[str, Any] = model.model_fields
    said = {name: as_given(field.annotation) for name, field in fields.items() if name not in own}
    assert hints(keywords) == said


@pytest.mark.parametrize("module", [options, grid, detection, protocol_session])
def test_a_type_checker_without_pydantics_plugin_sees_which_options_may_be_left_out(module: ModuleType) -> None:
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call)]
    fields = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Field"]
    assert fields
    assert not [ast.unparse(call) for call in fields if call.args], "a default by position is seen by the plugin alone"


def test_a_row_of_a_grid_has_the_types_of_what_was_observed() -> None:
    flat = {
        name: field.annotation
        for name, field in (Observation.model_fields | Cell.model_fields).items()
        if name != "cell" and get_origin(field.annotation) not in (tuple, dict) and field.annotation != Seats
    }
    assert hints(typed.GridRow) == flat


def test_what_is_held_on_a_person_names_every_kind_of_record() -> None:
    assert set(hints(typed.PersonDocument)) == {"called in scenes", "sessions", *person_records.NAMESPACES}


def test_results_are_chosen_by_what_a_selection_has() -> None:
    chosen = get_type_hints(typed.SelectionKeywords, localns={"datetime": datetime})
    assert chosen == {name: as_given(kind) for name, kind in get_type_hints(Selection).items()}
