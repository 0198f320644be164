"""Claim: every stage of training runs on the device that is asked for, each from what the one before has made.

A Llama with random weights learns the judge gate's own statements for some steps a stage, by the very process that
`elenchus rldf train` starts. It shows that the stages run there, how fast and in how much memory, and no effect.

    python -m benchmarks.training_device cuda --width 768 --layers 12 --steps 20
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from elenchus.detectors.alignment.gate.statements import read_statements
from elenchus.detectors.alignment.training.process import MODULE
from elenchus.detectors.alignment.training.settings import DEFAULTS, STAGES, Device, Stage, TrainingSettings, rate_for
from tests.detectors.alignment.training.made import tiny_base, written


def data(folder: Path) -> None:
    """Pairs of a high and a low statement on one topic, every sixth topic held out; the low ones for SFT."""
    topics: dict[str, tuple[list[str], list[str]]] = {}
    for one in read_statements():
        topics.setdefault(one.topic, ([], []))[one.high].append(one.text)
    rows: dict[str, list[dict[str, Any]]] = {"train": [], "held": []}
    for n, (topic, (low, high)) in enumerate(topics.items()):
        for chosen, rejected in zip(low, high, strict=True):
            rows["train" if n % 6 else "held"].append({
                "prompt": [{"role": "user", "content": f"What is good and what is bad about {topic}?"}],
                "chosen": [{"role": "assistant", "content": chosen}],
                "rejected": [{"role": "assistant", "content": rejected}],
                "completion": [{"role": "assistant", "content": chosen}],
                "topic": topic,
            })  # fmt: skip
    for split, found in rows.items():
        written(folder / f"{split}.jsonl", found)


def trained(stage: Stage, folder: Path, device: Device, steps: int) -> dict[str, Any]:
    """One stage in its own process; its run.json with the seconds that the whole process took."""
    known, policy = DEFAULTS[stage], stage in ("ppo", "rloo")
    settings = TrainingSettings(
        stage=stage, base=folder / ("base" if stage == "sft" else "sft/model"), data=(folder / "train.jsonl",),
        held_out=(folder / "held.jsonl",) if stage == "reward" else (),
        reward=folder / "reward/model" if policy else None, ungated=policy, steps=steps, batch=known.batch,
        micro_batch=known.micro_batch, rate=rate_for(stage, full=False), beta=known.beta, tokens=48,
        checkpointing=known.checkpointing, device=device,
    )  # fmt: skip
    out = folder / stage
    out.mkdir()
    work = {"work": "train", "settings": settings.model_dump(mode="json"), "out": str(out), "device": device}
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", MODULE], input=json.dumps(work) + "\n", capture_output=True, text=True, check=False
    )
    last: dict[str, Any] = (
        json.loads(done.stdout.splitlines()[-1]) if done.stdout else {"kind": "failed", "text": done.stderr[-2000:]}
    )
    if last["kind"] != "done":
        raise SystemExit(f"{stage}: {last['text']}\n{done.stderr[-2000:]}")
    run: dict[str, Any] = last["run"]
    return {**run, "whole": time.monotonic() - began}


def main() -> None:
    """Train all stages, and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("device", choices=["cpu", "cuda"])
    for name, default in (("--width", 32), ("--layers", 2), ("--steps", 3)):
        parser.add_argument(name, type=int, default=default)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        tiny_base(folder / "base", layers=given.layers, width=given.width)
        data(folder)
        print("| stage | device | steps | s of training | s of the process | peak GB | KL at step 1 | last |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |", flush=True)
        for stage in STAGES:
            run = trained(stage, folder, given.device, given.steps)
            first = json.loads((folder / stage / "log.jsonl").read_text().splitlines()[0])
            last = {name: round(value, 4) for name, value in run["last"].items()}
            print(
                f"| {stage} | {run['device']} | {run['step']} | {run['seconds']} | {run['whole']:.0f} "
                f"| {run['peak_gb']} | {first.get('kl', '–')} | {last} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
