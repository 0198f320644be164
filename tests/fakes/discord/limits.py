"""Lengths and counts of what a message, an embed, a component and a modal may hold."""

from __future__ import annotations

import re
from typing import Any

from tests.fakes.discord.errors import Form, Refused
from tests.fakes.discord.payloads import walk
from tests.fakes.discord.state import COMPONENTS_V2, Json

Path = tuple[str | int, ...]
ROW, BUTTON, SELECTS, TEXT_INPUT, TEXT_DISPLAY, LABEL = 1, 2, (3, 5, 6, 7, 8), 4, 10, 18
FILE_LIMIT = 10 * 1024 * 1024
LINK = re.compile(r"(https?|attachment)://\S+\Z")


def message(body: Json, files: int, *, is_edit: bool = False) -> None:
    """Check a message's form. Raises Refused 50035 with each field, or 50006 where nothing was said."""
    form = Form()
    flags = int(body.get("flags") or 0)
    form.length(("content",), body.get("content"), 2000)
    embeds(form, body.get("embeds") or [])
    if flags & COMPONENTS_V2:
        _version_two(form, body)
    else:
        rows(form, body.get("components") or [])
    form.count(("attachments",), files, 10)
    _nonce(form, body)
    _poll(form, body.get("poll") or {})
    _mentions(form, body.get("allowed_mentions") or {})
    form.check()
    parts = ("content", "embeds", "components", "sticker_ids", "poll", "attachments")
    said = [body.get(part) for part in parts if part != "content"] + [(body.get("content") or "").strip()]
    if not is_edit and not files and not any(said):
        raise Refused(50006)


def _version_two(form: Form, body: Json) -> None:
    for name in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(name):
            form.wrong((name,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", f"{name} cannot be used")
    inside = walk(body.get("components") or [])
    form.count(("components",), len(inside), 40)
    said = sum(len(part.get("content") or "") for part in inside if part.get("type") == TEXT_DISPLAY)
    if said > 4000:
        form.wrong(("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "Displayable text exceeds 4000")
    unique_ids(form, inside)
    for index, part in enumerate(inside):
        component(form, ("components", index), part)


def _nonce(form: Form, body: Json) -> None:
    if isinstance(body.get("nonce"), str):
        form.length(("nonce",), body["nonce"], 25)


def _poll(form: Form, poll: Json) -> None:
    """A question of 300, ten answers of 55 characters, 32 days at the most."""
    form.length(("poll", "question", "text"), (poll.get("question") or {}).get("text"), 300)
    answers = poll.get("answers") or []
    form.count(("poll", "answers"), len(answers), 10)
    for index, each in enumerate(answers):
        form.length(("poll", "answers", index, "poll_media", "text"), each["poll_media"].get("text"), 55)
    if (poll.get("duration") or 24) > 32 * 24:
        form.wrong(("poll", "duration"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 768.")


def _mentions(form: Form, allowed: Json) -> None:
    parse = allowed.get("parse") or []
    for kind in ("users", "roles"):
        named = allowed.get(kind) or []
        form.count(("allowed_mentions", kind), len(named), 100)
        if kind in parse and named:
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.wrong(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)


def embeds(form: Form, given: list[Json]) -> None:
    """Check each embed, and that all together stay within 6,000 characters."""
    form.count(("embeds",), len(given), 10)
    for index, embed in enumerate(given):
        _embed(form, ("embeds", index), embed)
    if sum(map(embed_size, given)) > 6000:
        message = "Embed size exceeds maximum size of 6000"
        form.wrong(("embeds", len(given) - 1), "MAX_EMBED_SIZE_EXCEEDED", message)


def embed_size(embed: Json) -> int:
    texts = [embed.get("title"), embed.get("description"), (embed.get("footer") or {}).get("text")]
    texts.append((embed.get("author") or {}).get("name"))
    for each in embed.get("fields") or []:
        texts += [each.get("name"), each.get("value")]
    return sum(len(text or "") for text in texts)


def _embed(form: Form, path: Path, embed: Json) -> None:
    footer, author = embed.get("footer") or {}, embed.get("author") or {}
    form.length((*path, "title"), embed.get("title"), 256)
    form.length((*path, "description"), embed.get("description"), 4096)
    form.length((*path, "footer", "text"), footer.get("text"), 2048)
    form.length((*path, "author", "name"), author.get("name"), 256)
    fields = embed.get("fields") or []
    form.count((*path, "fields"), len(fields), 25)
    for index, each in enumerate(fields):
        form.length((*path, "fields", index, "name"), (each.get("name") or "").strip(), 256, 1)
        form.length((*path, "fields", index, "value"), (each.get("value") or "").strip(), 1024, 1)
    links = {
        ("url",): embed.get("url"),
        ("author", "url"): author.get("url"),
        ("footer", "icon_url"): footer.get("icon_url"),
    }
    links |= {(part, "url"): (embed.get(part) or {}).get("url") for part in ("image", "thumbnail")}
    for place, link in links.items():
        if link and not LINK.match(link):
            form.wrong((*path, *place), "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def rows(form: Form, given: list[Json]) -> None:
    """Check the rows of buttons and selects of an ordinary message."""
    form.count(("components",), len(given), 5)
    for index, row in enumerate(given):
        path: Path = ("components", index)
        if row.get("type") != ROW:
            form.wrong((*path, "type"), "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).')
            continue
        inside = row.get("components") or []
        form.count((*path, "components"), len(inside), 5, 1)
        if any(part.get("type") in SELECTS for part in inside) and len(inside) > 1:
            form.wrong(
                (*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "Layout component width exceeds maximum width"
            )
        for place, part in enumerate(inside):
            component(form, (*path, "components", place), part)
    unique_ids(form, walk(given))


def unique_ids(form: Form, parts: list[Json]) -> None:
    ids = [part["custom_id"] for part in parts if part.get("custom_id")]
    if len(ids) != len(set(ids)):
        form.wrong(("components",), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")


def component(form: Form, path: Path, part: Json) -> None:
    if part.get("type") == BUTTON:
        _button(form, path, part)
    elif part.get("type") in SELECTS:
        _select(form, path, part)
    elif part.get("type") == TEXT_INPUT:
        _text_input(form, path, part)


def _button(form: Form, path: Path, part: Json) -> None:
    form.length((*path, "label"), part.get("label"), 80)
    style = part.get("style")
    if style == 5:
        if not part.get("url") or part.get("custom_id"):
            form.wrong((*path, "url"), "BASE_TYPE_REQUIRED", "A link button has a url and no custom_id")
    elif style != 6:
        form.length((*path, "custom_id"), part.get("custom_id"), 100, 1)
        if part.get("url"):
            form.wrong((*path, "url"), "BUTTON_COMPONENT_NO_URL", "Only link buttons have a url")
    if style != 6 and not part.get("label") and not part.get("emoji"):
        form.wrong(path, "BUTTON_COMPONENT_INVALID_LABEL_EMOJI", "A button must have a label or emoji")


def _select(form: Form, path: Path, part: Json) -> None:
    form.length((*path, "custom_id"), part.get("custom_id"), 100, 1)
    form.length((*path, "placeholder"), part.get("placeholder"), 150)
    least, most = part.get("min_values", 1), part.get("max_values", 1)
    if not 0 <= least <= 25 or not 1 <= most <= 25 or least > most:
        form.wrong((*path, "max_values"), "NUMBER_TYPE_MAX", "min_values and max_values do not fit")
    if part.get("type") != 3:
        return
    options = part.get("options") or []
    form.count((*path, "options"), len(options), 25, 1)
    if most > max(1, len(options)):
        form.wrong((*path, "max_values"), "NUMBER_TYPE_MAX", "max_values exceeds the number of options")
    if len({each.get("value") for each in options}) != len(options):
        form.wrong(
            (*path, "options"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"
        )
    for index, each in enumerate(options):
        for name, size in (("label", 100), ("value", 100)):
            form.length((*path, "options", index, name), each.get(name), size, 1)
        form.length((*path, "options", index, "description"), each.get("description"), 100)


def _text_input(form: Form, path: Path, part: Json) -> None:
    form.length((*path, "custom_id"), part.get("custom_id"), 100, 1)
    form.length((*path, "placeholder"), part.get("placeholder"), 100)
    form.length((*path, "value"), part.get("value"), 4000)
    if part.get("label") is not None:
        form.length((*path, "label"), part["label"], 45, 1)


def modal(data: Json) -> None:
    """Check a modal: title 45, one to five inputs, each with an id of its own."""
    form = Form()
    form.length(("data", "title"), data.get("title"), 45, 1)
    form.length(("data", "custom_id"), data.get("custom_id"), 100, 1)
    given: list[Any] = data.get("components") or []
    form.count(("data", "components"), len(given), 5, 1)
    for index, row in enumerate(given):
        path: Path = ("data", "components", index)
        if row.get("type") not in (ROW, LABEL, TEXT_DISPLAY):
            form.wrong((*path, "type"), "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1, 10, 18).')
        if row.get("type") == LABEL:
            form.length((*path, "label"), row.get("label"), 45, 1)
            form.length((*path, "description"), row.get("description"), 100)
        for part in walk([row]):
            component(form, path, part)
    unique_ids(form, walk(given))
    form.check()


def choices(data: Json) -> None:
    """Check the answer to an autocomplete: 25 choices, names and values of 1 to 100 characters."""
    form = Form()
    choice_list(form, ("data", "choices"), data.get("choices") or [])
    form.check()


def choice_list(form: Form, path: Path, given: list[Json]) -> None:
    """Check the choices of an option, fixed or completed."""
    form.count(path, len(given), 25)
    for index, each in enumerate(given):
        form.length((*path, index, "name"), each.get("name"), 100, 1)
        if isinstance(each.get("value"), str):
            form.length((*path, index, "value"), each["value"], 100, 1)
