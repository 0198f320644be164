"""A protocol's own faults, told in one way: the name of the protocol, what, and where. All else goes on working."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, get_args

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.reports import blocks, said
from elenchus.debate_engine.reports.document import Section

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.presentation import Presentation
    from elenchus.debate_engine.reports.view import SessionView

OURS = ("elenchus.debate_engine.protocols.", "elenchus.detectors.")


def fault_in(protocol: str, error: BaseException, run: object = None, part: str = "") -> str:
    """A sentence on an error that left a protocol's code; `part` names what of it failed, "" for what runs.

    The place is the innermost line of the package that `run`, the protocol's code or its place, stands in.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    of, place = f" in its {part}" if part else "", _place(error, run)
    return f"The protocol {protocol} is at fault{of}: {in_words(error)}{f' ({place})' if place else ''}."


def in_words(error: BaseException) -> str:
    """The error on one line."""
    message = one_line(str(error)).rstrip(".")
    if isinstance(error, ElenchusError) and message:
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _place(error: BaseException, run: object) -> str:
    while isinstance(run, partial):
        run = run.func
    frames = traceback.walk_tb(error.__traceback__)
    own = [(frame.f_code, line) for frame, line in frames if _is_of(run, frame.f_globals.get("__name__", ""))]
    if own:
        code, line = own[-1]
        return f"{PurePath(code.co_filename).name}, line {line}, in {code.co_name}"
    if defined := getattr(run, "__code__", None):
        return f"{PurePath(defined.co_filename).name}, line {defined.co_firstlineno}"
    return ""


def _is_of(run: object, module: str) -> bool:
    """Whether a module belongs to the package of a protocol's code."""
    own = run.partition(":")[0] if isinstance(run, str) else str(getattr(run, "__module__", ""))
    if own.startswith(OURS):
        return module.startswith(OURS)
    return bool(own) and module.partition(".")[0] == own.partition(".")[0]


# ── what tells of its sessions ───────────────────────────────────────────────────────────────────────────────────


def guarded(presentation: Presentation, protocol: str, run: object) -> Presentation:
    """The same, of which a part that fails is noted in the view's `faults`, and gives what any session has instead."""

    def guard(name: str, form: Callable[[Any], Any], instead: Callable[..., Any]) -> Callable[..., Any]:
        made = getattr(presentation, name)

        @wraps(made)
        def call(*given: Any) -> Any:
            try:
                return form(made(*given))
            except Exception as error:  # noqa: BLE001 - whatever a protocol's author did, the rest is shown and exported
                return instead(*given, _noted(given, fault_in(protocol, error, run, name.replace("_", " ")), error))

        return call

    def drawn(view: SessionView) -> Iterator[Any]:
        try:
            yield from presentation.pictures(view)
        except Exception as error:  # noqa: BLE001 - as above: those that could be drawn are there
            _noted([view], fault_in(protocol, error, run, "pictures"), error)

    block, text = partial(_list_of, get_args(blocks.Block)), partial(_list_of, str)
    return replace(
        presentation,
        shown=guard("shown", block, lambda r, view, seats, fault: [*said.shown(r, view, seats), *fault]),
        ended=guard("ended", block, lambda view, seats, fault: [*said.ended(view, seats), *fault]),
        summary=guard("summary", text, lambda *_: ["There is no summary."]),
        settings=guard("settings", text, lambda *_: []),
        missing=guard("missing", text, lambda *_: []),
        small=guard("small", text, lambda *_: []),
        failures=guard("failures", partial(_list_of, tuple), lambda *_: []),
        sections=guard("sections", partial(_list_of, Section), lambda view, _: said.sections(view)),
        pictures=drawn,
        run_facts=guard("run_facts", dict, lambda *_: {}),
        as_json=guard("as_json", dict, lambda view, _: view.outcome or {}),
    )


def unusable(presentation: Presentation, why: str) -> Presentation:
    """The same, which notes why there is nothing better."""

    def noting(name: str) -> Callable[..., Any]:
        made = getattr(presentation, name)

        @wraps(made)
        def call(*given: Any) -> Any:
            _noted(given, why)
            return made(*given)

        return call

    return replace(presentation, shown=noting("shown"), summary=noting("summary"), as_json=noting("as_json"))


def _noted(given: Iterable[Any], fault: str, error: Exception | None = None) -> list[blocks.Block]:
    """The fault as a block, once it is noted in the view; nothing where it was noted before."""
    view = next(one for one in given if hasattr(one, "note_fault"))
    return [blocks.Note(fault, "warn")] if view.note_fault(fault, error) else []


def _list_of(kind: type | tuple[type, ...], made: Any) -> list[Any]:
    """The list of what was made. Raises TypeError where it is none, or holds something else."""
    if isinstance(made, str):
        raise TypeError("a list is wanted, and not a text")
    found = [*made]
    for one in found:
        if not isinstance(one, kind):
            raise TypeError(f"{type(one).__name__} is not wanted in this list")
    return found
