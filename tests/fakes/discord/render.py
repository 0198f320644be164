"""A channel or a thread as plain text, as a person would see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fakes.discord.state import LOADING, Channel, Json, Message

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person

SYSTEM = {
    1: "added {names} to the thread.",
    2: "removed {names} from the thread.",
    4: "changed the name: {text}",
    6: "pinned a message.",
    18: "started a thread: {text}",
    21: "(the thread's first message)",
}


async def channel_text(place: Channel, person: Person) -> str:
    """The channel's head, and all that the person sees in it, each with its writer."""
    posts = await person.sees(place)
    return "\n\n".join([heading(place), *[f"{speaker(post, person)}\n{indent(text_of(post))}" for post in posts]])


def heading(place: Channel) -> str:
    if place.guild is None:
        return "── direct message ──"
    if not place.is_thread:
        return f"── #{place.name} ──"
    states = [
        "private" if place.is_private_thread else "",
        "archived" if place.archived else "",
        "locked" if place.locked else "",
    ]
    told = ", ".join(state for state in states if state)
    assert place.parent is not None
    return f"── #{place.parent.name} › {place.name}{f' ({told})' if told else ''} ──"


def speaker(post: Message, person: Person) -> str:
    """The writer's name, APP for a bot or a webhook, and whether only this person sees it."""
    member = place.guild.members.get(post.author.id) if (place := post.channel).guild else None
    name = member.shown_name if member and not post.webhook_id else post.author.name
    marks = [" APP" if post.author.bot else "", " (edited)" if post.edited_at else ""]
    marks.append(" · only you can see this" if post.only_for == person.id else "")
    return name + "".join(marks)


def text_of(post: Message) -> str:
    """A message's words, embeds, files and components."""
    if post.flags & LOADING:
        return "thinking…"
    parts = [_words(post), *map(_embed, post.embeds)]
    parts += [f"📎 {file.filename}{f' — {file.description}' if file.description else ''}" for file in post.attachments]
    parts += [_component(part) for part in post.components]
    if post.reactions:
        parts.append("  ".join(f"{emoji} {len(who)}" for emoji, who in post.reactions.items() if who))
    if post.thread:
        parts.append(f"🧵 {post.thread.name}")
    return "\n".join(part for part in parts if part)


def _words(post: Message) -> str:
    if post.type in SYSTEM:
        names = ", ".join(who.name for who in post.mentions)
        return SYSTEM[post.type].format(names=names, text=post.content)
    text = post.content
    for who in post.mentions:
        text = text.replace(f"<@{who.id}>", f"@{who.name}").replace(f"<@!{who.id}>", f"@{who.name}")
    return text


def _embed(embed: Json) -> str:
    author, footer, picture = embed.get("author") or {}, embed.get("footer") or {}, embed.get("image") or {}
    lines = [author.get("name"), embed.get("title"), embed.get("description")]
    lines += [f"{each['name']}: {each['value']}" for each in embed.get("fields", ())]
    if picture:
        lines.append(f"🖼 {picture.get('description') or str(picture.get('url', '')).rsplit('/', 1)[-1]}")
    lines.append(footer.get("text"))
    return "\n".join(f"│ {line}" for each in lines if each for line in str(each).split("\n"))


def _component(part: Json) -> str:
    kind = part["type"]
    if kind == 2:
        label = " ".join(each for each in ((part.get("emoji") or {}).get("name"), part.get("label")) if each)
        return f"({label})" if part.get("disabled") else f"[{label}]"
    if kind in (3, 5, 6, 7, 8):
        options = " / ".join(each["label"] for each in part.get("options", ()))
        return f"▾ {part.get('placeholder') or 'choose'}{f': {options}' if options else ''}"
    if kind == 10:
        return str(part["content"])
    if kind == 14:
        return "───"
    inside = [_component(each) for each in part.get("components", ())]
    inside += [_component(part["accessory"])] if "accessory" in part else []
    return (" " if kind == 1 else "\n").join(each for each in inside if each)


def indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
