"""What `elenchus --help` loads. How long it takes is measured by benchmarks/startup.py: a timed test would be flaky."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = {
    "accelerate",
    "aiohttp",
    "anthropic",
    "chromadb",
    "datasets",
    "discord",
    "gguf",
    "google.genai",
    "huggingface_hub",
    "jinja2",
    "matplotlib",
    "nltk",
    "numpy",
    "openai",
    "peft",
    "procrastinate",
    "psycopg",
    "pydantic",
    "redis",
    "scipy",
    "torch",
    "transformers",
    "trl",
    "wordllama",
    "xllamacpp",
}
PROGRAM = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
sys.argv = ["elenchus", *sys.argv[1:]]
from elenchus.service.cli import main
main()
"""


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that a run of the program has loaded when it ends."""
    run = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], check=True, capture_output=True, text=True)
    return set(json.loads(run.stderr))


def test_help_loads_no_heavy_module() -> None:
    assert loaded_by("--help") & HEAVY == set()


def test_version_loads_no_heavy_module() -> None:
    assert loaded_by("--version") & HEAVY == set()
