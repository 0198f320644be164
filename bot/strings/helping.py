"""`/help`: what the person asking may do."""

from __future__ import annotations

from typing import Final, NamedTuple


class Part(NamedTuple):
    """A heading and what stands under it."""

    heading: str
    text: str


EVERYONE: Final = Part(
    "Everyone",
    text="""\
Read along, and vote before and after by the buttons in the thread
`/debate status` · `/debate export`: how a debate stands, and its report
`/session list` · `/session show`: the debates of this server
`/scene list` · `join` · `debrief`: scenes that look for people to take part, and what yours was about
`/privacy export` · `forget`: what is held on you, and its removal
`/privacy detection`: whether moderators may have your words examined for biases""",
)
STARTING: Final = Part(
    "You may start debates",
    text="""\
`/debate start`: motion, sides, judges; its cost is shown before anything is spent. A side can be a member: `pro: @name`
`/scene start` · `add` · `status` · `stop` · `results` · `delete`: scenes that elicit a bias, with members as subjects
`/crit`, or right click a message → Apps → Score this argument: a text's claim and reasons, scored
`/detect`, or Apps → Detect biases: the bias in a text, a message, or what was said in a finished session""",
)
STEERING: Final = Part(
    "You may steer every debate",
    text="""\
The panel in the thread, or `/debate pause` · `resume` · `heat` · `guide` · `ask` · `deepen` · `round` · `close` · \
`stop` · `budget`
`/session resume` · `/session delete`""",
)
OWN: Final = Part("Your own debates", "You steer the debates that you started by their panels and `/debate`.")
SITTING: Final = Part(
    "You sit in a debate",
    text="""\
When it is your turn you are called in the thread: **Answer** opens a form. You may also pass, take more time, or \
leave the seat (`/session leave`).""",
)
SETTING: Final = Part("You may change the settings", "`/settings show` · `/settings set` · `/settings reset`")
