"""A reward model's scores, and its gate."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

from elenchus.debate_engine import events
from elenchus.detectors.alignment.training.counterfactual import Item, counterfactual_items
from elenchus.detectors.alignment.training.data import DataFile, Example, read_examples
from elenchus.detectors.alignment.training.folder import GATE, TrainingFolder, model_in
from elenchus.detectors.alignment.training.learning import models
from elenchus.detectors.alignment.training.learning.tree import Tree, grouped, tree_of
from elenchus.detectors.alignment.training.reward_gate import RewardVerdict, ScoredPair, all_met, reward_conditions

_AT_ONCE = 512
"""Tokens of a tree: in a larger one, what does not attend to one another costs more than common beginnings save."""


class Scorer:
    """Scores texts in tokens as the reward model has learnt them; longer ones are cut on the right.

    What texts begin with alike, a prompt with several answers, is read once (`tree.py`).
    """

    def __init__(self, folder: Path, tokenizer: Any, most: int, device: str) -> None:
        self._tokenizer, self._most, self._device = tokenizer, most, device
        self._model = models.reward(folder, tokenizer.pad_token_id, 0).to(device).eval()
        self._at_once = _AT_ONCE if reads_trees(self._model.config) else 0

    def scores(self, texts: Sequence[models.Ids]) -> list[float]:
        """One each, in their order."""
        cut = [self._without_padding(text[: self._most]) for text in texts]
        found = [0.0] * len(texts)
        for group in grouped(cut, self._at_once):
            for place, score in zip(group, self._read(tree_of([cut[n] for n in group])), strict=True):
                found[place] = score
        return found

    def of(self, example: Example, answer: str) -> models.Ids:
        """A prompt with an answer, as it is scored."""
        prompt = models.prompt_ids(self._tokenizer, example)
        return models.joined(prompt, models.answer_ids(self._tokenizer, answer), self._most)[0]

    def _without_padding(self, text: models.Ids) -> models.Ids:
        """A score is read at the last token that is no padding, which a policy may say."""
        end = len(text)
        while end > 1 and text[end - 1] == self._tokenizer.pad_token_id:
            end -= 1
        return text[:end]

    @torch.inference_mode()
    def _read(self, tree: Tree) -> list[float]:
        """The score at the end of each text. A text alone is read as any model reads it."""
        more = {} if len(tree.ends) == 1 else self._attention(tree)
        body = getattr(self._model, self._model.base_model_prefix)
        ids = torch.tensor([tree.ids], device=self._device)
        hidden = body(input_ids=ids, use_cache=False, **more).last_hidden_state[0, tree.ends]
        return [float(one) for one in self._model.score(hidden)[:, 0].float().cpu()]

    def _attention(self, tree: Tree) -> dict[str, torch.Tensor]:
        """Who attends to whom, as what is added to attention, and each token's place."""
        size, dtype = len(tree.ids), self._model.dtype
        mask = torch.full((size, size), torch.finfo(dtype).min, dtype=dtype)
        for token, path in enumerate(tree.paths):
            mask[token, path] = 0
        places = torch.tensor([tree.places], device=self._device)
        return {"attention_mask": mask.to(self._device)[None, None], "position_ids": places}


def reads_trees(config: Any) -> bool:
    """Whether a model takes places and attention as they are told: it rotates by place, and each layer attends to all
    (no window, nothing recurrent). Others are given one text at a time.
    """
    kinds = set(getattr(config, "layer_types", None) or ())
    windowed = getattr(config, "sliding_window", None)
    return bool(getattr(config, "rope_parameters", None)) and not windowed and kinds <= {"full_attention"}


def verdict_of(scorer: Scorer, pairs: Sequence[Example], files: Sequence[DataFile]) -> RewardVerdict:
    """The gate: held-out pairs and counterfactual questions, scored and held against the conditions."""
    asked: list[tuple[Example, str]] = [(one, text) for one in pairs for text in (one.chosen, one.rejected)]
    items = counterfactual_items()
    asked += [(_example(item), answer) for item in items for answer in item.answers]
    scores = scorer.scores([scorer.of(example, text) for example, text in asked])
    of_pairs, of_items = scores[: 2 * len(pairs)], scores[2 * len(pairs) :]
    scored = [
        ScoredPair(one.chosen, one.rejected, one.topic, of_pairs[2 * n], of_pairs[2 * n + 1])
        for n, one in enumerate(pairs)
    ]
    triples = [(of_items[n], of_items[n + 1], of_items[n + 2]) for n in range(0, len(of_items), 3)]
    conditions = reward_conditions(scored, items, triples)
    return RewardVerdict(
        passed=all_met(conditions), pairs=len(pairs), items=len(items),
        conditions=conditions, held_out=tuple(one.sha256 for one in files), version=version("elenchus"),
        created=events.now(),
    )  # fmt: skip


def _example(item: Item) -> Example:
    return Example(prompt=(("user", item.prompt),))


def measured_anew(work: dict[str, Any]) -> dict[str, Any]:
    """The gate on a reward model that lies in a folder, with these held-out pairs; the verdict is kept there."""
    folder = TrainingFolder(Path(work["out"]))
    pairs, files = read_examples([Path(one) for one in work["held_out"]], "reward")
    with folder.held():  # a training would put another model in its place
        place = model_in(folder.path)
        tokenizer = models.tokenizer_of(place)
        scorer = Scorer(place, tokenizer, work["max_length"], models.device_of(work["device"]))
        verdict = verdict_of(scorer, pairs, files)
        folder.put(GATE, verdict.model_dump_json(indent=2).encode())
    return {"verdict": verdict.model_dump(mode="json")}
