"""The process of a training: one piece of work from standard input, lines of JSON to standard output."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import IO, Any

from elenchus.config.environment import prefer
from elenchus.debate_engine.errors import ElenchusError

Message = dict[str, Any]

_FULL = ("no space left on device", "os error 28", "disk quota exceeded")


def main() -> None:
    """Do it, and say how it ended."""
    work = json.loads(sys.stdin.readline())
    with _own_output() as out:

        def tell(message: Message) -> None:
            out.write(f"{json.dumps(message)}\n")
            out.flush()

        try:
            tell({"kind": "done", **_done(work, tell)})
        except BrokenPipeError:
            os._exit(1)  # whoever wanted it is gone
        except ElenchusError as error:
            tell({"kind": "failed", "exit": error.exit_code, "text": str(error)})
        except Exception as error:  # noqa: BLE001 - the libraries raise anything; where is in the log
            traceback.print_exc()
            tell({"kind": "failed", **_in_words(error, work)})


def _own_output() -> IO[str]:
    """Standard output for our messages alone: whatever libraries print goes to standard error."""
    sys.stdout.flush()
    ours = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return ours


def _done(work: Message, tell: Any) -> Message:
    _set_up(work)
    match work["work"]:
        case "train":
            from elenchus.detectors.alignment.training.learning.training import train

            return train(work, tell)
        case "base":
            from elenchus.detectors.alignment.training.learning.conversion import converted

            return converted(work)
    from elenchus.detectors.alignment.training.learning.scoring import measured_anew

    return measured_anew(work)


def _set_up(work: Message) -> None:
    """What the libraries read from the environment, before they are imported. A person's own variables win."""
    prefer("HF_HUB_OFFLINE", "1")
    prefer("HF_DATASETS_OFFLINE", "1")
    prefer("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    prefer("TRANSFORMERS_VERBOSITY", "warning")
    prefer("TRL_EXPERIMENTAL_SILENCE", "1")
    prefer("TOKENIZERS_PARALLELISM", "false")
    if threads := work.get("threads"):
        prefer("OMP_NUM_THREADS", str(threads))
    if work.get("device") == "cpu":
        prefer("CUDA_VISIBLE_DEVICES", "-1")


def _in_words(error: Exception, work: Message) -> Message:
    """What went wrong, in one sentence, with the exit code."""
    text = " ".join(str(error).split()) or type(error).__name__
    if any(word in text.lower() for word in _FULL) or getattr(error, "errno", None) in (28, 122):
        return {
            "exit": 5,
            "text": f"The disk with {work.get('out')} is full: free some space; the same command goes on.",
        }
    if isinstance(error, MemoryError) or "out of memory" in text.lower() or "can't allocate memory" in text.lower():
        return {"exit": 2, "text": "There is too little memory: give --micro-batch 1, a smaller --max-length or base."}
    shown = text if len(text) <= 300 else f"{text[:300]}…"
    return {"exit": 1, "text": f"The training has failed ({type(error).__name__}: {shown}); where, is in train.log."}


if __name__ == "__main__":
    main()
