"""`/scene`: what its commands say, the offer before a scene starts, the invitation, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

GROUP: Final = "Play a scene that elicits a bias, with members as its subjects, and see what came out"
LIST: Final = "List the scenes of this server, and those that look for subjects"
ADD: Final = "Add a scene of your own: its script as a file; it is checked first"
START: Final = "Start a scene: a control room for you, a private thread for each subject"
JOIN: Final = "Take a subject's place in a scene that looks for subjects"
STATUS: Final = "Show how the scenes stand that you run"
STOP: Final = "End a scene kindly, with the debriefing, for all its subjects or one"
DELETE: Final = "Delete the record of a scene for good, of all its subjects or one"
DEBRIEF: Final = "Read once more what a scene was about in which you took part"
RESULTS: Final = "Show how often the bias was seen, over all subjects of a scene"
OPTIONS: Final[Mapping[str, str]] = {
    "scene": "Which scene",
    "subject": "Who is the subject: models and @members (default: whoever takes part)",
    "confederate": "Who plays the confederate: a model, or @somebody",
    "moderator": "Who moderates in the scene: a model, or @somebody",
    "judge": "Who judges at the end: models and @members (default: this server's judges)",
    "subjects": "How many subjects, each in a thread of their own",
    "conditions": "Both versions by lot, or one of them",
    "model": "Who plays every other seat",
    "minutes": "A person's time for a turn",
    "budget": "US dollars at which a subject's scene pauses",
    "script": "A scene's script, .md or .txt",
    "bias": "The id of the bias it is about, where the script does not say it",
    "play": "Which of the running or finished ones (default: this thread's, or the newest)",
    "number": "Only this subject's",
}

# ── which there are ──────────────────────────────────────────────────────────────────────────────────────────────

NO_NAME: Final = "The file's name has no letters or digits: give it a name, such as tea.md."


def unknown(name: str) -> str:
    """No such scene."""
    return f"There is no scene {name} here: `/scene list` shows them, `/scene add` brings one of your own."


def listed(name: str, title: str, roles: str, *, own: bool) -> str:
    """A scene in the list."""
    return f"`{name}` {title} · {roles}{' · of this server' if own else ''}"


LIST_TITLE: Final = "Scenes"
OPEN_TITLE: Final = "Looking for subjects"
LIST_FOOTER: Final = "Whoever is to be a subject should not look at a scene: it tells what it is about."
NOTHING_OPEN: Final = "No scene looks for subjects at the moment."


def open_place(play: str, channel: int, free: int) -> str:
    """A play that can be joined."""
    return f"<#{channel}> · {free} {'place' if free == 1 else 'places'} · `/scene join play:{play}`"


# ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────────

OFFER: Final = "Start this scene?"
SUBJECTS, CONDITIONS = "Subjects", "Version"
A_MEMBER: Final = "a member"
OFFER_FOOTER: Final = "Everybody who takes part is asked for agreement first and told afterwards what it was about."
EXPIRED: Final = "This offer has expired: use `/scene start` again."


def seat(name: str, player: str) -> str:
    """Who sits where."""
    return f"{name}: {player}"


def places(n: int, named: int, role: str) -> str:
    """How many subjects."""
    rest = n - named
    who = f"{named} named, {rest} open" if named and rest else "all named" if named else "open to members"
    return f"{n} as {role} ({who})"


def drawn(conditions: Sequence[str]) -> str:
    """Which versions are drawn from."""
    return "by lot: treatment or its neutral twin" if len(conditions) > 1 else "".join(conditions) or "only one"


def started(control: int, free: int) -> str:
    """It has a control room."""
    more = " Members can take part by the button in the channel." if free else ""
    return f"The control room is <#{control}>: nobody who takes part may see it.{more}"


# ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────────

TAKE_PART: Final = "Take part"


def control_thread(title: str) -> str:
    """Name of a control room."""
    return f"Control room: {title}" if title else "Control room"


def seat_thread(role: str, number: int = 0, *, judge: bool = False) -> str:
    """Name of a seat's thread: it tells nothing of the scene. `number` tells several of one person apart."""
    return ("You judge a scene" if judge else f"You are {role}") + (f" · {number}" if number else "")


def control_intro(places: int, conditions: Sequence[str]) -> str:
    """The first message in a control room."""
    return (
        f"**Control room** for {places} {'subject' if places == 1 else 'subjects'} · {drawn(conditions)}\n"
        "Here stands everything: who said what to whom, for what purpose, what was sent back, the supervisor's notes. "
        "Each subject has a panel here. `/scene status` · `/scene stop` · `/scene results`"
    )


def invitation(free: int) -> str:
    """Looks for subjects; says nothing of what it is about."""
    return (
        f"**A short scene looks for {free} {'person' if free == 1 else 'people'} to take part.** You play somebody in "
        "a private thread of your own and write what you say, for about ten minutes. You are told first what is "
        "recorded, may stop at any time, and are told afterwards what it was about."
    )


def joined(thread: int) -> str:
    """Somebody has a place."""
    return f"Your thread is <#{thread}>. It begins there by asking whether you agree."


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────

NO_PLAY: Final = "There is no such scene here any more: `/scene list` shows those that look for subjects."
NO_SCENE: Final = "No thread here shows this scene any more."
FULL: Final = "All places are taken. Thank you all the same."
NOTHING_TO_JOIN: Final = "No scene of this server looks for subjects at the moment."
ALREADY_IN: Final = "You have a place in this scene already; see your threads."
WAS_IN: Final = "You have taken part in this scene already and know what it is about."
SITS_ELSEWHERE: Final = "You have another part in this scene, so you cannot be its subject."
RUNS_IT: Final = "Whoever runs a scene knows what it is about and cannot be its subject: ask somebody else."
JUDGE_RUNS_IT: Final = "Whoever runs a scene knows which version is played and cannot judge it: ask somebody else."
JUDGE_PLAYS: Final = "Who plays in a scene cannot judge it: name another judge."
NO_TWIN: Final = (
    "The scene has no such version here: add its neutral twin under the name that its `twin:` gives, or take the other."
)
TWIN_DIFFERS: Final = "The scene's twin has another subject: give that role the same name in both."
NO_RUNS: Final = "There is no scene here that you run."
NOT_IN_ONE: Final = "You have taken part in no scene here, or it is not over yet."
NO_RESULTS: Final = "No subject of this scene has been judged yet."
NOT_YET: Final = "You take part in this scene: its results can be seen when your own part is over."
NO_SUCH_NUMBER: Final = "This scene has no subject with that number."


def sees_all(name: str, seat: str) -> str:
    """A subject, or a judge, who could look behind the scene."""
    return f"{name} may manage threads here and so could read the control room: a {seat} must not; ask somebody else."


def one_subject(found: int) -> str:
    """Not exactly one subject's role."""
    return f"A scene for people has one subject that speaks, this one has {found}: use `elenchus scene run` for it."


def too_many(kind: str) -> str:
    """More people than roles."""
    return f"The scene has fewer seats for a {kind} than you named."


def subjects(most: int) -> str:
    """A wrong number."""
    return f"A scene has 1 to {most} subjects, and no more named ones than that."


TROUBLES: Final[Mapping[str, str]] = {
    "gone": "A thread of “{title}” was deleted, so I paused the scene: `/scene status` → Resume opens a new one.",
    "kicked": "I was removed from the server {server}, so I paused “{title}”: invite me again, then `/scene status` → "
    "Resume.",
    "hidden": "I can no longer see a thread of “{title}”, so I paused the scene: give me View Channel and Read Message "
    "History there, then `/scene status` → Resume.",
    "forbidden": "I may no longer post in a thread of “{title}”, so I paused the scene: give me Send Messages in "
    "Threads, Read Message History and Embed Links there, then `/scene status` → Resume.",
    "locked": "A thread of “{title}” is archived or locked and I may not open it, so I paused the scene: open it, then "
    "`/scene status` → Resume.",
    "other": "I could not post in a thread of “{title}” and keep trying: if nothing appears there, give whoever runs "
    "me the reference {reference}.",
}


def trouble(kind: str, title: str, server: str, reference: str) -> str:
    """Told to whoever runs the scene."""
    return TROUBLES[kind].format(title=title, server=server, reference=reference)


def broke_off(title: str) -> str:
    """A scene's run failed; told to whoever runs it."""
    return (
        f"“{title}” broke off; what was said is kept, and who takes part has been told. Press Resume in its control "
        "room to try again, or End kindly…."
    )


# ── how they stand ───────────────────────────────────────────────────────────────────────────────────────────────

DELETE_SURE: Final = "Delete it for good"
DELETED: Final = "Deleted. The threads stay, without the words of people; delete them in Discord if nobody needs them."
RECORD_DELETED: Final = (
    "Whoever runs this scene has deleted its record: nothing that was said here is kept any more. What you wrote into "
    "this thread as a message of your own is Discord's: delete it there."
)
PLAY_DELETED: Final = "The records of all scenes of this control room are deleted. Nothing more happens here."
NOT_SHOWN: Final = (
    "Not everything stands in the threads yet, so it could not be taken out of them: try again in a minute. A thread "
    "that I cannot post to any more must be deleted in Discord first."
)
HELD: Final = "Another process still works on this scene: stop it there, then delete the scene."


def sure_to_delete(title: str, number: int) -> str:
    """Before a deletion; number 0 for all subjects."""
    whose = f"of subject {number} of" if number else "of all subjects of"
    return (
        f"Delete the record {whose} “{title}”? It counts in no result any more; what people wrote goes from the "
        "threads as well, and they are told. This cannot be undone."
    )


def still_runs(play: str) -> str:
    """Somebody still plays."""
    return f"Somebody still plays: end it with `/scene stop play:{play}`, then delete it."


STATUS_TITLE: Final = "Scenes that you run"
STOPPED: Final = "They end kindly; everybody who takes part is told what it was about."
RESUME: Final = "Resume"


def standing(play: str, title: str, control: int, free: int) -> str:
    """One play."""
    more = f" · {free} free" if free else ""
    return f"**{title}** · <#{control}> · `{play}`{more}"


def subject_deleted(number: int) -> str:
    """One whose record was deleted."""
    return f"-# subject {number} · deleted"


def subject_stands(number: int, state: str, rule: str, waiting: str) -> str:
    """One subject's scene."""
    return f"-# subject {number} · {state} · rule {rule} · waiting for {waiting}"
