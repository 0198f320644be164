"""Repeated judgements: the same question about one item after another, in an order that the seed gives. Pure.

Each trial is a measure of its own, `lines_3` for the third item as it is written, whatever its place was when it was
shown. What is counted over the trials stands beside them: `lines_errors` for answers other than the right one in the
critical items, `lines_mean` for numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from elenchus.debate_engine.scenes.factors import NAME
from elenchus.debate_engine.scenes.measures import Choice, Measure, Stated, stated
from elenchus.debate_engine.scenes.templates import filled
from elenchus.debate_engine.scenes.values import Line, Text, Value

MOST = 200
"""Items of one block of trials."""

ROUND = "round"
"""The place at which an item is shown, from 1, as its texts name it."""


class Item(Value):
    """One item. `values` stand for the names in the block's texts, by level where one depends on a factor.

    `right` is the answer without error, "" where there is none; only `critical` items are counted as errors. `picture`
    names the one that is shown, "" for none, by level where it depends on a factor.
    """

    right: Line = ""
    critical: bool = True
    picture: Line | dict[str, Line] = Field("", exclude_if=lambda name: not name)
    values: dict[str, Line | dict[str, Line]] = Field(default_factory=dict)

    @property
    def by_level(self) -> list[dict[str, str]]:
        """The values that depend on a factor, and the picture where it does."""
        return [value for value in (*self.values.values(), self.picture) if isinstance(value, dict)]


def _item(given: Any) -> Any:
    """An item as it is written: its values stand beside `right`, `critical` and `picture`."""
    if not isinstance(given, dict) or "values" in given:
        return given
    kept = {name: given[name] for name in ("right", "critical", "picture") if name in given}
    values = {name: _texts(value) for name, value in given.items() if name not in kept}
    return {**kept, **{name: _texts(kept[name]) for name in ("right", "picture") if name in kept}, "values": values}


def _texts(value: Any) -> Any:
    return {_text(level): _text(text) for level, text in value.items()} if isinstance(value, dict) else _text(value)


def _text(value: Any) -> str:
    """What YAML took for more than a text, as it was written: `yes` without quotation marks is yes."""
    return "" if value is None else told(value) if isinstance(value, bool | float) else str(value)


class Trials(Value):
    """A block. `show` is what the subject is shown before each question, `answer` the measure that is asked each time.

    `order`: as written, or shuffled by the seed of the session; `shuffle_options` does the same for the options.
    """

    name: Annotated[Line, Field(pattern=f"^{NAME}$")]
    show: Text = ""
    answer: Measure
    order: Literal["as written", "shuffled"] = "as written"
    shuffle_options: bool = False
    items: Annotated[tuple[Annotated[Item, BeforeValidator(_item)], ...], Field(min_length=1, max_length=MOST)]

    @model_validator(mode="after")
    def _right_is_an_answer(self) -> Trials:
        if self.shuffle_options and not isinstance(self.answer, Choice):
            raise ValueError(f"{self.name} has no options to shuffle")
        for number, item in enumerate(self.items, 1):
            if item.right and not _is_told_so(self.answer, item.right):
                what = "option" if isinstance(self.answer, Choice) else "answer"
                wrong = f"what is right in item {number} is no {what} (“{item.right}”)"
                raise ValueError(f"{self.name}: {wrong}: {self.answer.answers.spelled}")
        return self

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measure of each item, as they are written."""
        return tuple(self.measure(number) for number in range(1, len(self.items) + 1))

    def measure(self, number: int) -> Measure:
        """The measure of an item (from 1), its question still with places."""
        return self.answer.model_copy(update={"name": f"{self.name}_{number}"})

    @property
    def counted(self) -> tuple[str, ...]:
        """What is counted over the block, by name."""
        kinds = [f"{self.name}_errors"] if any(item.right for item in self.items) else []
        return (*kinds, *([f"{self.name}_mean"] if self.answer.answers.stored == "number" else ()))

    def counts(self, values: Mapping[str, Stated | None]) -> dict[str, Stated | None]:
        """The counts from what was stated; None where a critical answer, or any number, is missing."""
        stated = [values.get(f"{self.name}_{number}") for number in range(1, len(self.items) + 1)]
        pairs = [(item, value) for item, value in zip(self.items, stated, strict=True) if item.right and item.critical]
        found: dict[str, Stated | None] = {}
        for name in self.counted:
            if name.endswith("_errors"):
                known = all(value is not None for _, value in pairs)
                found[name] = sum(told(value) != item.right for item, value in pairs) if known else None
            else:
                numbers = [float(value) for value in stated if value is not None]
                found[name] = sum(numbers) / len(numbers) if len(numbers) == len(stated) else None
        return found


def _is_told_so(measure: Measure, right: str) -> bool:
    """Whether an answer that the form accepts is told in these very words."""
    try:
        return told(stated(measure, measure.answers.of_text(right))) == right
    except ValueError:
        return False


def told(value: Stated | None) -> str:
    """A stated value as what is right is written: yes and no, numbers without needless zeros."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, int | float) else str(value)


def at_levels(block: Trials, levels: Mapping[str, str], put: Callable[[str], str]) -> Trials:
    """The block as it is played at these levels: values that depend on one are chosen, factors' places filled."""
    items = tuple(
        item.model_copy(update={"values": _chosen(item, levels, put), "picture": _at(item.picture, levels)})
        for item in block.items
    )
    answer = block.answer.model_copy(update={"ask": put(block.answer.ask)})
    return block.model_copy(update={"items": items, "show": put(block.show), "answer": answer})


def _chosen(item: Item, levels: Mapping[str, str], put: Callable[[str], str]) -> dict[str, str]:
    return {name: put(_at(value, levels)) for name, value in item.values.items()}


def _at(value: str | Mapping[str, str], levels: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return value
    return next((value[level] for level in levels.values() if level in value), "")


def shown(block: Trials, number: int, place: int, options: Sequence[str] = ()) -> tuple[str, Measure]:
    """What the subject is shown for an item at its place (both from 1), and what it is asked, its places filled."""
    item, measure = block.items[number - 1], block.measure(number)
    values = {name: str(value) for name, value in item.values.items()} | {ROUND: str(place)}
    update: dict[str, Any] = {"ask": filled(measure.ask, values)}
    if options and isinstance(measure, Choice):
        update["options"] = tuple(options)
    return filled(block.show, values), measure.model_copy(update=update)
