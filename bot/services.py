"""`BotServices`: what every part of the bot works with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from elenchus.bot.shards import ONLY, Shard
from elenchus.config.settings import Settings
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.privacy.pseudonyms import Pseudonyms
from elenchus.debate_engine.runner import Runner
from elenchus.detectors.evaluation.cogbench.flows.fetching import PUBLIC, Policy
from elenchus.service.lab.classes.classes import Classes
from elenchus.service.lab.minds import Minds
from elenchus.service.lab.personal_data import PersonalData
from elenchus.service.lab.retention import Retention


@dataclass(frozen=True, slots=True)
class BotServices:
    """The engine's parts, and the store for what no log holds. `runner` must wait in a pause, not leave.

    `pseudonyms` is the key to the names that people have in scenes; without it they have those of their accounts.
    `classes` are those of the server in this process, None where there is none. `fetching` says from where pages may be
    fetched that personas read. `shard` is what this bot is connected as: it leaves other shards' servers alone.
    `one_start` is held while something is started: two may not spend the same rest of a budget or of a quota.
    `locks` are held while an answer, or a draft of one, is taken.
    """

    settings: Settings
    log: EventLog
    registry: Registry
    runner: Runner
    store: KeyValueStore
    pseudonyms: Pseudonyms | None = None
    classes: Classes | None = None
    fetching: Policy = PUBLIC
    shard: Shard = ONLY
    one_start: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, repr=False)

    @property
    def people(self) -> PersonalData:
        """What is held on people in logs and in the store, and its removal."""
        return PersonalData(self.log, self.runner, self.store, self.pseudonyms)

    @property
    def minds(self) -> Minds:
        """Personas with a mind; a server's are at the place that its id names."""
        return Minds(self.settings, self.registry, self.people, self.pictures)

    @property
    def retention(self) -> Retention:
        """What people in scenes were promised; whoever removes what the bot shows gives `hide`."""
        return Retention(self.people)

    @property
    def pictures(self) -> PictureStore:
        """The pictures that scenes show."""
        return PictureStore(self.settings.pictures)

    def lock(self, key: str) -> asyncio.Lock:
        """The lock of that name, the same for all who hold it or wait for it."""
        return self.locks.setdefault(key, asyncio.Lock())
