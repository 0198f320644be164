"""Statements of debates that never were."""

from __future__ import annotations

from typing import Any

from elenchus.detectors.alignment.pairs import Spoken


def spoken(score: int, text: str = "", **more: Any) -> Spoken:
    """A statement of role Twenty in round 1 on gardening, where nothing else is said."""
    given: dict[str, Any] = {
        "bias": "age", "about": "how old somebody is", "topic": "gardening", "seat": "role-1", "role": "Twenty",
        "who": "20 years old", "round": 1, "slot": 0, "referee": "scripted:x", "seed": 7, "session": "s-1",
        "step": "round/1/role-1/statement", **more,
    }  # fmt: skip
    return Spoken(
        score=score, text=text or f"{given['role']} says {score} in {given['session']} {given['round']}.", **given
    )
