"""The form by which a class is made: what it will take at the most, and a button that opens its lobby."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import ProviderError, UnreadableReply, UsageError
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab.classes.new_class import ClassOptions
from elenchus.service.lab.classes.publication import LEAST
from elenchus.service.lab.options import options_of
from elenchus.service.web.api.catalogues import Estimate
from elenchus.service.web.pages import class_fields
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.new_session import ID, check_may_begin, named_in, problem_in
from elenchus.service.web.pages.remembered_codes import note_slips

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from aiohttp import web

    from elenchus.service.lab.classes.new_class import ClassEstimate
    from elenchus.service.web.strings import Words


async def show_form(visit: Visit) -> web.StreamResponse:
    """The form, with every option at its default."""
    check_may_begin(visit)
    chosen = {"scene": visit.request.query["scene"]} if "scene" in visit.request.query else {}
    return await _form(visit, chosen, new_id())


async def begin(visit: Visit) -> web.StreamResponse:
    """Tell what it would take, or make it: a form that is sent twice makes one class."""
    check_may_begin(visit)
    given = await visit.form()
    conditions = "\n".join(map(str, given.getall("conditions", [])))
    typed = {name: str(value) for name, value in given.items()} | {"sent": "yes", "conditions": conditions}
    class_id, classes = typed.pop("session", ""), visit.service.classes
    class_id = class_id if ID.fullmatch(class_id) else new_id()
    try:
        options = options_of(ClassOptions, class_fields.options_in(typed), named_in(visit))
        if typed.get("action") != "start":
            found = await classes.estimate(options)
            estimate = Estimate(plan=found.plan, warnings=list(_warnings(found, visit.t)))
            return await _form(visit, typed, class_id, estimate=estimate)
        async with visit.service.app.shared.alone(f"creating {class_id}"):
            if not await classes.is_there(class_id):
                await note_slips(visit, class_id, (await classes.create(options, class_id)).slips)
    except (UsageError, ProviderError, UnreadableReply) as error:
        return await _form(visit, typed, class_id, problem=problem_in(error, named_in(visit)), status=422)
    return to(f"/classes/{class_id}")


def _warnings(found: ClassEstimate, t: Words) -> Iterator[str]:
    """What to know before Start is pressed, in the words of the page."""
    yield from found.cautions
    if found.adults:
        yield t("start-adults", who=t.of("option", "ethics_approval"))
    if found.spread:
        people, versions, most = found.spread
        each = t.number(people / versions, 0)
        yield t("start-spread", people=people, versions=versions, each=each, few=LEAST, enough=2 * LEAST, most=most)


async def _form(
    visit: Visit, typed: Mapping[str, str], class_id: str, *, problem: str = "", status: int = 200,
    estimate: Estimate | None = None,
) -> web.Response:  # fmt: skip
    context = await asyncio.to_thread(class_fields.context, visit.service.app.settings, typed)
    return visit.show(
        "new-class.html", status=status, new_session=class_id, problem=problem, estimate=estimate, kind="class",
        typed=typed, **context,
    )  # fmt: skip
