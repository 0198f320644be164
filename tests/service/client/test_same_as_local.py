"""A laboratory over a service has what the one in this process has: the same methods, with the same signatures."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from elenchus.service.client.remote_lab import RemoteLab
from elenchus.service.client.remote_minds import RemoteMinds
from elenchus.service.client.remote_running import RemoteRunning
from elenchus.service.client.remote_studies import RemoteResults
from elenchus.service.lab.lab import Lab, StudyResults
from elenchus.service.lab.lab_minds import LabMinds
from elenchus.service.lab.local_lab import LocalLab
from elenchus.service.lab.local_running import LocalRunning
from elenchus.service.lab.minds import Minds
from elenchus.service.lab.running import Running
from elenchus.service.lab.scene_results import SceneResults

KINDS = [
    (Lab, LocalLab, RemoteLab),
    (Running, LocalRunning, RemoteRunning),
    (StudyResults, SceneResults, RemoteResults),
]
LOCAL_ALONE = {"aclose", "pictures", "files"}
"""A lab in this process is closed by itself, has a folder of pictures, and draws results at once."""


def methods(kind: type[Any]) -> dict[str, inspect.Signature]:
    found = inspect.getmembers(kind, lambda one: inspect.isfunction(one) or isinstance(one, property))
    return {
        name: inspect.signature(one.fget if isinstance(one, property) else one)  # type: ignore[arg-type]
        for name, one in found
        if not name.startswith("_")
    }


@pytest.mark.parametrize(("shared", "local", "remote"), KINDS)
def test_both_have_the_methods_that_are_shared_with_the_same_parameters(
    shared: type[Any], local: type[Any], remote: type[Any]
) -> None:
    wanted = methods(shared)
    assert wanted or shared is StudyResults
    for kind in (local, remote):
        own = methods(kind)
        assert set(own) - LOCAL_ALONE <= set(wanted) | {"study"}, "what one has the other has, too"
        for name, signature in wanted.items():
            if name in own:
                assert own[name].parameters == signature.parameters, f"{kind.__name__}.{name}"


def test_minds_of_a_service_have_the_methods_of_those_here_which_also_know_places() -> None:
    wanted, here, there = methods(LabMinds), methods(Minds), methods(RemoteMinds)
    assert set(there) == set(wanted) <= set(here)
    for name, signature in wanted.items():
        assert there[name].parameters == signature.parameters, name
        own = here[name].parameters
        assert {one: own[one] for one in signature.parameters} == dict(signature.parameters), name
        assert all(own[one].default is not inspect.Parameter.empty for one in set(own) - set(signature.parameters))
        assert (inspect.getdoc(getattr(RemoteMinds, name)) or "") == inspect.getdoc(getattr(LabMinds, name)), name


@pytest.mark.parametrize(("shared", "local", "remote"), KINDS[:2])
def test_nothing_that_is_shared_is_left_out(shared: type[Any], local: type[Any], remote: type[Any]) -> None:
    for kind in (local, remote):
        assert not getattr(kind, "__abstractmethods__", frozenset())
        assert {name for name in methods(shared) if not hasattr(kind, name)} == set()


@pytest.mark.parametrize(("shared", "_local", "remote"), KINDS)
def test_what_a_method_says_of_itself_is_said_in_both(shared: type[Any], _local: type[Any], remote: type[Any]) -> None:
    for name in methods(remote):
        said = inspect.getdoc(getattr(remote, name)) or ""
        first = (inspect.getdoc(getattr(shared, name, None)) or said).splitlines()[0]
        assert said.startswith(first), f"{remote.__name__}.{name}"
