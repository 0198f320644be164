"""Decides who speaks to whom in a rule, from its mode and its sentence, and says whether that is clear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from debate_engine.scenes.lenient.clauses import Clause, clause_of, doer, joined_after, joined_before, receives
from debate_engine.scenes.lenient.mentions import Cast, Mention
from debate_engine.scenes.lenient.predicates import DIRECTLY, TOLD_OF, Spoken, spoken_to
from debate_engine.scenes.lenient.referents import referents
from debate_engine.scenes.lenient.speech import narrated
from debate_engine.scenes.lenient.told_of import meets
from debate_engine.scenes.lenient.vocabulary import any_case, before_somebody, one_of
from debate_engine.scenes.scene import SYSTEM, Mode

_TO = before_somebody(r"(?:\b(?:to|for|at)|→|->)")
_FRONTED = before_somebody(
    r"(?:\b(?:to|for|at)|→|->|^in\s+[\w\s-]{1,40}\b(?:chat|conversation|talk|call|exchange|word|meeting)\s+with)"
)
"""What stands before those who are spoken to, where they stand first: `To Ada, Ben says …`."""
_PRONOUN = re.compile(
    r"^\s+(?:(?:\w+ly|would|will|may|can|should|then|also)\s+)*\w+\s+(?:him|her|them)\b|\b(?:to|with|at)\s+(?:him|her|them)\b"
)
"""A verb and whom it is about, named before: `If Ada waits, Ben urges her …`."""
_THEIRS = re.compile(r"\s+(?:\w+ly\s+)?\w+\s+(?:(?:on|to|with|at|about|against)\s+)?(?:his|her|their|this|that)\b")
_TOGETHER = re.compile(
    r"^\s+(?:\w+ly\s+|then\s+|both\s+|all\s+)*(?:discuss|debate|exchange|talk|converse|argue|compare|negotiate|deliberate|chat|haggle"
    r"|bargain|confer|consult)\b|\b(?:each other|one another|together|among themselves|between them\w*)\b",
    re.IGNORECASE,
)
"""How several do what they do with each other."""
_WHOSE = before_somebody(r"\b", one_of("of about from by with on regarding against than"))
"""What stands before those whom something is about, or from whom it is."""
_CALLED_UNICAST = "it is called unicast but goes to"
NOBODY = "nobody is named as spoken to: the likeliest is taken"
_A_PRONOUN = "only a pronoun speaks: the likeliest is taken"
_SOMEBODY = re.compile(
    r"^\W*(?:(?:then|afterwards?|next|later|otherwise|finally|again|now|instead"
    r"|after that|in (?:turn|response|reply|return))\b\W*)?(?P<who>s?he|they)\s+(?=[a-z])",
    re.IGNORECASE,
)
"""A pronoun in the speaker's place."""
_SEVERAL = "more than one speaks: the first named begins"
_AND = any_case(r"\s*(?:,|,?\s*and|&)\s*(?:the\s+)?")
ARROW = r"\s*(?:→|⇒|➔|->|=>|–>|—>)\s*"
"""What stands between who speaks and who is spoken to."""


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
    last: tuple[str, ...] = ()

    def decide(self, mode: Mode, content: str, label: str = "") -> Parties:
        """The parties of the next rule. `label` may name them too (`Unicast, Ada → Ben`)."""
        found = self._arrow(label) or self._arrow(content[:120])
        parties = self._explicit(mode, found) if found else self._told(mode, content)
        if not found and not parties.clear and label:
            parties = self._with_label(mode, label, content, parties)
        if mode != "self-receiving":
            for name in parties.receivers:
                self.spoke_to[name] = parties.initiator
        self.last = (*(name for name in (parties.initiator,) if name != SYSTEM), *parties.receivers)
        return parties

    def _told(self, mode: Mode, content: str) -> Parties:
        """The parties as the sentence tells them, speech left out and a pronoun that speaks made a name."""
        told, called = narrated(content, self.cast)
        who = _SOMEBODY.match(told)
        named = self._all_named((m for m in self.cast.mentions(told) if not m.possessive), mode, ()) if who else ()
        order = sorted(self.last, key=lambda name: self.cast.kind(name) == "moderator")
        likely = next((name for name in order if who and name not in named), "")
        if who and likely:
            told = f"{told[: who.start('who')]}{likely}{told[who.end('who') :]}"
        parties = self._by_mode(mode, replace(clause_of(told, self.cast), called=called))
        return replace(parties, clear=False, notes=(*parties.notes, _A_PRONOUN)) if who and likely else parties

    def _by_mode(self, mode: Mode, clause: Clause) -> Parties:
        if mode == "self-receiving":
            return self._received(clause)
        speaker, notes = self._speaker(clause)
        alone = not notes
        if mode == "broadcast":
            return Parties(speaker, self.cast.but(speaker), alone, notes)
        receivers, more = self._addressees(mode, clause, speaker)
        clear = alone and bool(receivers) and all(note.startswith(_CALLED_UNICAST) for note in more)
        return Parties(speaker, receivers, clear, (*notes, *more))

    def _received(self, clause: Clause) -> Parties:
        """What comes from the system: whoever stands first in the sentence gets it."""
        names = self._all_named(self._getting(clause), "self-receiving", ())
        if names and clause.speaks and not clause.passive and self.cast.kind(names[0]) == "moderator":
            direct = [mention for each in spoken_to(clause) if each.rank < 6 for mention in each.mentions]
            told = self._all_named(direct, "multicast", (names[0],))
            names = told if any(self.cast.kind(name) == "subject" for name in told) else names
        if names:
            return Parties(SYSTEM, names)
        subjects = self.cast.of_kind("subject")
        return Parties(SYSTEM, subjects, clear=False, notes=("nobody is named as receiving it",))

    def _getting(self, clause: Clause) -> Sequence[Mention]:
        """Who gets it: whoever is named first, unless that only tells whose or what it is."""
        first = next(iter(clause.speakers), None)
        if first is None or clause.speaks or clause.passive:
            return clause.speakers
        whose = first.possessive or bool(_WHOSE.search(clause.text[: first.start]))
        to = [m for m in clause.after if _TO.search(clause.text[: m.start]) and not m.possessive][:1]
        if not (whose or first.group) or (not to and first.group == "" and len(first.names) == 1):
            return clause.speakers
        joined = [each for group in joined_after(clause) if to and to[0] in group for each in group]
        return joined or (() if whose else clause.speakers)

    def _speaker(self, clause: Clause) -> tuple[str, tuple[str, ...]]:
        """The initiator, and notes where the sentence does not name exactly one."""
        if clause.passive:
            by = doer(clause)
            if by and any(len(group) > 1 for group in joined_after(clause) if group[0] is by):
                return by.names[0], (_SEVERAL,)
            if by and len(by.names) == 1:
                return by.names[0], ()
            names = self._all_named(clause.speakers, "unicast", ())
            return names[0] if names else self._somebody(), ("nobody is named as speaking",)
        if not clause.speaks or not clause.speakers:
            by = doer(clause)
            if by and len(by.names) == 1:
                return by.names[0], ()
            first = next((m.names[0] for m in (*clause.speakers, *clause.after) if m.names), "")
            return first or self._somebody(), ("nobody is named as speaking",)
        names = self._all_named(clause.speakers, "multicast", ())
        if receives(clause):
            return names[0] if names else self._somebody(), ("nobody is named as speaking",)
        if len(names) != 1 or any(mention.group in ("all", "rest") for mention in clause.speakers):
            return names[0] if names else self._somebody(), (_SEVERAL,)
        return names[0], ()

    def _somebody(self) -> str:
        return next(iter((*self.cast.of_kind("moderator"), *self.cast.names)), "")

    def _addressees(self, mode: Mode, clause: Clause, speaker: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The receivers of a unicast or multicast, and notes where the sentence names none."""
        spoken = [each for each in spoken_to(clause) if self._all_named(each.mentions, mode, (speaker,))]
        heard = [each for each in spoken if not self._only_told_of(each, mode, speaker)]
        if beside := self._beside(mode, clause, speaker):
            told = [each for each in heard if each.rank <= DIRECTLY and not each.hears]
            return self._chosen(mode, clause, speaker, told) if told else (beside, ())
        if (clause.passive or not clause.speaks) and doer(clause):
            to = [mention for mention in clause.after if _TO.search(clause.text[: mention.start])]
            named = to if to and not clause.speaks and not clause.passive else clause.speakers
            return self._all_named(named, mode, (speaker,)), ()
        called = self._all_named(clause.called, mode, (speaker,))
        if called and not any(each.rank <= DIRECTLY and not each.hears for each in heard):
            return called, (f"{_CALLED_UNICAST} {len(called)}",) if mode == "unicast" and len(called) > 1 else ()
        if heard:
            return self._chosen(mode, clause, speaker, heard)
        earlier = self._all_named(clause.before, mode, (speaker,))
        if earlier and _FRONTED.search(clause.text[: clause.before[0].start]) and joined_before(clause):
            return earlier, (f"{_CALLED_UNICAST} {len(earlier)}",) if mode == "unicast" and len(earlier) > 1 else ()
        does = clause.text[clause.start :]
        if len(earlier) == 1 and (_PRONOUN.search(does) or (meets(does) and _THEIRS.match(does))):
            return earlier, ()
        return self._guess(mode, clause, speaker), (NOBODY,)

    def _beside(self, mode: Mode, clause: Clause, speaker: str) -> tuple[str, ...]:
        """Those who speak along with the speaker, if they speak to each other where nobody else is spoken to."""
        names = tuple(name for name in self._all_named(clause.speakers, mode, ()) if name != speaker)
        if len(clause.speakers) > 1:
            loose = any(mention.group in ("all", "rest") for mention in clause.speakers)
            taking_part = tuple(name for name in names if self.cast.kind(name) != "moderator")
            return (loose and taking_part) or names
        together = clause.speaks and not clause.passive and _TOGETHER.search(clause.text[clause.start :])
        return names if mode == "unicast" and len(names) == 1 and together else ()

    def _only_told_of(self, each: Spoken, mode: Mode, speaker: str) -> bool:
        """Tell whether people are named but not met, and neither they nor the speaker are a subject."""
        kinds = {self.cast.kind(name) for name in (speaker, *self._all_named(each.mentions, mode, (speaker,)))}
        return each.rank >= TOLD_OF and "subject" not in kinds

    def _chosen(
        self, mode: Mode, clause: Clause, speaker: str, spoken: list[Spoken]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The receivers among those named after the speaker, and notes where several may be meant."""
        named = {id(each): self._all_named(each.mentions, mode, (speaker,)) for each in spoken}
        main = [each for each in spoken if each.part >= 0] or spoken
        best = min(main, key=lambda each: (each.rank, each.part, each.mentions[0].start))
        names = named[id(best)]
        if mode != "unicast":
            alone = len(names) == 1
            all_told = [each for each in main if each is best or (alone and each.rank <= DIRECTLY)]
            names = tuple(dict.fromkeys(name for each in all_told for name in named[id(each)]))
            return names, () if len(names) > 1 else ("it is called multicast but goes to one",)
        directly = [each for each in main if each.rank <= DIRECTLY]
        told = [each for each in directly if not each.hears] or directly
        last = min((e for e in told if e.part == told[-1].part), key=lambda e: e.rank) if told else best
        if len({named[id(each)] for each in told if each.part != last.part} | {named[id(last)]}) > 1:
            return named[id(last)], ("two are spoken to one after the other: the last is taken",)
        best, names = (last, named[id(last)]) if best.hears else (best, names)
        everybody = {name for each in spoken for name in named[id(each)]}
        if best.rank >= 6 and len(everybody) > len(names):
            return names, ("nobody is clearly spoken to: the first one named is taken",)
        if best.mentions[0].group and best.rank >= 6:
            return self._guess(mode, clause, speaker), (NOBODY,)
        if len(names) > 1:
            group = any(mention.group for mention in best.mentions)
            return names, ("it is called unicast but names a group",) if group else (f"{_CALLED_UNICAST} {len(names)}",)
        return names, ()

    def _guess(self, mode: Mode, clause: Clause, speaker: str) -> tuple[str, ...]:
        """Whom it is most likely said to."""
        if mode == "multicast":
            return self.cast.but(speaker)
        if named := self._all_named(clause.before, mode, (speaker,)):
            return named[:1]
        if self.cast.kind(speaker) == "subject" or not self.cast.of_kind("subject"):
            order = (self.spoke_to.get(speaker, ""), *self.cast.of_kind("moderator", "confederate"), *self.cast.names)
        else:
            order = (*self.cast.of_kind("subject"), *self.cast.names)
        return tuple(name for name in order if name and name != speaker)[:1]

    def _all_named(self, mentions: Iterable[Mention], mode: Mode, but: tuple[str, ...]) -> tuple[str, ...]:
        return referents(self.cast, mentions, mode, but)

    def _arrow(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Initiator and receivers of `Ada → Ben`."""
        parts = re.split(ARROW, text, maxsplit=1)
        if len(parts) < 2:
            return None
        left = self.cast.mentions(parts[0])
        if left and re.match(r"\s+[a-z]{2,}s\s", parts[0][left[-1].end :]):
            return None  # a condition: `Ada declines → Ben insists`
        head = re.split(r"[:：|]", parts[1], maxsplit=1)[0]
        right = self.cast.mentions(head)
        speaker = left[-1].names if left else (SYSTEM,) if "system" in parts[0].lower() else ()
        receivers = self._all_named(right, "multicast", speaker)
        return (speaker, receivers) if speaker and receivers else None

    def _with_label(self, mode: Mode, label: str, content: str, parties: Parties) -> Parties:
        """What a label (`Unicast from Ada to Ben`, `Moderator, broadcast`) adds to a sentence that is not clear."""
        found = [mention for mention in self.cast.mentions(label) if mention.names and not mention.possessive]
        if not found:
            return parties
        if mode == "self-receiving":
            return Parties(SYSTEM, self._all_named(found, mode, ()))
        to = [one for one in found if _TO.search(label[: one.start]) or _is_joined(label, one, found)] or found[1:]
        speaks = [mention for mention in found if mention not in to]
        clause = clause_of(content, self.cast)
        stated = clause.speaks and not clause.passive
        speaker = parties.initiator if stated or not speaks else speaks[0].names[0]
        receivers = self._all_named(to, "multicast", (speaker,)) if to else ()
        if mode == "broadcast":
            return Parties(speaker, self.cast.but(speaker), bool(speaks) and not stated, ())
        if not receivers and not stated and speaks:
            receivers = self._all_named(clause.speakers + clause.after, mode, (speaker,))
        if not receivers:
            likely = tuple(name for name in parties.receivers if name != speaker)
            receivers = likely or self._guess(mode, clause, speaker)
            return Parties(speaker, receivers, clear=False, notes=parties.notes)
        return Parties(speaker, receivers, bool(speaks) or stated)

    def _explicit(self, mode: Mode, found: tuple[tuple[str, ...], tuple[str, ...]]) -> Parties:
        speaker, receivers = found
        if mode == "self-receiving":
            return Parties(SYSTEM, receivers if speaker == (SYSTEM,) else speaker)
        if mode == "broadcast":
            return Parties(speaker[0], self.cast.but(speaker[0]), len(speaker) == 1)
        return Parties(speaker[0], receivers, len(speaker) == 1)


def _is_joined(label: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Tell whether a label's `and` or comma joins somebody to those whom it names as spoken to."""
    before = [other for other in others if other.end <= mention.start]
    if not before or not _AND.fullmatch(label[before[-1].end : mention.start]):
        return False
    return bool(_TO.search(label[: before[-1].start])) or _is_joined(label, before[-1], before)


def without_parties(content: str) -> str:
    """The content without `Ada → Ben:` in front of it."""
    return re.sub(rf"^[^:：]{{1,60}}?{ARROW}[^:：|]{{1,60}}[:：|]\s*(?=\S)", "", content)
