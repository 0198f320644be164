"""The stages of an experiment: from debates over data and training to BBQ, for each method and seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.bbq.untrained_baselines import METHODS as UNTRAINED
from elenchus.detectors.alignment.toy.teacher import BIAS, ROUNDS
from elenchus.service.cli.rldf.experiment import Stage, Stages

TRAINED = ("sft", "rlaif", "rldf")
KNOWN = (*UNTRAINED, *TRAINED)
DATA = "data"
"""The stage that exports debates."""


@dataclass(frozen=True)
class Experiment:
    """What is run. `base` is a Hugging Face folder, "" for the embedded weights; `teacher` debates and judges, `judge`
    scores anew ("" for the teacher's own scores). `steps`: of SFT, reward model and policy, None for one epoch each.
    """

    folder: Path
    methods: Sequence[str]
    seeds: int
    base: str
    teacher: str
    judge: str
    bias: str
    topics: Path | None
    limit: int | None
    roles: int
    rounds: int
    repeats: int
    data: Sequence[Path]
    items: int | None
    rotations: int
    controls: bool
    policy: str
    steps: tuple[int, int, int] | None
    training: Mapping[str, Sequence[str]]
    pairs: int | None = None
    toy: bool = False
    ungated: bool = False

    def at(self, *parts: str) -> Path:
        """A place in the folder."""
        return self.folder.joinpath(*parts)


def stages_of(of: Experiment, told: Stages) -> list[Stage]:
    """All of them, in order."""
    found = [*_material(of)]
    if {"sft", "rldf"} & set(of.methods):
        found += _debates(of, told)
    if set(of.methods) & set(TRAINED) and not _is_folder(of.base):
        found.append(_plain("base", ["base", *_option("--model", _spec(of.base)), "--out", of.at("base")]))
    if "rlaif" in of.methods:
        found += _without_debates(of)
    for seed in range(1, of.seeds + 1):
        found += _trainings(of, seed)
    found += _measurings(of)
    report = ["report", str(of.folder), "--out", str(of.at("report"))]
    return [*found, Stage("report", lambda: _rldf(report), of.at("report"), anew=True)]


def data_stages_of(of: Experiment, told: Stages) -> list[Stage]:
    """Those of them up to the data that debates make."""
    return [*_material(of), *_debates(of, told)]


def _rldf(words: Sequence[Any]) -> list[str]:
    return ["rldf", *map(str, words)]


def _is_folder(base: str) -> bool:
    """Whether the base is a Hugging Face folder, and no GGUF that is converted once."""
    return bool(base) and not base.startswith("local:")


def _plain(name: str, words: Sequence[Any], **more: Any) -> Stage:
    """A stage whose words are known beforehand; what it writes stands behind `--out`."""
    out = Path(str(words[list(map(str, words)).index("--out") + 1])) if "--out" in map(str, words) else None
    return Stage(name, lambda: _rldf(words), out, **more)


def _option(name: str, value: Any) -> list[str]:
    return [] if value in (None, "") else [name, str(value)]


# ── material, debates, data ──────────────────────────────────────────────────────────────────────────────────────────


def _material(of: Experiment) -> Iterator[Stage]:
    if of.toy:
        yield _plain("toy", ["toy", "--out", of.at("toy")])
        yield _plain("sample", ["sample", "--number", of.items or 120, "--out", of.at("toy", "sample.jsonl")])


def _topics(of: Experiment) -> list[str]:
    return [*_option("--topics", of.at("toy", "topics.txt") if of.toy else of.topics), *_option("--limit", of.limit)]


def _teacher(of: Experiment) -> str:
    return f"scripted:{of.at('toy', 'teacher.yaml')}" if of.toy else of.teacher


def _debates(of: Experiment, told: Stages) -> Iterator[Stage]:
    rounds, bias = (ROUNDS, BIAS) if of.toy else (of.rounds, of.bias)
    words = [
        "debate", "--bias", bias, *_topics(of), "--roles", of.roles, "--rounds", rounds, "--repeats", of.repeats,
        *_option("--teacher" if _teacher(of) else "--model", _teacher(of) or _spec(of.base)), "--seed", 1,
    ]  # fmt: skip
    yield _plain("debates", words)
    if of.toy or not of.judge:
        judge = _teacher(of) or _spec(of.base)
        yield _plain("gate-referee", ["gate", "--judge", judge], keeps=of.at("gate-referee.json"))
    if of.judge:
        yield _plain("gate-judge", ["gate", "--judge", of.judge], keeps=of.at("gate-judge.json"))

    def export() -> list[str]:
        run = told.told("debates")["document"]["run"]
        more = [*_option("--judge", of.judge), *_option("--pairs", of.pairs), *(["--ungated"] if of.ungated else [])]
        return _rldf(["export", run, "--seed", 1, *more, "--out", of.at("data")])

    yield Stage(DATA, export, of.at("data"))


def _without_debates(of: Experiment) -> Iterator[Stage]:
    """RLAIF: as many answers of the base model as debates would have statements; in the toy its script gives them, as
    a tiny model's answers would make no pair.
    """
    answers, bias, rounds = of.at("answers.jsonl"), BIAS if of.toy else of.bias, ROUNDS if of.toy else of.rounds
    who = _teacher(of) if of.toy else _spec(of.base)
    asked = ["--bias", bias, *_topics(of), "--repeats", min(50, of.repeats * rounds * of.roles)]
    yield _plain("answers", ["answers", "--model", who, "--name", "default", *asked, "--out", answers])
    judge = of.judge or _teacher(of) or _spec(of.base)
    more = ["--ungated"] if of.ungated or of.toy else []
    words = ["rlaif", answers, "--judge", judge, "--seed", 1, *more, "--out", of.at("rlaif-data")]
    yield _plain("rlaif-data", words)


# ── training ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _base(of: Experiment) -> Path:
    """Where the weights lie that a training starts from."""
    return Path(of.base) if _is_folder(of.base) else of.at("base")


def _files(folder: Path, kind: str, split: str) -> list[str]:
    """The file of an export, whatever its gate said; none where nothing of this kind is in the split."""
    return [str(path) for path in sorted(folder.glob(f"*{kind}-{split}.jsonl"))]


def _trainings(of: Experiment, seed: int) -> Iterator[Stage]:
    if {"sft", "rldf"} & set(of.methods):
        yield _trained(of, "sft", seed, of.at("data"), "sft", _base(of))
    if "rldf" in of.methods:
        yield from _reinforced(of, "rldf", seed, of.at("data"))
    if "rlaif" in of.methods:
        yield _trained(of, "rlaif-sft", seed, of.at("rlaif-data"), "sft", _base(of))
        yield from _reinforced(of, "rlaif", seed, of.at("rlaif-data"))


def _reinforced(of: Experiment, name: str, seed: int, data: Path) -> Iterator[Stage]:
    sft, reward = f"{'rlaif-sft' if name == 'rlaif' else 'sft'}-{seed}", f"{name}-reward-{seed}"
    if of.policy == "dpo":
        yield _trained(of, name, seed, data, "dpo", of.at(sft), needs=(sft,))
        return
    yield _trained(of, f"{name}-reward", seed, data, "reward", of.at(sft), needs=(sft,))
    taught = ["--reward", str(of.at(reward)), *(["--ungated"] if of.ungated or of.toy else [])]
    yield _trained(of, name, seed, data, of.policy, of.at(sft), taught, (reward,))


def _trained(
    of: Experiment, name: str, seed: int, data: Path, what: str, base: Path, more: Sequence[str] = (),
    needs: tuple[str, ...] = (),
) -> Stage:  # fmt: skip
    folder, kind = of.at(f"{name}-{seed}"), "sft" if what == "sft" else "pairs"
    steps = ["--steps", str(of.steps[{"sft": 0, "reward": 1}.get(what, 2)])] if of.steps else []

    def words() -> list[str]:
        if not (train := _files(data, kind, "train")):
            why = "no statement is of low bias" if kind == "sft" else "no topic has statements of low and of high bias"
            raise UsageError(f"{data} holds nothing to train {name} on: {why}.")
        test = _files(data, "pairs", "test") if what == "reward" else []
        given = ["--data", train[0], *(["--held-out", test[0]] if test else [])]
        return _rldf([
            "train", what, "--base", base, *given, *more, *steps, *of.training.get(what, ()), "--seed", seed,
            "--out", folder,
        ])  # fmt: skip

    # A training goes on where it was broken off, so that nothing of it is removed; one that is refused is told as such.
    # Answers without a debate may hold nothing to train on, which says nothing of the other methods.
    may_fail = what in ("ppo", "rloo") or name.startswith("rlaif")
    return Stage(f"{name}-{seed}", words, may_fail=may_fail, training=folder, needs=needs)


# ── measuring ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _spec(base: str) -> str:
    """How the base model is seated: a folder by transformers, as a trained one."""
    return f"local:{base}" if base and not base.startswith("local:") else base or "local:smollm2-135m"


def _seat(folder: Path) -> str:
    """How a trained model is seated: as GGUF where there is one."""
    gguf = folder / "model.gguf"
    return f"local:{gguf if gguf.exists() else folder / 'model'}"


def _measurings(of: Experiment) -> Iterator[Stage]:
    data = [of.at("toy", "sample.jsonl")] if of.toy else of.data
    if not data:
        return
    asked: list[Any] = [word for file in data for word in ("--data", file)]
    asked += [*_option("--limit", of.items), "--rotations", of.rotations]
    asked += [] if of.controls else ["--no-controls"]
    base = _spec(of.base)
    for method in of.methods:
        for seed in range(1, of.seeds + 1):
            name = f"bbq-{method}-{seed}"
            words = partial(_bbq, of, method, seed, [*asked, "--base", base, "--seed", seed])
            needs = (f"{method}-{seed}",) if method in TRAINED else ()
            yield Stage(name, words, of.at("results", f"{method}-{seed}.json"), needs=needs)


def _bbq(of: Experiment, method: str, seed: int, asked: Sequence[Any]) -> list[str]:
    untrained = method in UNTRAINED
    spec = _spec(of.base) if untrained else _seat(of.at(f"{method}-{seed}"))
    how = ["--method", method] if untrained else []
    out = of.at("results", f"{method}-{seed}.json")
    return _rldf(["bbq", "--model", spec, *how, "--name", method, *asked, "--out", out])
