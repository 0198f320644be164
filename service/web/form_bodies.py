"""What a form of a page has sent, as browsers encode it; anything else is refused as what none of our forms sends."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from multidict import MultiDict

from elenchus.service.web.json_bodies import read_bytes
from elenchus.service.web.problems import Malformed

if TYPE_CHECKING:
    from aiohttp import web

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 1_000
"""Fields of a form; the largest of ours has some two hundred, a version of each scene to be ticked among them."""


async def form_of(request: web.Request) -> MultiDict[str]:
    """The fields by name. Raises Problem for what is no form of ours, is too large, or does not come."""
    raw = await read_bytes(request, FORM)
    try:
        fields = parse_qsl(
            raw.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )  # fmt: skip
    except ValueError:
        raise Malformed("This is no form that we can read: load the page again, and send it once more.") from None
    return MultiDict(fields)
