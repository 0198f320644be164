"""Weights that are a pickle are a program of whoever made them: none is run, whatever stands beside it."""

from __future__ import annotations

import pickle
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import ProviderError, UsageError
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.hugging_face import HuggingFaceClient
from elenchus.detectors.alignment.training.folder import model_in
from tests.detectors.alignment.training.made import tiny_base

pytestmark = [
    pytest.mark.skipif(find_spec("trl") is None, reason="the extra `train` is missing: NOT tested"),
    pytest.mark.xdist_group("training"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
]


class Writes:
    """What a pickle of it does when it is read: it opens a file to write."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return open, (str(self.file), "w")


def pickled(base: Path, mark: Path, *, zipped: bool) -> Path:
    """The base with a pickle that writes `mark` for its weights, as torch has them now (zipped) and had them once."""
    program = pickle.dumps(Writes(mark), 2)
    (base / "model.safetensors").unlink()
    if zipped:
        with zipfile.ZipFile(base / "pytorch_model.bin", "w") as file:
            file.writestr("archive/data.pkl", program)
            file.writestr("archive/version", "3\n")
    else:
        (base / "pytorch_model.bin").write_bytes(program)
    return base


def test_such_a_pickle_writes_its_file_where_it_is_read(tmp_path: Path) -> None:
    """So that the tests below could fail."""
    mark = tmp_path / "mark"
    pickle.loads(pickle.dumps(Writes(mark), 2)).close()  # noqa: S301 - our own
    assert mark.exists()


@pytest.mark.parametrize("zipped", [True, False])
def test_a_folder_with_nothing_but_a_pickle_is_refused_before_anything_is_read(tmp_path: Path, *, zipped: bool) -> None:
    base = pickled(tiny_base(tmp_path / "base"), tmp_path / "mark", zipped=zipped)
    with pytest.raises(UsageError, match=r"its weights are a pickle \(\*\.bin\), which can run any program"):
        model_in(base)
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("zipped", [True, False])
async def test_a_pickle_beside_a_file_of_another_name_is_not_taken_instead(tmp_path: Path, *, zipped: bool) -> None:
    from elenchus.detectors.alignment.training.learning import models

    base = pickled(tiny_base(tmp_path / "base"), tmp_path / "mark", zipped=zipped)
    (base / "other.safetensors").write_bytes(b"")
    for load in (models.causal, lambda folder: models.reward(folder, 0, 0)):
        with pytest.raises(UsageError, match="cannot be loaded"):
            load(model_in(base))
    with pytest.raises(ProviderError, match="could not be loaded"):
        await HuggingFaceClient(base, 512, 1).complete(Call(str(base), (Message("user", "Hm?"),), max_tokens=1))
    assert not (tmp_path / "mark").exists()
