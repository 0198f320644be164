"""What is shipped to run workers: the units of systemd and the services of compose, held against the program itself."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.service.workers.queue import QUEUES, STALLED
from elenchus.service.workers.worker import LEAVES_WITHIN
from tests.service.cli.program import Program

ROOT = Path(__file__).parents[2]
CONNECTIONS = 11
"""Of one process, at the most: writer and watcher, four that read, four of the queue and one that listens to it."""
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.workers.yaml").read_text(encoding="utf-8"))
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))


def unit(path: Path) -> configparser.ConfigParser:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign] # names are as they stand
    read.read_string(path.read_text(encoding="utf-8"))
    return read


def commands() -> list[list[str]]:
    units = [unit(path)["Service"]["ExecStart"].split() for path in UNITS]
    assert {words[0] for words in units} == {"/opt/elenchus/bin/elenchus"}
    return [words[1:] for words in units] + [COMPOSE["services"][name]["command"] for name in ("worker", "ops")]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_each_command_is_one_that_the_program_takes(words: list[str], tmp_path: Path) -> None:
    """It then says what it lacks here: the database."""
    refused = Program(tmp_path / "home", tmp_path)(*words)
    assert refused.code == 2
    assert "A worker needs a database that workers share" in refused.err


def test_units_and_services_come_back_whatever_happens_and_let_go_in_time() -> None:
    for path in UNITS:
        service = unit(path)["Service"]
        assert service["Restart"] == "always"
        assert LEAVES_WITHIN < float(service["TimeoutStopSec"]) <= STALLED
        assert unit(path)["Unit"]["StartLimitIntervalSec"] == "0", "systemd gives up after five restarts otherwise"
    for name in ("worker", "ops", "postgres", "redis", "bot"):
        assert COMPOSE["services"][name]["restart"] == "always"
    assert COMPOSE["x-worker"]["stop_grace_period"] == "10s"
    assert [COMPOSE["services"][name]["deploy"]["replicas"] for name in ("elenchus", "worker", "ops", "bot")] == [
        2,
        3,
        2,
        2,
    ]


def test_the_database_has_connections_for_all_of_them_and_for_as_many_again_while_they_are_replaced() -> None:
    services = COMPOSE["services"]
    processes = sum(services[name]["deploy"]["replicas"] for name in ("elenchus", "worker", "ops", "bot"))
    (most,) = [int(word.partition("=")[2]) for word in services["postgres"]["command"] if "max_connections=" in word]
    assert 2 * processes * CONNECTIONS <= most


def test_between_them_they_serve_every_queue_and_no_secret_stands_in_a_file() -> None:
    for kind in (commands()[: len(UNITS)], commands()[len(UNITS) :]):
        served = {queue for words in kind for queue in QUEUES if queue in words}
        assert served == set(QUEUES)
    text = "".join(path.read_text(encoding="utf-8") for path in [*UNITS, ROOT / "compose.workers.yaml"])
    assert not re.search(r"PASSWORD\s*[:=]\s*\S|(?i:api_key)\s*[:=]\s*\S", text.replace("PASSWORD_FILE:", ""))
