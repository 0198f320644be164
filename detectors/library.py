"""What detection needs of a library of knowledge (`Library`), and the two there are.

`StoredLibrary` has knowledge from a collection that is found by meaning; `CatalogueLibrary` reads the catalogue itself,
where the extra `detect` is not installed, and compares words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from elenchus.config.catalogue import Bias, find_bias, load_biases, search_biases
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.retrieval import VectorEntry, VectorStore
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together


class Knowledge(FrozenModel):
    """What an agent is told of one bias. `apart` says for each near bias what tells them apart."""

    bias: str
    name: str
    definition: str
    elements: tuple[str, ...]
    apart: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The definition with what tells it from near ones, as a prompt shows it."""
        near = "".join(f"\n- Not to be taken for {line}" for line in self.apart)
        return f"{self.name}: {self.definition}{near}"

    @property
    def signs(self) -> str:
        """The detection elements as a list."""
        return "\n".join(f"- {element}" for element in self.elements)


class Library(Protocol):
    """Knowledge of biases. What it gives is recorded in the session, so a later change hurts no session."""

    async def names(self) -> Mapping[str, str]:
        """The names of all biases by their ids."""
        ...

    async def about(self, bias: str, text: str) -> Knowledge:
        """What there is to know of a bias (its id), with an eye to a text. Raises ValueError for an unknown one."""
        ...

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """The ids of the biases that are likest to a text, the likest first."""
        ...


@dataclass(frozen=True, slots=True)
class CatalogueLibrary:
    """The catalogue as it is: the whole entry, and likeness by words in common."""

    async def names(self) -> Mapping[str, str]:
        """The names of all biases by their ids."""
        return {bias.id: bias.name for bias in await asyncio.to_thread(looked_for)}

    async def about(self, bias: str, text: str) -> Knowledge:
        """The entry of a bias. Raises ValueError for an unknown one."""
        return await asyncio.to_thread(lambda: knowledge_of(find_bias(bias)))

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """The biases whose entries hold most words of the text."""
        found = await asyncio.to_thread(lambda: search_biases(text, looked_for()))
        return tuple(bias.id for bias in found[:most])


@dataclass(frozen=True, slots=True)
class StoredLibrary:
    """What a collection of `entries` holds, and likeness by meaning. Raises StorageError where it cannot be used."""

    collection: VectorStore

    async def names(self) -> Mapping[str, str]:
        """The names of all biases by their ids, in the order of the names."""
        names = {bias: str(held["name"]) for bias, held in (await self.collection.all()).items()}
        return dict(sorted(names.items(), key=lambda named: named[1].casefold()))

    async def about(self, bias: str, text: str) -> Knowledge:
        """What is stored of a bias. Raises ValueError for an unknown one."""
        held = await self.collection.get(bias)
        if held is None:
            raise ValueError(f"there is no bias {bias!r} in the knowledge library")
        return Knowledge.model_validate(held)

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """The biases whose entries mean what is likest to the text."""
        return await self.collection.nearest(text, most)


def entries() -> tuple[VectorEntry, ...]:
    """What is looked for, as entries of a collection: found by definition, signs, classic case and recipe of a bias."""
    return tuple(
        VectorEntry(
            id=bias.id,
            passages=(f"{bias.name}: {bias.definition}", *bias.elements, bias.case, bias.recipe),
            content=knowledge_of(bias).model_dump(mode="json"),
        )
        for bias in looked_for()
    )


def looked_for() -> tuple[Bias, ...]:
    """The biases of the catalogue that detectors look for: what is measured of these was measured among them."""
    return tuple(bias for bias in load_biases() if bias.detected)


def knowledge_of(bias: Bias) -> Knowledge:
    """An entry of the catalogue as knowledge; where MindScope means something else, its sense comes with it."""
    names = {other.id: other.name for other in load_biases()}
    return Knowledge(
        bias=bias.id,
        name=bias.name,
        definition=" ".join(part for part in (bias.definition, bias.mindscope) if part),
        elements=bias.elements,
        apart=tuple(f"{names.get(n.id, n.id)}: {n.apart}" for n in bias.neighbours),
    )


async def looked_up(s: Session, library: Library, biases: Iterable[str], text: str = "") -> dict[str, Knowledge]:
    """What the library knows of these, by id, each looked up once (steps `library/ID`)."""

    async def one(bias: str) -> Knowledge:
        async def found() -> Any:
            return (await library.about(bias, text)).model_dump(mode="json")

        return Knowledge.model_validate(await s.step(f"library/{bias}", bias, found))

    return {known.bias: known for known in await together(*(one(bias) for bias in biases))}
