"""The path of any page of the table, its parts filled in: said once, so that a new part is known to every walk."""

from __future__ import annotations

import re

from elenchus.service.web.pages.frame import PageRoute

PARTS = {
    "session": "nope", "classroom": "c1", "seat": "con", "code": "abcd-efgh", "picture": "a" * 64, "kind": "debate",
    "argument": "1", "step": "s",
}  # fmt: skip


def path_of(route: PageRoute, **parts: str) -> str:
    """Its path with these parts, and with those of `PARTS` where none is given."""
    return re.sub(r":[^}]*", "", route.path).format(**PARTS | parts)
