"""Decides who speaks to whom in a rule, from its mode and its sentence, and says whether that is plain.

Plain is: names on both sides of an arrow; one speaker at the sentence's beginning (or behind the comma of what is told
first) who does something `to` or `with` somebody or `tells` somebody; somebody called by name in quoted speech; or only
the subject named. Everything else is marked unclear: the likeliest is taken, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from debate_engine.scenes.lenient.cast import Cast, Mention
from debate_engine.scenes.lenient.labels import mode_in, only_label_words
from debate_engine.scenes.lenient.words import nouns_in, word_set
from debate_engine.scenes.scene import SYSTEM, Mode

NOBODY = "nobody is named as spoken to: the likeliest is taken"
_NO_SPEAKER = "nobody is named as speaking: the likeliest is taken"
_SEVERAL = "more than one speaks: the first named begins"
_TWO_CALLS = "two are spoken to one after the other: the last is taken"
ARROW = re.compile(r"\s*(?:→|⇒|➔|[-=–—]+>)\s*")
"""What stands between who speaks and who is spoken to."""
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\b[DM]r\.)(?<!\bM[rs]s\.)(?<!\bMs\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)\s+(?=[A-Z\"“(])"
)
_QUOTED = re.compile(r"\"([^\"]{2,2000})\"|“([^“”]{2,2000})”|«([^«»]{2,2000})»")
_BEFORE_SPEAKER = re.compile(
    r"(?:[\s,(\"“[]|\b(?:the|a|an|both|each|then|next|finally|also|later|now|again|first|dr\.?|mr\.?|ms\.?|mrs\.?|\w+ly)\b)*",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:,|&|or|/|,?\s*(?:and|as well as|then))\s*(?:(?:\w+wards|then)\s+)?(?:to\s+|with\s+)?(?:the\s+|both\s+)?",
    re.IGNORECASE,
)
_ADVERBS = r"(?:(?:then|also|now|again|still|\w+ly)\s+)*"
_ACTS = re.compile(rf"[)\]]?,?\s+{_ADVERBS}(?!(?:is|was|has|as|this|its|his|does|always)\b)[a-z]{{2,}}s\b")
"""A verb behind somebody."""
_PASSIVE = re.compile(
    rf"\s*(?:is|are|was|were|gets?|being|will be)\s+{_ADVERBS}(?!\w+ing\b)\w{{3,}}(?:ed|en|ld|nt|wn)\b"
    r"|\s+(?:receives?|hears?|learns?)\b"
)
_RECEIVES = re.compile(
    rf"\s+{_ADVERBS}(?:receiv|gets?\b|access|hear|learn|view|review|obtain|sees?\b|reads?\b|(?:is|are|was|were)\s)"
)
_NEXT = re.compile(
    rf"(?:,?\s+(?:and|but|then)|[,;])\s+{_ADVERBS}(?=[a-z]{{2,}}s\b(?<!\bas)(?<!\bhis)(?<!\bits)(?<!\bthis))"
)
"""Where another predicate of the same speaker begins."""
_TELLS = word_set(
    """
    tell ask inform remind invite urge instruct prompt request advise encourage persuade convince challenge confront
    question answer thank warn welcome greet assure reassure beg press order direct brief update notify address
    correct contradict guide engage push pressure tempt query interview give hand send offer show counter sway
    """
)
"""Verbs whose object is spoken to: `tells Ada`."""
_TO = re.compile(
    r"(?P<word>(?:in )?[\w-]+)\s+(?P<to>to|with)\s+(?:(?:both|the|each|all)\s+)*$|\btargeting\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_NOT_TO = word_set(
    """
    according similar compared relative due related prior belongs listens listening contrary thanks next close refers
    """
)
_NOT_WITH = word_set(
    """
    discussion interaction conversation exchange debate negotiation meeting interactions talk pairs
    """
)
_MEETS = re.compile(r"\b(?:respond|repl[yi]|react|agree|disagree|object|appeal)\w*\s+(?:to|with)\s+(?:the\s+)?$")
"""Verbs that answer somebody in what is theirs: `responds to Ada's offer`."""
_CIRCUMSTANCE = re.compile(
    r"\b(?:after|before|once|while|when|until|because|since|as|if)\s+(?:the\s+)?$", re.IGNORECASE
)
_CALL = re.compile(r"(?:^|[.!?…,;]\s+|^(?:so|well|thank you|now|hello|dear)\s+)$", re.IGNORECASE)


@dataclass(frozen=True)
class Parties:
    """Who speaks, to whom, whether the script is clear about it, and what was guessed."""

    initiator: str
    receivers: tuple[str, ...]
    clear: bool = True
    notes: tuple[str, ...] = ()


@dataclass
class Judge:
    """Decides rule by rule; remembers who spoke to whom last, for what a rule leaves out."""

    cast: Cast
    spoke_to: dict[str, str] = field(default_factory=dict)

    def decide(self, mode: Mode, content: str, label: str = "") -> Parties:
        """The parties of the next rule. `label` may name them too (`Unicast, Ada → Ben`)."""
        parties = self._spelt_out(mode, label) or self._spelt_out(mode, content) or self._told(mode, content)
        if not parties.clear and self.cast.mentions(label):
            parties = self._with_label(mode, label, content, parties)
        for name in parties.receivers if parties.initiator != SYSTEM else ():
            self.spoke_to[name] = parties.initiator
        return parties

    def between(self, mode: Mode, speaker: str, receivers: str) -> Parties:
        """The parties where the script names them by themselves, in fields or on both sides of an arrow."""
        speakers = self.cast.meant(self.cast.mentions(speaker)) or ((SYSTEM,) if SYSTEM in speaker.lower() else ())
        if mode == "self-receiving":
            names = self.cast.meant(self.cast.mentions(receivers)) or speakers
            return Parties(SYSTEM, names or self.cast.of_kind("subject"), bool(names), () if names else (NOBODY,))
        name = speakers[0] if speakers else self._somebody()
        notes = () if len(speakers) == 1 else (_SEVERAL if speakers else _NO_SPEAKER,)
        if mode == "broadcast":
            return Parties(name, self.cast.but(name), not notes, notes)
        names = self.cast.meant(self.cast.mentions(receivers), name)
        return self._counted(mode, name, names, notes)

    def _spelt_out(self, mode: Mode, text: str) -> Parties | None:
        """The parties of `Ada → Ben` or `Ada to Ben: …`, if nothing but names stands on both sides."""
        left, right = _sides(text[:160])
        if right and not self.only_names(right):
            right = right.partition(",")[0]
        if not left or not self.only_names(left) or (right and not self.only_names(right)):
            return None
        if SYSTEM in left.lower():
            mode = "self-receiving"
        return self.between(mode, left, right) if right or mode == "broadcast" else None

    def _with_label(self, mode: Mode, label: str, content: str, told: Parties) -> Parties:
        """What a label (`Unicast from Ada to Ben`, `Moderator, broadcast`) adds to a sentence that is not plain."""
        speaker, to, receivers = re.split(r"(\bto\b|$)", label, maxsplit=1)
        if not self.cast.mentions(speaker):
            speaker = "" if {_NO_SPEAKER, _SEVERAL} & set(told.notes) else told.initiator
        if mode == "self-receiving":
            receivers = receivers or speaker
        return self.between(mode, speaker, receivers if to else content) if speaker else told

    def only_names(self, text: str) -> bool:
        said, mentions = text, self.cast.mentions(text)
        for mention in reversed(mentions):
            said = f"{said[: mention.start]} {said[mention.end :]}"
        small = re.sub(r"\b(?:the|and|from|both|system|all|role|\d+)\b|[\W_]", "", said, flags=re.IGNORECASE)
        return bool(mentions or SYSTEM in text.lower()) and not small

    def _told(self, mode: Mode, content: str) -> Parties:
        """The parties as the first sentence that names somebody tells them, quoted speech left out."""
        told = _QUOTED.sub(self._without_speech, content)
        if not self.cast.mentions(told):
            told = content
        sentence = next((part for part in _SENTENCE.split(told) if self.cast.mentions(part)), "")
        mentions = self.cast.mentions(sentence)[:40]
        at = self._speaker_at(sentence, mentions)
        speakers = _joined(sentence, mentions[at:]) if at is not None else []
        if mode == "self-receiving":
            return self._received(sentence, speakers, mentions)
        names = self.cast.meant(speakers)
        name = names[0] if names else self._likely_speaker(sentence, mentions)
        after = mentions[at + len(speakers) :] if at is not None else mentions
        notes: tuple[str, ...] = () if len(names) == 1 and len(speakers) == 1 else (_SEVERAL if names else _NO_SPEAKER,)
        if speakers and _PASSIVE.match(sentence, speakers[-1].end):
            by = next((m for m in after if re.search(r"\bby\s+(?:the\s+)?$", sentence[: m.start])), None)
            notes, name, names = (_NO_SPEAKER,), (by.names[0] if by and by.names else self._somebody()), names or ()
        if any(self._acts_too(sentence, mention) for mention in after):
            notes = notes or (_SEVERAL,)
        if mode == "broadcast":
            return Parties(name, self.cast.but(name), not notes, notes)
        begin = speakers[-1].end if speakers else 0
        spoken, more = self._addressed(mode, sentence, begin, after, name)
        called = self._called(content, name) if not spoken else ()
        return self._counted(mode, name, spoken or called, (*notes, *more))

    def _without_speech(self, quoted: re.Match[str]) -> str:
        """Nothing for quoted speech, and what stands in the quotes where it is only a name."""
        said = next(part for part in quoted.groups() if part)
        return said if self.only_names(said) else " "

    def _speaker_at(self, sentence: str, mentions: Sequence[Mention]) -> int | None:
        """Which mention stands in the speaker's place: the first, or the first that acts behind a comma."""
        for index, mention in enumerate(mentions):
            lead = sentence[: mention.start]
            behind = lead[lead.rfind(",") + 1 :] if index or "," in lead else lead
            if mention.possessive or not _BEFORE_SPEAKER.fullmatch(behind):
                continue
            if behind == lead or _BEFORE_SPEAKER.fullmatch(lead):
                return index
            if _ACTS.match(sentence, mention.end):
                return index
        return None

    def _acts_too(self, sentence: str, mention: Mention) -> bool:
        """Tell whether somebody behind the speaker begins a clause of their own: `Ada asks, and Ben answers`."""
        lead = re.search(r"(?:,|;|\band|\bwhile|\bbut|[-–—→>])\s+(?:the\s+)?$", sentence[: mention.start])
        return bool(lead and not mention.possessive and _ACTS.match(sentence, mention.end))

    def _received(self, sentence: str, speakers: Sequence[Mention], mentions: Sequence[Mention]) -> Parties:
        """What comes from the system: who receives it stands first, or behind the system's verb."""
        names = self.cast.meant(speakers) if speakers and _RECEIVES.match(sentence, speakers[-1].end) else ()
        if not names and not speakers:
            groups = list(self._groups(sentence, 0, mentions))
            names = self.cast.meant(groups[0]) if groups else ()
        subjects = self.cast.of_kind("subject")
        return (
            Parties(SYSTEM, names) if names else Parties(SYSTEM, subjects, False, ("nobody is named as receiving it",))
        )

    def _addressed(
        self, mode: Mode, sentence: str, begin: int, after: Sequence[Mention], speaker: str
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Those whom the sentence tells something, and notes where that is not plain."""
        direct = [self.cast.meant(group, speaker) for group in self._groups(sentence, begin, after)]
        direct = [names for names in direct if names]
        if mode == "multicast":
            named = dict.fromkeys(name for names in direct for name in names)
            if not named:
                groups = [_joined(sentence, after[at:]) for at, m in enumerate(after) if not m.possessive]
                named = dict.fromkeys(max([(), *(self.cast.meant(group, speaker) for group in groups)], key=len))
            return tuple(named), ()
        if direct:
            return direct[-1], () if len(set(direct)) == 1 else (_TWO_CALLS,)
        others = [m for m in after if self.cast.meant([m], speaker)]
        named = dict.fromkeys(name for m in others for name in self.cast.meant([m], speaker))
        circumstance = any(_CIRCUMSTANCE.search(sentence[: m.start]) and not m.possessive for m in others)
        if len(named) == 1 and self.cast.kind(next(iter(named))) == "subject" and not circumstance:
            return tuple(named), ()
        return (), ()

    def _groups(self, sentence: str, begin: int, after: Sequence[Mention]) -> Iterator[list[Mention]]:
        """The first people told something in each predicate behind `begin`, with those joined to them."""
        starts = [begin, *(found.end() for found in _NEXT.finditer(sentence, begin))]
        speech = sentence.find(":", after[0].end) if after else -1
        for start, end in zip(starts, [*starts[1:], len(sentence)], strict=True):
            for index, mention in enumerate(after):
                if not start <= mention.start < (min(end, speech) if speech >= 0 else end):
                    continue
                if _told(sentence[start : mention.start], mention):
                    yield _joined(sentence, after[index:])
                    break
                if not mention.possessive:
                    break

    def _called(self, content: str, speaker: str) -> tuple[str, ...]:
        """Those whom quoted speech calls by name: `Ada and Ben, do you …?`, `Do you agree, Ada?`; the last ones."""
        called: tuple[str, ...] = ()
        for found in _QUOTED.finditer(content):
            said = next(part for part in found.groups() if part)
            mentions = self.cast.mentions(said)
            for at, mention in enumerate(mentions):
                group = _joined(said, mentions[at:])
                ends = re.match(r"\s*(?:[,.!?;:]|$)", said[group[-1].end :])
                if _CALL.search(said[: mention.start]) and ends and not group[-1].possessive:
                    called = self.cast.meant(group, speaker)
        return called

    def _counted(self, mode: Mode, speaker: str, names: tuple[str, ...], notes: tuple[str, ...]) -> Parties:
        """The parties, a note added where the number of receivers does not fit the mode."""
        if not names:
            return Parties(speaker, self._guess(mode, speaker), False, (*notes, NOBODY))
        if mode == "unicast" and len(names) > 1:
            notes = (*notes, f"it is called unicast but goes to {len(names)}")
        if mode == "multicast" and len(names) == 1:
            notes = (*notes, "it is called multicast but goes to one")
        return Parties(speaker, names, not notes, notes)

    def _likely_speaker(self, sentence: str, mentions: Sequence[Mention]) -> str:
        acting = (m.names[0] for m in mentions if m.names and not m.possessive and _ACTS.match(sentence, m.end))
        return next(acting, "") or next((m.names[0] for m in mentions if m.names), "") or self._somebody()

    def _somebody(self) -> str:
        return next(iter((*self.cast.of_kind("moderator"), *self.cast.names)), "")

    def _guess(self, mode: Mode, speaker: str) -> tuple[str, ...]:
        """Whom it is most likely said to."""
        if mode == "multicast":
            return self.cast.but(speaker)
        if self.cast.kind(speaker) == "subject" or not self.cast.of_kind("subject"):
            order = (self.spoke_to.get(speaker, ""), *self.cast.of_kind("moderator", "confederate"), *self.cast.names)
        else:
            order = (*self.cast.of_kind("subject"), *self.cast.names)
        return tuple(name for name in order if name and name != speaker)[:1]


def _told(between: str, mention: Mention) -> bool:
    """Tell whether somebody is told something, from the words of the predicate before the mention."""
    if mention.possessive:
        return bool(_MEETS.search(between))
    if found := _TO.search(between):
        word = (found["word"] or "").lower()
        return not word.startswith("in ") and word not in (_NOT_WITH if found["to"] == "with" else _NOT_TO)
    verb = re.search(r"([a-z]+)\s+(?:(?:both|the|each|all|for|of)\s+)*$", between)
    if not verb:
        return False
    bare = (verb[1], verb[1].removesuffix("s"), verb[1].removesuffix("es"), re.sub("ies$", "y", verb[1]))
    return any(word in _TELLS for word in bare)


def _joined(sentence: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The first mention and those joined to it by commas and `and`."""
    group = list(mentions[:1])
    for mention in mentions[1:]:
        if mention.possessive or group[-1].possessive or not _JOINED.fullmatch(sentence[group[-1].end : mention.start]):
            break
        group.append(mention)
    return group


def _sides(text: str) -> tuple[str, str]:
    """What stands before and behind an arrow, or before a colon (`Cleo to Ada: …`, `Cleo: …`)."""
    left, *right = ARROW.split(text, maxsplit=1)
    if right:
        return re.split(r"[,:|()\[\]]", left)[-1], re.split(r"[:|()\[\]]|\s[-–—]\s|$", right[0], maxsplit=1)[0]
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


def strangers_of(texts: Sequence[str], fields: Mapping[str, str], judge: Judge) -> Iterator[tuple[str, str]]:
    """Each one who stands beside an arrow or in a field and is no role, and what they do (`starts`, `receives`)."""
    for text in texts:
        left, right = _sides(text) if ARROW.search(text) else ("", "")
        if left and judge.only_names(left):
            yield from ((name, "receives") for name in _strangers(right, judge.cast))
        elif right and judge.only_names(right):
            yield from ((name, "starts") for name in _strangers(left, judge.cast))
    for key, does in (("initiator", "starts"), ("receivers", "receives")):
        yield from ((name, does) for name in _strangers(fields.get(key, ""), judge.cast))


def _strangers(names: str, cast: Cast) -> Iterator[str]:
    for part in () if _NO_NAME.match(names) else re.split(r"\s*(?:[,;/&]|\band\b)\s*", names.strip(" .([")):
        known = cast.mentions(part) or nouns_in(part) or mode_in(part) or only_label_words(part)
        if _PERSON.fullmatch(part) and not _NO_NAME.match(part) and not known:
            yield part
