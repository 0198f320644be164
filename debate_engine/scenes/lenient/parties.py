"""Decides who speaks to whom in a rule, and says whether the script is clear about it.

Clear is a rule with names on both sides of an arrow or in fields, or with a plain sentence (`sentences`). Everything
else is marked unclear: the likeliest is taken, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from elenchus.debate_engine.scenes.lenient.cast import Cast
from elenchus.debate_engine.scenes.lenient.labels import mode_in, only_label_words
from elenchus.debate_engine.scenes.lenient.sentences import NO_SPEAKER, SEVERAL, Sentence, only_names
from elenchus.debate_engine.scenes.lenient.words import nouns_in
from elenchus.debate_engine.scenes.scene import SYSTEM, Mode

NOBODY = "nobody is named as spoken to: the likeliest is taken"
_NO_RECEIVER = "nobody is named as receiving it"
ARROW = re.compile(r"\s*(?:→|⇒|➔|[-=–—]+>)\s*")
"""What stands between who speaks and who is spoken to."""
_BOTH_WAYS = re.compile(r"[↔⇄⇔←⇐]|<[-=–—]")


@dataclass(frozen=True)
class Parties:
    """Who speaks, to whom, and what was guessed; the script is clear about it where nothing was."""

    initiator: str
    receivers: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def clear(self) -> bool:
        """Tell whether nothing was guessed."""
        return not self.notes and bool(self.initiator and self.receivers)


def parties_of(mode: Mode, content: str, label: str, cast: Cast) -> Parties:
    """The parties of a rule. `label` may name them too (`Unicast, Ada → Ben`)."""
    spelt_out = _spelt_out(mode, label, cast) or _spelt_out(mode, content, cast)
    told = spelt_out or _told(mode, content, cast)
    if told.clear and (_BOTH_WAYS.search(text := f"{label} {content[:160]}") or len(ARROW.findall(text)) > 1):
        told = replace(told, notes=(SEVERAL,))
    return told if told.clear or not cast.mentions(label) else _with_label(mode, label, content, told, cast)


def between(mode: Mode, speaker: str, receivers: str, cast: Cast) -> Parties:
    """The parties where the script names them by themselves, in fields or on both sides of an arrow."""
    speakers = cast.names_meant(cast.mentions(speaker))
    if mode == "self-receiving":
        return _received(cast.names_meant(cast.mentions(receivers)) or speakers, cast)
    notes = () if len(speakers) == 1 else (SEVERAL if speakers else NO_SPEAKER,)
    name = speakers[0] if speakers else ""
    return _checked(mode, name, cast.names_meant(cast.mentions(receivers), name), notes, cast)


def _told(mode: Mode, content: str, cast: Cast) -> Parties:
    """The parties as the sentence tells them."""
    sentence = Sentence(content, cast)
    if mode == "self-receiving":
        return _received(sentence.receivers(), cast)
    speaker, notes = sentence.speaker()
    spoken, more = sentence.addressed(mode, speaker)
    return _checked(mode, speaker, spoken, (*notes, *(more if mode != "broadcast" else ())), cast)


def _received(names: tuple[str, ...], cast: Cast) -> Parties:
    return Parties(SYSTEM, names) if names else Parties(SYSTEM, cast.of_kind("subject"), (_NO_RECEIVER,))


def _checked(mode: Mode, speaker: str, names: tuple[str, ...], notes: tuple[str, ...], cast: Cast) -> Parties:
    """The parties, with the likeliest for who is missing, and a note where their number does not fit the mode."""
    speaker = speaker or next(iter((*cast.of_kind("moderator"), *cast.names)), "")
    if mode == "broadcast":
        return Parties(speaker, cast.everybody_but(speaker), notes)
    if not names:
        first = "confederate" if cast.kind(speaker) == "subject" else "subject"
        likely = tuple(sorted(cast.everybody_but(speaker), key=lambda name: cast.kind(name) != first))
        return Parties(speaker, likely if mode == "multicast" else likely[:1], (*notes, NOBODY))
    if mode == "unicast" and len(names) > 1:
        notes = (*notes, f"it is called unicast but goes to {len(names)}")
    if mode == "multicast" and len(names) == 1:
        notes = (*notes, "it is called multicast but goes to one")
    return Parties(speaker, names, notes)


def _spelt_out(mode: Mode, text: str, cast: Cast) -> Parties | None:
    """The parties of `Ada → Ben` or `Ada to Ben: …`, if nothing but names stands on both sides."""
    left, right = _sides(text[:160])
    if right and not only_names(right, cast):
        right = right.partition(",")[0]
    if not left or not only_names(left, cast) or (right and not only_names(right, cast)):
        return None
    mode = "self-receiving" if SYSTEM in left.lower() else mode
    return between(mode, left, right, cast) if right or mode == "broadcast" else None


def _with_label(mode: Mode, label: str, content: str, told: Parties, cast: Cast) -> Parties:
    """What a label (`Unicast from Ada to Ben`, `Moderator, broadcast`) adds to a sentence that is not plain."""
    speaker, to, receivers = re.split(r"(\bto\b|$)", label, maxsplit=1)
    if not cast.mentions(speaker):
        speaker = "" if {NO_SPEAKER, SEVERAL} & set(told.notes) else told.initiator
    if mode == "self-receiving":
        receivers = receivers or speaker
    return between(mode, speaker, receivers if to else content, cast) if speaker else told


def _sides(text: str) -> tuple[str, str]:
    """What stands before and behind an arrow, or before a colon (`Cleo to Ada: …`, `Cleo: …`)."""
    left, *right = ARROW.split(text, maxsplit=1)
    if right:
        speaker = [part for part in re.split(r"[,:|()\[\]]", left) if part.strip()]
        return "".join(speaker[-1:]), re.split(r"[:|()\[\]]|\s[-–—]\s|$", right[0], maxsplit=1)[0]
    head, colon, _ = text.partition(":")
    sides = re.split(r"\bto\b", head, maxsplit=1) if colon else ["", ""]
    return sides[0], sides[1] if len(sides) > 1 else ""


def without_parties(content: str) -> str:
    """The content without `Ada → Ben:` in front of it."""
    return re.sub(rf"^[^:]{{1,60}}?{ARROW.pattern}[^:|]{{1,60}}[:|]\s*(?=\S)", "", content)


# ── people who are no roles ──────────────────────────────────────────────────────────────────────────────────────


_NO_NAME = re.compile(
    r"(?:all|any|each|every|both|others?|the|rest|everyone|everybody|group|class|team|public|audience|system|n/?a|not"
    r"|none|nobody|self|them)\b.*",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:the\s+)?[A-Z][\w.'’-]*(?: [A-Z0-9][\w.'’-]*){0,2}")


def unknown_people(texts: Sequence[str], fields: Mapping[str, str], cast: Cast) -> Iterator[tuple[str, str]]:
    """Each one who stands beside an arrow or in a field and is no role, and what they do (`starts`, `receives`)."""
    for text in texts:
        left, right = _sides(text) if ARROW.search(text) else ("", "")
        if left and only_names(left, cast):
            yield from ((name, "receives") for name in _unknown_people_in(right, cast))
        elif right and only_names(right, cast):
            yield from ((name, "starts") for name in _unknown_people_in(left, cast))
    for key, does in (("initiator", "starts"), ("receivers", "receives")):
        yield from ((name, does) for name in _unknown_people_in(fields.get(key, ""), cast))


def _unknown_people_in(names: str, cast: Cast) -> Iterator[str]:
    for part in () if _NO_NAME.match(names) else re.split(r"\s*(?:[,;/&]|\band\b)\s*", names.strip(" .([")):
        known = cast.mentions(part) or nouns_in(part) or mode_in(part) or only_label_words(part)
        if _PERSON.fullmatch(part) and not _NO_NAME.match(part) and not known:
            yield part
