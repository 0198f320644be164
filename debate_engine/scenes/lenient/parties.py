"""Decides who speaks to whom in a rule, from its mode and its sentence, and says whether that is clear."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from debate_engine.scenes.lenient.clauses import Clause, clause_of, doer, joined_after, receives
from debate_engine.scenes.lenient.mentions import Cast, Mention
from debate_engine.scenes.lenient.predicates import DIRECTLY, Spoken, spoken_to
from debate_engine.scenes.scene import SYSTEM, Mode

_TO = re.compile(r"(?:\b(?:to|for|at)|→|->)\s+(?:the\s+)?$", re.IGNORECASE)
_PRONOUN = re.compile(r"\s+(?:\w+ly\s+)?\w+\s+(?:to\s+|with\s+)?(?:him|her|them)\b")
"""A verb and whom it is about, named before: `If Ada waits, Ben urges her …`."""
_CALLED_UNICAST = "it is called unicast but goes to"
_NOBODY = "nobody is named as spoken to: the likeliest is taken"
_SEVERAL = "more than one speaks: the first named begins"
_ARROW = r"\s*(?:→|⇒|➔|->|=>|–>|—>)\s*"


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
        found = self._arrow(label) or self._arrow(content[:120])
        parties = self._explicit(mode, found) if found else self._by_mode(mode, clause_of(content, self.cast))
        if not found and not parties.clear and label:
            parties = self._with_label(mode, label, content, parties)
        if mode != "self-receiving":
            for name in parties.receivers:
                self.spoke_to[name] = parties.initiator
        return parties

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
        names = self._all_named(clause.speakers, "self-receiving", ())
        if names and clause.speaks and not clause.passive and self.cast.kind(names[0]) == "moderator":
            direct = [mention for each in spoken_to(clause) if each.rank < 6 for mention in each.mentions]
            told = self._all_named(direct, "multicast", (names[0],))
            names = told if any(self.cast.kind(name) == "subject" for name in told) else names
        if names:
            return Parties(SYSTEM, names)
        subjects = self.cast.of_kind("subject")
        return Parties(SYSTEM, subjects, clear=False, notes=("nobody is named as receiving it",))

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
        partners = self._all_named(clause.speakers, mode, (speaker,))
        if len(clause.speakers) > 1 and partners:
            return partners, ()
        if (clause.passive or not clause.speaks) and doer(clause):
            return self._all_named(clause.speakers, mode, (speaker,)), ()
        spoken = [each for each in spoken_to(clause) if self._all_named(each.mentions, mode, (speaker,))]
        if spoken:
            return self._chosen(mode, clause, speaker, spoken)
        earlier = self._all_named(clause.before, mode, (speaker,))
        led = clause.before and _TO.search(clause.text[: clause.before[0].start])
        if len(earlier) == 1 and (led or _PRONOUN.match(clause.text, clause.start)):
            return earlier, ()
        return self._guess(mode, clause, speaker), (_NOBODY,)

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
            return self._guess(mode, clause, speaker), (_NOBODY,)
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
        """The names that the mentions stand for, each once, without some."""
        names: list[str] = []
        for mention in mentions:
            meant = self._meant(mention, mode, (*but, *names))
            names += [name for name in meant if name not in (*names, *mention.without)]
        return tuple(name for name in names if name not in but)

    def _meant(self, mention: Mention, mode: Mode, but: tuple[str, ...]) -> tuple[str, ...]:
        if mention.names and (not mention.group or mode in ("unicast", "self-receiving")):
            return mention.names
        others = self.cast.but(*but)
        if mention.group == "two":
            taking_part = tuple(name for name in others if self.cast.kind(name) != "moderator")
            subjects = tuple(name for name in others if self.cast.kind(name) == "subject")
            return next((names for names in (taking_part, subjects) if len(names) == 2), others)
        if mention.group == "one":
            taking_part = tuple(name for name in others if self.cast.kind(name) != "moderator")
            return taking_part[:1] if len(taking_part) == 1 else others
        if mention.group == "several":
            taking_part = tuple(name for name in others if self.cast.kind(name) != "moderator")
            return taking_part if len(taking_part) > 1 or mode in ("unicast", "self-receiving") else others
        return others if mention.group else ()

    def _arrow(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Initiator and receivers of `Ada → Ben`."""
        parts = re.split(_ARROW, text, maxsplit=1)
        if len(parts) < 2:
            return None
        left = self.cast.mentions(parts[0])
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
        to = [mention for mention in found if _TO.search(label[: mention.start])] or found[1:]
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


def without_parties(content: str) -> str:
    """The content without `Ada → Ben:` in front of it."""
    return re.sub(rf"^[^:：]{{1,60}}?{_ARROW}[^:：|]{{1,60}}[:：|]\s*(?=\S)", "", content)
