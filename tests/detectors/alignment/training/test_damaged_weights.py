"""A base or a reward model that is damaged is refused: weights that are missing would be drawn by chance."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from tests.detectors.alignment.training.damaged import DAMAGE
from tests.detectors.alignment.training.made import tiny_base

pytestmark = [
    pytest.mark.skipif(find_spec("trl") is None, reason="the extra `train` is missing: NOT tested"),
    pytest.mark.xdist_group("training"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def models() -> Any:
    from elenchus.detectors.alignment.training.learning import models

    return models


@pytest.mark.parametrize(("damage", "said"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_folder_that_is_damaged_is_named_in_a_sentence(tmp_path: Path, models: Any, damage: Any, said: str) -> None:
    damage(base := tiny_base(tmp_path / "base"))

    def load(kind: str) -> None:
        models.tokenizer_of(base)
        models.causal(base) if kind == "causal" else models.reward(base, 0, 0, new_head=True)

    for kind in ("causal", "reward"):
        with pytest.raises(UsageError, match=rf"^The model in .*base cannot be loaded: .*{said}"):
            load(kind)


def test_a_reward_model_has_its_head_and_a_base_is_given_one(tmp_path: Path, models: Any) -> None:
    base = tiny_base(tmp_path / "base")
    with pytest.raises(UsageError, match=r"base is no reward model: it has no head that gives a number"):
        models.reward(base, 0, 0)
    models.reward(base, 0, 0, new_head=True).save_pretrained(tmp_path / "reward")
    assert models.reward(tmp_path / "reward", 0, 0).score.weight.shape == (1, 32)
