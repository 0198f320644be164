"""What a server that runs for months removes by itself: grants and sign-ins by which nobody can do anything more."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import StorageError

if TYPE_CHECKING:
    from elenchus.service.lab.access import Access
    from elenchus.service.lab.sign_ins import SignIns

EVERY_SECONDS = 6 * 3600.0
_log = logging.getLogger(__name__)


async def kept_tidy(access: Access, sign_ins: SignIns, every: float = EVERY_SECONDS) -> None:
    """Remove what has ended, now and again so often, until it is cancelled; a store out of order is waited for."""
    while True:
        try:
            grants, browsers = await access.remove_ended(), await sign_ins.remove_ended()
            if grants or browsers:
                _log.info("removed %d grants and %d sign-ins that had ended", grants, browsers)
        except StorageError as error:
            _log.warning("what has ended cannot be removed now: %s", error)
        await asyncio.sleep(every)
