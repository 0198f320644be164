"""Step 1, the coarse screen: a bold and a careful agent each list what they suspect; the union is examined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.context import Context, prompts
from elenchus.detectors.replies import suspected
from elenchus.detectors.schemas import MOST_SUSPECTED, Candidate

SCREENERS = ("aggressive", "conservative")


class Screened(NamedTuple):
    """The candidates in order of first mention, and the screeners whose lists could not be read."""

    candidates: tuple[Candidate, ...]
    unread: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the screen."""
        return tuple(f"The list of the {name} screener could not be read." for name in self.unread)


async def screen(s: Session, context: Context) -> Screened:
    """Ask both screeners, and the library where it is to add some, side by side. Given labels are taken as they are.

    Step keys: `screen/aggressive`, `screen/conservative`, `screen/library`.
    """
    if context.cfg.labels:
        return Screened(tuple(Candidate(bias=bias, name=name) for bias, name in context.names.items()), ())
    named = together(*(_suspected(s, context, name) for name in SCREENERS))
    listed, near = await together(named, _near(s, context))
    lists = {name: ids for name, ids in zip(SCREENERS, listed, strict=True) if ids is not None} | {"library": near}
    unread = tuple(name for name in SCREENERS if name not in lists)
    return Screened(union(lists, context.names), unread)


async def _suspected(s: Session, context: Context, screener: str) -> list[str] | None:
    """One screener's list of ids; None where it could not be read."""
    answer = await s.ask(
        f"screen/{screener}",
        screener,
        prompts.screen,
        suspected(context.list_of_names),
        bold=screener == "aggressive",
        names=context.list_of_names,
        text=context.text.shown,
        most=MOST_SUSPECTED,
    )
    if isinstance(answer, Declined):
        return None
    return [bias for name in answer.biases if (bias := context.id_of(name))]


async def _near(s: Session, context: Context) -> list[str]:
    """What the library adds: a screen that costs no call."""
    if not context.cfg.near:
        return []

    async def looked_up() -> Any:
        return list(await context.library.nearest(context.text.text, context.cfg.near))

    return [bias for bias in await s.step("screen/library", context.cfg.near, looked_up) if bias in context.names]


def union(lists: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> tuple[Candidate, ...]:
    """All suspected biases in order of first mention, list after list; each keeps its place in every list. Pure."""
    places = {name: {bias: n for n, bias in enumerate(dict.fromkeys(ids), 1)} for name, ids in lists.items()}
    order = dict.fromkeys(bias for of in places.values() for bias in of)
    return tuple(
        Candidate(bias=bias, name=names[bias]).model_copy(
            update={name: of[bias] for name, of in places.items() if bias in of}
        )
        for bias in order
    )
