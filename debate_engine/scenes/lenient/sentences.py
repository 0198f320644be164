"""Finds in a rule's sentence who speaks and who is spoken to, where that is plain.

Plain is: one speaker at the sentence's beginning (or behind the comma of what is told first) who does something `to` or
`with` somebody or `tells` somebody; somebody called by name in quoted speech; or only the subject named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

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
    r"\s*(?:,|&|/|,?\s*(?:and|as well as|then))\s*(?:(?:\w+wards|then)\s+)?(?:to\s+|with\s+)?(?:the\s+|both\s+)?",
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
    rf"\s+{_ADVERBS}(?:receiv|gets?\b|access|hear|learn|view|review|obtain|sees?\b|reads?\b"
    rf"|(?:is|are|was|were)\s+{_ADVERBS}\w+(?:ed|en|ld|nt|wn)\b(?!\s+to\s+(?:the\s+)?_))"
)
_FROM_SOMEBODY = re.compile(r"\b(?:by|from)\s+(?:the\s+)?$")
_NEXT = re.compile(
    rf"(?:,?\s+(?:and|but|then)|[,;])\s+{_ADVERBS}(?=[a-z]{{2,}}s\b(?<!\bas)(?<!\bhis)(?<!\bits)(?<!\bthis))"
)
"""Where another predicate of the same speaker begins."""
_TELLS = word_set(
    """
    tell ask inform remind invite urge instruct prompt request advise encourage persuade convince challenge confront
    question answer thank warn welcome greet assure reassure beg press order direct brief update notify address
    correct contradict guide engage push pressure tempt query interview give hand send offer show counter sway
    tease messages get interrupt name inquire suggest
    """
)
"""Verbs whose object is spoken to: `tells Ada`."""
_SAYS = _TELLS | word_set(
    """
    share present communicate provide introduce respond reply suggest explain submit comment discuss convey propose
    express cite disagree agree use make set reference say state describe report write message whisper mention announce
    repeat read pass forward praise compliment joke tease laugh chat talk speak argue debate object confirm recommend
    inquire request apologize justify elaborate clarify summarize reveal hint negotiate add place speculate lie reflect
    turn turning check follow lean wink nod remark want doubt message try
    continue start begin go wrap get conclude react refer quote return deliver pose stress explore
    """
)
"""Verbs with which a speaker may say something to somebody; behind any other nobody is plainly spoken to."""
_OF_THEIRS = word_set("challenge confront counter question query praise compliment ask request")
"""Verbs whose object may be something of the one who is spoken to: `challenges Ada's choice`."""
_ON_THEIRS = _OF_THEIRS | word_set(
    "inquire propose introduce present offer provide comment discuss cite suggest show make place speculate express"
)
"""Verbs behind which it may be further away: `comments on Ada's choice`."""
_ELSE = re.compile(
    r"\b(?:tell|inform|remind|invite|urge|instruct|advise|encourage|persuade|convince|warn|welcome|greet|thank|notify)s?\s+"
    r"(?!(?:about|of|for|that|to)\b|(?:(?:the|both|each|all)\s|[\[(])*(?:_|$))"
    r"|\b(?:ask|show|give|hand|send)s?\s+(?:an?|the|his|her|their)\s+\w+\s+(?:an?|the|what|how|why)\b"
    r"|\b(?:to|with)\s+(?:an?|his|her|their|another|some\w*)\s|\bto the \w+\s+(?:about|that|what|how)\b"
    r"|\basks?\s+(?:an?|his|her|their)\s+\w+\s+for\b|\bfrom (?:an?|the|his|her) \w+\W*$|\bwants? to\b|\bnothing\b"
    r"|\b(?:that|what|who|why|how|whether)\b.*\b(?:to|with)\s+(?:the )?$|[a-z,]\s+(?!I\b)[A-Z][a-z]"
)
"""Somebody who is no role, told something behind the speaker: then it is not plain whom else it is said to."""
_GOES_ON = re.compile(
    r"\s*,?\s*(?:or\b|and\s+(?:an?\s|the\s|his\s|her\s|their\s|some|[A-Z]))|\s+as\s|\s+to\s+(?:the\s+)?_"
)
"""What makes those behind whom it stands not all, or not those, who are spoken to."""
_SAID_OF = re.compile(r"\b(?:about|of|against|on|like|than|by)\s+(?:(?:both|the|each|all)\s+)*$")
_THEIRS = re.compile(r"~|\bfrom (?:the )?_|(?<!that)(?<!whether)(?<!how)(?<!why)\s(?:the )?_+ is \w+ing\b")
"""Something of somebody's: `Ada's offer`, `an answer from Ada`, `the item Ada is selling`."""
_MUTUAL = re.compile(r"\bvice versa\b|\b(?:each|one an)other\b|\beach other\b|,\s+who\s+(?!is|was|has)\w+s\b")
_TO = re.compile(
    r"(?P<word>(?:in )?[\w-]+)\s+(?P<to>to|with)\s+(?:(?:both|the|each|all)\s+)*$|\btargeting\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_NOT_TO = word_set("according similar compared relative due related prior contrary next close discussion conversation")
"""What `to` and `with` belong to where nobody is spoken to."""
_MEETS = re.compile(r"\b(?:respond|repl[yi]|react|agree|disagree|object|appeal)\w*\s+(?:to|with)\s+(?:the\s+)?$")
"""Verbs that answer somebody in what is theirs: `responds to Ada's offer`."""
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
    """The first sentence of a rule that names somebody, quoted speech left out, and who is named in it.

    `words` is its text with `_` for every letter of a mention, `~` where it is possessive.
    """

    def __init__(self, content: str, cast: Cast) -> None:
        def spoken(quoted: re.Match[str]) -> str:
            return quoted[0][1:-1] if only_names(quoted[0], cast) else " "

        told = _QUOTED.sub(spoken, content)
        told = told if cast.mentions(told) else content
        self.content, self.cast = content, cast
        self.text = next((part for part in _SENTENCE.split(told) if cast.mentions(part)), "")
        self.mentions = cast.mentions(self.text)[:_MOST]
        self.words = self.text
        for named in self.mentions:
            blank = ("~" if named.possessive else "_") * (named.end - named.start)
            self.words = f"{self.words[: named.start]}{blank}{self.words[named.end :]}"
        at = self._speaker_at()
        self.speakers = _joined(self.text, self.mentions[at:]) if at is not None else []
        self.after = self.mentions[(at or 0) + len(self.speakers) :]
        self.begins = self.speakers[-1].end if self.speakers else 0

    def speaker(self) -> tuple[str, tuple[str, ...]]:
        """Who speaks, and a note where that is not plain: the likeliest then, "" where nobody is named."""
        names = self.cast.names_meant(self.speakers)
        if not names or _PASSIVE.match(self.text, self.begins):
            acting = [m for m in self.mentions if m not in self.speakers and _ACTS.match(self.text, m.end)]
            named = (m.names[0] for m in (*acting, *self.mentions) if m.names and not m.possessive)
            return next(named, ""), (NO_SPEAKER,)
        each = re.search(r"\b(?:each|every|both)\b", self.text[: self.speakers[0].start], re.IGNORECASE)
        others = len(names) > 1 or len(self.speakers) > 1 or any(self._acts_too(mention) for mention in self.after)
        several = others or each or _MUTUAL.search(self.text, self.begins)
        return names[0], (SEVERAL,) if several else ()

    def receivers(self) -> tuple[str, ...]:
        """Who receives what comes from the system: who stands first and receives, or whom the system tells it."""
        if self.speakers:
            other = any(_FROM_SOMEBODY.search(self.text[: m.start]) for m in self.after)
            plain = _RECEIVES.match(self.words, self.begins) and not other
            return self.cast.names_meant(self.speakers) if plain else ()
        return next((self.cast.names_meant(group) for group in self._told()), ())

    def addressed(self, mode: Mode, speaker: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Those whom the speaker tells something (none where that is not plain), and a note where it is two in turn."""
        told = [names for group in self._told() if (names := self.cast.names_meant(group, speaker))]
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
        more = (found.end() for found in _NEXT.finditer(self.text, self.begins))
        starts = [self.begins, *(at for at in more if _says(self.text[at:]))]
        speech = self.text.find(":", self.after[0].end) if self.after else -1
        ends = [*starts[1:], len(self.text)]
        for start, end in zip(starts, ends if speech < 0 else [min(end, speech) for end in ends], strict=True):
            within = [index for index, mention in enumerate(self.after) if start <= mention.start < end]
            for index in within:
                group = _joined(self.text, self.after[index:])
                if self._is_told(start, group):
                    yield group
                if not self.after[index].possessive or index == within[-1]:
                    break

    def _is_told(self, start: int, group: Sequence[Mention]) -> bool:
        """Tell whether a group, and nobody else, is told something by the predicate that begins at `start`."""
        said = self.words[start : group[0].start]
        plain = not self.speakers or (_says(said) and not _ELSE.search(said))
        return plain and _is_object(said, group[0]) and not _GOES_ON.match(self.words, group[-1].end)

    def _together(self, speaker: str) -> tuple[str, ...]:
        """The largest group that is named together behind the speaker."""
        groups = [_joined(self.text, self.after[at:]) for at, m in enumerate(self.after) if not m.possessive]
        named: list[tuple[str, ...]] = [()]
        for group in groups if _says(self.words[self.begins :]) else []:
            of = _SAID_OF.search(self.words[self.begins : group[0].start])
            named += [] if of or _GOES_ON.match(self.words, group[-1].end) else [self.cast.names_meant(group, speaker)]
        return max(named, key=len)

    def _subject_alone(self, speaker: str) -> tuple[str, ...]:
        """The subject, if something of theirs is spoken of and nobody else, and not only meanwhile."""
        said = self.words[self.begins :]
        others = [mention for mention in self.after if self.cast.names_meant([mention], speaker)]
        verbs = _OF_THEIRS if re.match(rf"\s+{_ADVERBS}[a-z]+ (?:the )?~", said) else _ON_THEIRS
        plain = _says(said, verbs) and _THEIRS.search(said) and not _ELSE.search(said)
        named = self.cast.names_meant(others, speaker) if plain else ()
        return named if len(named) == 1 and named[0] in self.cast.of_kind("subject") else ()

    def _called(self, speaker: str) -> tuple[str, ...]:
        """Those whom quoted speech calls by name: `Ada and Ben, do you …?`, `Do you agree, Ada?`; the last ones."""
        called: tuple[str, ...] = ()
        if self.cast.names_meant(self.after, speaker):
            return ()  # the words may be somebody else's
        for found in _QUOTED.finditer(self.content):
            said = found[0][1:-1]
            mentions = self.cast.mentions(said)
            for at, mention in enumerate(mentions):
                group = _joined(said, mentions[at:])
                ends = re.match(r"\s*(?:[,.!?;:]|$)", said[group[-1].end :])
                if _CALL.search(said[: mention.start]) and ends and not group[-1].possessive:
                    called = self.cast.names_meant(group, speaker)
        return called


def _is_object(between: str, mention: Mention) -> bool:
    """Tell whether somebody is told something, from the words of the predicate before the mention."""
    if mention.possessive:
        return bool(_MEETS.search(between))
    if found := _TO.search(between):
        return (found["word"] or "").lower() not in _NOT_TO
    verb = re.search(r"([a-z]+)\s+(?:(?:both|the|each|all|(?<=asks )for)\s+)*[\[(]?$", between)
    return bool(verb and _bare(verb[1].removesuffix("ing")) & _TELLS)


def _says(predicate: str, verbs: Collection[str] = _SAYS) -> bool:
    """Tell whether a predicate begins with one of these verbs, with which something can be said."""
    verb = re.match(rf"[\W_]*{_ADVERBS}([a-z]+)", predicate)
    return bool(verb and _bare(verb[1]) & set(verbs))


def _bare(verb: str) -> set[str]:
    """What a verb may be without its ending."""
    return {verb, verb.removesuffix("s"), verb.removesuffix("es"), re.sub("ies$", "y", verb)}


def _joined(sentence: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The first mention and those joined to it by commas and `and`."""
    group = list(mentions[:1])
    for mention in mentions[1:]:
        if mention.possessive or group[-1].possessive or not _JOINED.fullmatch(sentence[group[-1].end : mention.start]):
            break
        group.append(mention)
    return group
