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
from elenchus.detectors.alignment.training.reward_gate import RewardVerdict, ScoredPair, reward_conditions

_AT_ONCE = 8


class Scorer:
    """Scores texts in tokens as the reward model has learnt them; longer ones are cut on the right."""

    def __init__(self, folder: Path, tokenizer: Any, most: int, device: str) -> None:
        self._tokenizer, self._most, self._device = tokenizer, most, device
        self._model = models.reward(folder, tokenizer.pad_token_id, 0).to(device).eval()

    def scores(self, texts: Sequence[models.Ids]) -> list[float]:
        """One each, in their order; those of like length go together."""
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        found = [0.0] * len(texts)
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            for place, score in zip(places, self._together([texts[n][: self._most] for n in places]), strict=True):
                found[place] = score
        return found

    def of(self, example: Example, answer: str) -> models.Ids:
        """A prompt with an answer, as it is scored."""
        prompt = models.prompt_ids(self._tokenizer, example)
        return models.joined(prompt, models.answer_ids(self._tokenizer, answer), self._most)[0]

    @torch.inference_mode()
    def _together(self, texts: Sequence[models.Ids]) -> list[float]:
        width, pad = max(map(len, texts)), self._tokenizer.pad_token_id
        ids = torch.tensor([ids + [pad] * (width - len(ids)) for ids in texts], device=self._device)
        mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in texts], device=self._device)
        logits = self._model(input_ids=ids, attention_mask=mask).logits
        return [float(one) for one in logits[:, 0].float().cpu()]


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
        passed=all(of.passed is not False for of in conditions), pairs=len(pairs), items=len(items),
        conditions=conditions, held_out=tuple(one.sha256 for one in files), version=version("elenchus"),
        created=events.now(),
    )  # fmt: skip


def _example(item: Item) -> Example:
    return Example(prompt=(("user", item.prompt),))


def measured_anew(work: dict[str, Any]) -> dict[str, Any]:
    """The gate on a reward model that lies in a folder, with these held-out pairs; the verdict is kept there."""
    folder = TrainingFolder(Path(work["out"]))
    pairs, files = read_examples([Path(one) for one in work["held_out"]], "reward")
    place = model_in(folder.path)
    tokenizer = models.tokenizer_of(place)
    scorer = Scorer(place, tokenizer, work["max_length"], models.device_of(work["device"]))
    verdict = verdict_of(scorer, pairs, files)
    folder.put(GATE, verdict.model_dump_json(indent=2).encode())
    return {"verdict": verdict.model_dump(mode="json")}
