"""Finds in a rule's sentence who speaks and who is spoken to, where that is plain.

Plain is: one speaker at the sentence's beginning (or behind the comma of what is told first) who does something `to` or
`with` somebody or `tells` somebody; somebody called by name in quoted speech; or only the subject named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from elenchus.debate_engine.scenes.lenient.cast import Cast, Mention
from elenchus.debate_engine.scenes.lenient.words import word_set
from elenchus.debate_engine.scenes.scene import SYSTEM, Mode

NO_SPEAKER = "nobody is named as speaking: the likeliest is taken"
SEVERAL = "more than one speaks: the first named begins"
_TWO_CALLS = "two are spoken to one after the other: the last is taken"
_MOST = 40
"""More mentions than any rule's sentence has: behind them nobody is looked for."""
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
_BEGINS_A_CLAUSE = re.compile(r"(?:,|;|\band|\bwhile|\bbut|[-–—→>])\s+(?:the\s+)?$")
_CALL = re.compile(r"(?:^|[.!?…,;]\s+|^(?:so|well|thank you|now|hello|dear)\s+)$", re.IGNORECASE)


def only_names(text: str, cast: Cast) -> bool:
    """Tell whether a text names somebody of the cast, or the system, and says nothing else."""
    said, mentions = text, cast.mentions(text)
    for mention in reversed(mentions):
        said = f"{said[: mention.start]} {said[mention.end :]}"
    more = re.sub(r"\b(?:the|and|from|both|system|all|role|\d+)\b|[\W_]", "", said, flags=re.IGNORECASE)
    return bool(mentions or SYSTEM in text.lower()) and not more


class Sentence:
    """The first sentence of a rule that names somebody, quoted speech left out, and who is named in it."""

    def __init__(self, content: str, cast: Cast) -> None:
        def spoken(quoted: re.Match[str]) -> str:
            return quoted[0][1:-1] if only_names(quoted[0], cast) else " "

        told = _QUOTED.sub(spoken, content)
        told = told if cast.mentions(told) else content
        self.content, self.cast = content, cast
        self.text = next((part for part in _SENTENCE.split(told) if cast.mentions(part)), "")
        self.mentions = cast.mentions(self.text)[:_MOST]
        at = self._speaker_at()
        self.speakers = _joined(self.text, self.mentions[at:]) if at is not None else []
        self.after = self.mentions[(at or 0) + len(self.speakers) :]
        self.begins = self.speakers[-1].end if self.speakers else 0

    def speaker(self) -> tuple[str, tuple[str, ...]]:
        """Who speaks, and a note where that is not plain: the likeliest then, "" where nobody is named."""
        names = self.cast.meant(self.speakers)
        if not names or _PASSIVE.match(self.text, self.begins):
            acting = [m for m in self.mentions if m not in self.speakers and _ACTS.match(self.text, m.end)]
            named = (m.names[0] for m in (*acting, *self.mentions) if m.names and not m.possessive)
            return next(named, ""), (NO_SPEAKER,)
        several = len(names) > 1 or len(self.speakers) > 1 or any(self._acts_too(mention) for mention in self.after)
        return names[0], (SEVERAL,) if several else ()

    def receivers(self) -> tuple[str, ...]:
        """Who receives what comes from the system: who stands first and receives, or whom the system tells it."""
        if self.speakers:
            return self.cast.meant(self.speakers) if _RECEIVES.match(self.text, self.begins) else ()
        return next((self.cast.meant(group) for group in self._told()), ())

    def addressed(self, mode: Mode, speaker: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Those whom the speaker tells something (none where that is not plain), and a note where it is two in turn."""
        told = [names for group in self._told() if (names := self.cast.meant(group, speaker))]
        if mode == "multicast" and told:
            return tuple(dict.fromkeys(name for names in told for name in names)), ()
        if told:
            return told[-1], () if len(set(told)) == 1 else (_TWO_CALLS,)
        if called := self._called(speaker):
            return called, ()
        return self._together(speaker) if mode == "multicast" else self._subject_alone(speaker), ()

    def _speaker_at(self) -> int | None:
        """Which mention stands in the speaker's place: the first, or the first that acts behind a comma."""
        for index, mention in enumerate(self.mentions):
            lead = self.text[: mention.start]
            first = index == 0 and _BEFORE_SPEAKER.fullmatch(lead)
            behind_a_comma = "," in lead and _BEFORE_SPEAKER.fullmatch(lead[lead.rfind(",") + 1 :])
            if not mention.possessive and (first or (behind_a_comma and _ACTS.match(self.text, mention.end))):
                return index
        return None

    def _acts_too(self, mention: Mention) -> bool:
        """Tell whether somebody behind the speaker begins a clause of their own: `Ada asks, and Ben answers`."""
        lead = _BEGINS_A_CLAUSE.search(self.text[: mention.start])
        return bool(lead and not mention.possessive and _ACTS.match(self.text, mention.end))

    def _told(self) -> Iterator[list[Mention]]:
        """The first people told something in each predicate behind the speaker, with those joined to them."""
        starts = [self.begins, *(found.end() for found in _NEXT.finditer(self.text, self.begins))]
        speech = self.text.find(":", self.after[0].end) if self.after else -1
        ends = [*starts[1:], len(self.text)]
        for start, end in zip(starts, ends if speech < 0 else [min(end, speech) for end in ends], strict=True):
            within = [index for index, mention in enumerate(self.after) if start <= mention.start < end]
            for index in within:
                if _is_told(self.text[start : self.after[index].start], self.after[index]):
                    yield _joined(self.text, self.after[index:])
                if not self.after[index].possessive or index == within[-1]:
                    break

    def _together(self, speaker: str) -> tuple[str, ...]:
        """The largest group that is named together behind the speaker."""
        groups = [_joined(self.text, self.after[at:]) for at, m in enumerate(self.after) if not m.possessive]
        named: list[tuple[str, ...]] = [(), *(self.cast.meant(group, speaker) for group in groups)]
        return max(named, key=len)

    def _subject_alone(self, speaker: str) -> tuple[str, ...]:
        """The subject, if nobody else is named behind the speaker, and not only for what happens meanwhile."""
        others = [mention for mention in self.after if self.cast.meant([mention], speaker)]
        named = self.cast.meant(others, speaker)
        meanwhile = any(_CIRCUMSTANCE.search(self.text[: m.start]) and not m.possessive for m in others)
        return named if len(named) == 1 and named[0] in self.cast.of_kind("subject") and not meanwhile else ()

    def _called(self, speaker: str) -> tuple[str, ...]:
        """Those whom quoted speech calls by name: `Ada and Ben, do you …?`, `Do you agree, Ada?`; the last ones."""
        called: tuple[str, ...] = ()
        for found in _QUOTED.finditer(self.content):
            said = found[0][1:-1]
            mentions = self.cast.mentions(said)
            for at, mention in enumerate(mentions):
                group = _joined(said, mentions[at:])
                ends = re.match(r"\s*(?:[,.!?;:]|$)", said[group[-1].end :])
                if _CALL.search(said[: mention.start]) and ends and not group[-1].possessive:
                    called = self.cast.meant(group, speaker)
        return called


def _is_told(between: str, mention: Mention) -> bool:
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
