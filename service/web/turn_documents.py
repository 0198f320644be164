"""An open turn as the API gives it: who is asked what, by when, and the form of the answer. Pure."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.forms import Field as FormField
from elenchus.service.lab.turn_forms import form_of, prepared_in, rejections
from elenchus.service.lab.viewers import Viewer
from elenchus.service.web.typed_words import TypedWords


class FieldDocument(FrozenModel):
    """A field of a form, see `service.lab.forms.Field`. In a scene `name` is `f1`, `f2` …: a measure's own name would
    tell what is looked for.
    """

    name: str
    kind: Literal["text", "number", "choice", "yes-no", "list"]
    label: str
    help: str = ""
    optional: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    least: int = 0
    most: int | None = None
    most_words: int | None = None
    columns: tuple[str, ...] = ()


class TurnDocument(FrozenModel):
    """An open turn. What is asked is there for who sits on the seat alone; `turn_kind` is the protocol's word for it.

    `due` is when it ends, None for never; `rejected` says why earlier answers could not be used; `prepared` is a
    model's draft as it would be typed, by field; `typed` what is being typed there, on whatever device.
    """

    step: str
    seat: str
    task: str
    turn_kind: str = ""
    since: datetime
    due: datetime | None
    asked: str | None = None
    material: str | None = None
    fields: list[FieldDocument] = Field(default_factory=list)
    prepared: dict[str, str] | None = None
    typed: TypedWords | None = None
    rejected: tuple[str, ...] = ()


def turn_document(turn: OpenTurn, view: SessionView, viewer: Viewer, typed: TypedWords | None = None) -> TurnDocument:
    """An open turn; what is asked is the seat's own affair."""
    subjects = view.spec.has_subjects
    about: dict[str, Any] = {
        "step": turn.step, "seat": turn.seat, "task": view.spec.task(turn.step), "since": turn.since, "due": turn.due,
        "turn_kind": view.spec.turn_kind(turn.step),
    }  # fmt: skip
    if viewer.seat != turn.seat:
        return TurnDocument(**about)
    ask, form = Ask.model_validate(turn.asked), form_of(turn, subjects=subjects)
    return TurnDocument(
        **about,
        asked=ask.asked_of_person,
        material="\n\n".join(section.shown for section in ask.material),
        fields=[_field_document(field, name, subjects=subjects) for name, field in form],
        prepared=prepared_in(turn, form),
        typed=typed,
        rejected=rejections(turn, subjects=subjects),
    )


def _field_document(field: FormField, name: str, *, subjects: bool) -> FieldDocument:
    """A field; in a scene it is called by what is asked, if at all."""
    fields = {key: value for key, value in asdict(field).items() if key not in ("name", "called")}
    return FieldDocument(name=name, label="" if subjects else field.label, **fields)
