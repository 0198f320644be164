"""What is shipped for clusters: manifests, against the schemas of Kubernetes; the dashboard, against the metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.service.web.operations.metrics import Metrics
from elenchus.service.web.operations.shared_metrics import WORDS
from tests.service.cli.program import Program
from tests.service.web.conftest import served_from

ROOT = Path(__file__).parents[2]
MANIFESTS = ROOT / "deploy" / "kubernetes" / "elenchus.yaml"
KUBERNETES = "1.34"


def resources() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(MANIFESTS.read_text(encoding="utf-8")))


@pytest.mark.parametrize("resource", resources(), ids=lambda one: f"{one['kind']}/{one['metadata']['name']}")
def test_each_manifest_is_what_kubernetes_takes(resource: dict[str, Any]) -> None:
    import kubernetes_validate  # type: ignore[import-untyped] # it has no types

    kubernetes_validate.validate(resource, KUBERNETES, strict=True)


def test_there_are_two_servers_three_workers_two_that_look_after_them_and_two_bots() -> None:
    replicas = {one["metadata"]["name"]: one["spec"]["replicas"] for one in resources() if one["kind"] == "Deployment"}
    assert replicas == {"elenchus-web": 2, "elenchus-worker": 3, "elenchus-ops": 2, "elenchus-bot": 2, "redis": 1}


@pytest.mark.parametrize("part", ["elenchus-worker", "elenchus-ops", "elenchus-bot"])
def test_each_command_is_one_that_the_program_takes(part: str, tmp_path: Path) -> None:
    """It then says what it lacks here: the database, or the token."""
    (container,) = next(one for one in containers() if one[0] == part)[1]
    refused = Program(tmp_path / "home", tmp_path)(*container["args"])
    assert refused.code == 2
    assert "ELENCHUS_DATABASE_URL" in refused.err or "DISCORD_TOKEN" in refused.err


def test_no_secret_stands_in_a_file() -> None:
    text = MANIFESTS.read_text(encoding="utf-8")
    assert "kind: Secret\n" not in text
    for _, found in containers():
        for variable in found[0].get("env", ()):
            assert "value" not in variable or not re.search("PASSWORD|TOKEN|KEY|URL", variable["name"])


def containers() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for one in resources():
        if one["kind"] == "Deployment":
            yield one["metadata"]["name"], one["spec"]["template"]["spec"]["containers"]


async def test_the_dashboard_asks_for_nothing_but_what_is_measured(tmp_path: Path) -> None:
    dashboard = json.loads((ROOT / "deploy" / "grafana" / "elenchus.json").read_text(encoding="utf-8"))
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"elenchus_[a-z_]+", target["expr"])
    }
    async with served_from(tmp_path) as served:
        metrics = Metrics(served.service)
        metrics.answered("GET", "/", 200, 0.1)
        told = {line.partition("{")[0].split()[0] for line in metrics.text().decode().splitlines() if line[:1] != "#"}
    assert asked <= told | set(WORDS)
    assert set(WORDS) <= asked
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
