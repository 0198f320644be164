"""`Recall` by meaning: small sentence embeddings that come with the package `wordllama`, compared by cosine.

No network and no key: the weights (16 MB) lie inside the package. Loading takes some tenths of a second, a sentence a
fraction of a millisecond; both happen in a thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from debate_engine.recall import Recall, WordsInCommon

if TYPE_CHECKING:
    from numpy.typing import NDArray


def recall_of_this_machine() -> Recall:
    """Recall by meaning where the extra `local` is installed, else by words in common."""
    return RecallByMeaning() if find_spec("wordllama") else WordsInCommon()


class RecallByMeaning:
    """The one loaded model of this process, shared by all sessions. Nothing is loaded before the first question."""

    def __init__(self) -> None:
        self._model: Any = None
        self._loading = threading.Lock()

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """See `Recall`. Raises FileNotFoundError where the package came without its weights."""
        return await asyncio.to_thread(self._nearest, query, list(texts), most) if texts and most else []

    def _nearest(self, query: str, texts: list[str], most: int) -> list[int]:
        import numpy as np

        vectors = self._vectors([query, *texts])
        alike = vectors[1:] @ vectors[0]
        return [int(place) for place in np.argsort(-alike, kind="stable")[:most]]

    def _vectors(self, texts: list[str]) -> NDArray[Any]:
        """A unit vector a text, as rows; a text without words has the zero vector, which is like nothing."""
        import numpy as np

        rows: NDArray[Any] = self._loaded().embed(texts)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[Any] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return unit

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                import wordllama  # type: ignore[import-untyped]

                # By itself it looks for the tokenizer in a folder that is not there, and then on the network.
                own = Path(wordllama.__file__).parent
                self._model = wordllama.WordLlama.load(cache_dir=own, disable_download=True)
            return self._model
