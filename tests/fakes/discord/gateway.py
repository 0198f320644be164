"""Gateway v10: HELLO, IDENTIFY, heartbeats, RESUME with replay, reconnect and invalid sessions, close codes."""

from __future__ import annotations

import asyncio
import json
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from aiohttp import WSCloseCode, WSMsgType, web
from yarl import URL

from tests.fakes.discord import payloads
from tests.fakes.discord.compression import packer
from tests.fakes.discord.connections import Closing, Connection, Session
from tests.fakes.discord.events import KNOWN, PRIVILEGED, Intent
from tests.fakes.discord.state import Guild, Json

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    1, 2, 3, 4, 6, 7, 8, 9, 10, 11,
)  # fmt: skip


class Gateway:
    """Every connection of the bot. `log` holds (op, d) of what clients sent; `closes` the codes given."""

    def __init__(self, world: World, *, token: str, heartbeat: float, identify_every: float = 0.0) -> None:
        self.world, self.token, self.heartbeat, self.url = world, token, heartbeat, ""
        self.identify_every, self.identified = identify_every, dict[int, float]()
        self.shards, self.max_concurrency = 1, 1
        """What `GET /gateway/bot` recommends, and how many may identify at once: one of each bucket."""
        self.most_guilds = 2500
        """Of a shard: beyond that Discord demands more shards (4011)."""
        self.too_early: list[tuple[int, int]] = []
        """The shards that identified before their turn, and were told so by op 9."""
        self.connections: set[Connection] = set()
        self.log: list[tuple[int, Any]] = []
        self.closes: list[int] = []
        self.asked: list[URL] = []
        self.refuse = False
        """Whether new connections are refused with 503: Discord is down."""
        self.keep_guilds = False
        """Whether servers stay unavailable after READY: Discord takes its time with their data."""

    # what a test does

    async def drop(self, code: int = 4000) -> None:
        """Close every connection with a code; 1006 tears it without a word."""
        for link in list(self.connections):
            if code == WSCloseCode.ABNORMAL_CLOSURE:
                assert link.socket._req is not None
                transport = link.socket._req.transport
                if transport is not None:
                    transport.abort()
            else:
                self.closes.append(code)
                await link.socket.close(code=code)

    def reconnect(self) -> None:
        """Op 7: ask every client to connect again and resume."""
        for link in self.connections:
            link.put({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool) -> None:
        """Op 9. A session that cannot be resumed is forgotten."""
        for link in self.connections:
            if not resumable and link.session:
                self.world.events.sessions.pop(link.session.id, None)
            link.put({"op": INVALID, "d": resumable})

    def forget(self) -> None:
        """Forget every session: the next RESUME is answered with op 9, d false."""
        self.world.events.sessions.clear()

    def go_silent(self) -> None:
        """Become a zombie for those connected now: no acknowledgement, no event; new connections are well."""
        for link in self.connections:
            link.silent = True

    # a connection

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.url)
        if self.refuse:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=1 << 20, timeout=1)
        await socket.prepare(request)
        link = Connection(socket, packer(request.query.get("compress")))
        self.connections.add(link)
        sender = asyncio.create_task(link.send_all())
        try:
            if request.query.get("v") not in ("9", "10"):
                raise Closing(4012, "Invalid API version")
            link.put({"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat * 1000), "_trace": []}})
            await self._listen(link)
        except Closing as closing:
            self.closes.append(closing.code)
            await socket.close(code=closing.code, message=closing.reason.encode())
        finally:
            self.connections.discard(link)
            if link.session and link.session.connection is link:
                link.session.connection = None
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender
        return socket

    async def _listen(self, link: Connection) -> None:
        """Read until the client leaves; a client that does not beat in time is closed with 4009."""
        loop = asyncio.get_running_loop()
        due = loop.time() + self.heartbeat * 2
        while True:
            try:
                said = await link.socket.receive(timeout=max(0.01, due - loop.time()))
            except TimeoutError:
                raise Closing(4009, "Session timed out") from None
            if said.type is not WSMsgType.TEXT:
                return
            if self._receive(link, said.data) == HEARTBEAT:
                due = loop.time() + self.heartbeat * 1.5 + 1

    def _receive(self, link: Connection, text: str) -> int:
        self._pace(link)
        if len(text.encode()) > 4096:
            raise Closing(4002, "Payload exceeds 4096 bytes")
        try:
            packet = json.loads(text)
            op, data = packet["op"], packet.get("d")
        except (ValueError, TypeError, KeyError):
            raise Closing(4002, "Error while decoding payload.") from None
        self.log.append((op, data))
        match op:
            case 1:
                link.put({"op": ACK, "d": None})
            case 2:
                self._identify(link, data)
            case 6:
                self._resume(link, data)
            case 3 | 4 | 8:
                self._settled(link, op, data)
            case _:
                raise Closing(4001, "Unknown opcode.")
        return int(op)

    def _pace(self, link: Connection) -> None:
        now = asyncio.get_running_loop().time()
        link.received.append(now)
        while link.received[0] < now - 60:
            link.received.popleft()
        if len(link.received) > 120:
            raise Closing(4008, "Rate limited.")

    def _settled(self, link: Connection, op: int, data: Json) -> None:
        if link.session is None:
            raise Closing(4003, "Not authenticated.")
        if op == MEMBERS:
            members_chunk(self.world, link.session, data)

    def _identify(self, link: Connection, data: Json) -> None:
        if link.session is not None:
            raise Closing(4005, "Already authenticated.")
        if data.get("token") != self.token:
            raise Closing(4004, "Authentication failed.")
        shard = self._shard(data.get("shard", [0, 1]))
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~KNOWN:
            raise Closing(4013, "Invalid intent(s).")
        if intents & PRIVILEGED & ~self.world.application.privileged:
            raise Closing(4014, "Disallowed intent(s).")
        now, bucket = asyncio.get_running_loop().time(), shard[0] % self.max_concurrency
        if now - self.identified.get(bucket, -1e9) < self.identify_every:
            self.too_early.append(shard)
            link.put({"op": INVALID, "d": False})
            return
        self.identified[bucket] = now
        session = Session(secrets.token_hex(16), intents, link, shard)
        link.session = session
        self._forget_old()
        self.world.events.sessions[session.id] = session
        self._ready(session)

    def _shard(self, given: Any) -> tuple[int, int]:
        """The shard that a client says it is. Raises Closing for one that cannot be, or would have too many servers."""
        if not isinstance(given, list) or len(given) != 2 or not all(type(one) is int for one in given):
            raise Closing(4010, "Invalid shard.")
        number, count = given
        if not 0 <= number < count:
            raise Closing(4010, "Invalid shard.")
        mine = [guild for guild in self._guilds() if (guild.id >> 22) % count == number]
        if len(mine) > self.most_guilds:
            raise Closing(4011, "Sharding is required.")
        return number, count

    def _guilds(self) -> list[Guild]:
        return [guild for guild in self.world.guilds.values() if self.world.bot.id in guild.members]

    def connected(self) -> list[tuple[int, int]]:
        """The shards as which clients are connected, each as often as it is."""
        return sorted(link.session.shard for link in self.connections if link.session)

    def _forget_old(self) -> None:
        """Discord forgets sessions that nobody resumes; here the five latest are kept."""
        sessions = self.world.events.sessions
        for one in [one for one in sessions.values() if one.connection is None][:-5]:
            del sessions[one.id]

    def _ready(self, session: Session) -> None:
        world = self.world
        mine = [guild for guild in self._guilds() if session.has(guild.id)]
        application = {"id": str(world.application.id), "flags": world.application.flags}
        ready: Json = {
            "v": 10,
            "user": payloads.user(world.bot)
            | {
                "verified": True,
                "mfa_enabled": True,
                "email": None,
                "locale": "en-US",
            },
        }
        ready |= {"guilds": [{"id": str(guild.id), "unavailable": True} for guild in mine], "session_id": session.id}
        ready |= {"resume_gateway_url": self.url, "application": application, "private_channels": []}
        ready["shard"] = list(session.shard)
        world.events.say(session, "READY", ready)
        if session.intents & Intent.GUILDS:
            for guild in () if self.keep_guilds else mine:
                every = bool(session.intents & Intent.GUILD_MEMBERS)
                world.events.say(session, "GUILD_CREATE", payloads.guild_create(world, guild, all_members=every))

    def _resume(self, link: Connection, data: Json) -> None:
        if data.get("token") != self.token:
            raise Closing(4004, "Authentication failed.")
        session = self.world.events.sessions.get(str(data.get("session_id")))
        if session is None:
            link.put({"op": INVALID, "d": False})
            return
        seq = data.get("seq")
        if not isinstance(seq, int) or seq > session.seq:
            raise Closing(4007, "Invalid seq.")
        session.connection = link
        link.session = session
        for number, packet in session.said:
            if number > seq:
                link.put(packet)
        session.say("RESUMED", {"_trace": []})


def members_chunk(world: World, session: Session, data: Json) -> None:
    """Answer op 8: by ids (up to 100), by a name's beginning, or everybody, which needs the members intent."""
    guild = world.guilds.get(int(data["guild_id"]))
    if guild is None or world.bot.id not in guild.members or not session.has(guild.id):
        return
    found = list(guild.members.values())
    asked = data.get("user_ids")
    missing: list[str] = []
    if asked is not None:
        wanted = [int(one) for one in (asked if isinstance(asked, list) else [asked])][:100]
        found = [guild.members[one] for one in wanted if one in guild.members]
        missing = [str(one) for one in wanted if one not in guild.members]
    elif data.get("query"):
        found = [one for one in found if one.shown_name.lower().startswith(data["query"].lower())][
            : data.get("limit") or 100
        ]
    elif not session.intents & Intent.GUILD_MEMBERS:
        found = [guild.members[world.bot.id]]
    shown: Json = {"guild_id": str(guild.id), "members": [payloads.member(one) for one in found], "not_found": missing}
    shown |= {"chunk_index": 0, "chunk_count": 1}
    world.events.say(session, "GUILD_MEMBERS_CHUNK", shown | ({"nonce": data["nonce"]} if "nonce" in data else {}))
