"""A service that makes a debate for a key and kills itself at its N-th use of the log or the store: `HOME N`.

With 0 it does not; it prints the status and the id, and what there is then.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from elenchus.config.settings import Settings
from elenchus.service.app import open_app
from elenchus.service.web.server import SERVICE, make_web
from tests.service.lab.dying_sweep import Dying
from tests.service.web.conftest import SCRIPTED, TOKEN

BODY = {"protocol": "debate", "options": {"motion": "Homework should end", **SCRIPTED, "pro": "human"}}


async def main(home: Path, uses: int) -> None:
    """Ask once."""
    left = [0]
    async with open_app(Settings(home=home)) as real:
        log: Any = Dying(real.log, left)
        store: Any = Dying(real.store, left)
        app = replace(real, log=log, store=store, runner=replace(real.runner, log=log))
        made = make_web(app, token=TOKEN)
        async with TestClient(TestServer(made)) as client:
            left[0] = uses  # from the request on
            headers = {"Authorization": f"Bearer {TOKEN}", "Idempotency-Key": "one"}
            async with client.post("/api/v1/sessions", json=BODY, headers=headers) as answer:
                document = await answer.json()
            found = {"status": answer.status, "id": document.get("id"), "running": made[SERVICE].own.running}
            print(json.dumps(found | {"sessions": [info.id for info in await real.log.sessions()]}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
