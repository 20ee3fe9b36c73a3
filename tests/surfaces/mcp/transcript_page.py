"""The example evening in docs/ai/transcript.md. `python -m tests.surfaces.mcp.transcript_page` plays and writes it.

A scripted client plays against the real server, on a table whose dice come from a seed: the same evening every time.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.storage import open_store
from astragal.surfaces.mcp.server import build_server
from astragal.surfaces.shared.context import AppContext
from astragal.table.host import Host
from tests.surfaces.mcp.driving import Driver, Person, driving, play

PAGE = Path(__file__).parents[3] / "docs" / "ai" / "transcript.md"
SEED = 2
"""Of this table alone. A table of yours has seeds that nobody knows; see how you can trust these dice."""
HERO = "Mara Quill"
WIDTH = 120

HOOK = """The ferry has no business running tonight. The river is up over its marks, brown and fast, and carries half a
bridge with it; yet the lamp at the landing is lit, and under it stands a boy of ten with the ferryman's hat on his
head. He has your satchel in his arms. You left it at the inn an hour ago, and you locked the door. When he sees you he
takes three steps back, onto the ferry, and lays one hand on the rope."""
ACTION = """The rope hums. Out on the water something answers it, low and patient, as a bull answers a gate. The boy
looks over his shoulder, and whatever he sees there makes him grip the rope with both hands and pull. The ferry leaves
the landing with a jerk. Two yards of water; then four. Behind you, up the lane, lanterns come round the corner of the
mill, and a voice that you know calls your name, not unkindly. There are five of them. They have brought the dogs."""
CONSEQUENCE = """The gap is six yards now, and the current has the ferry. The rope runs over your head from the landing
post to the far bank, wet, black, as thick as your wrist. It will hold a grown woman, if she is quick and does not look
down. It will not hold two. The boy has seen the rope, too. He takes a knife from the ferryman's belt."""
WAYS = [
    {"words": "Jump for the rope and go hand over hand", "way": "risky"},
    {"words": "Turn and talk to the people with the dogs"},
    {"words": "Call the boy by his true name", "way": "hidden"},
]


class Transcript:
    """What was said, called and answered, in order."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def say(self, who: str, words: str) -> None:
        self.parts.append(fill(f"**{who}:** {words}", WIDTH))

    def remark(self, words: str) -> None:
        self.parts.append(fill(words, WIDTH))

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        said = json.dumps({"tool": tool, **arguments}, indent=2, ensure_ascii=False)
        self.parts.append(f"```json\n{said}\n```")

    def answer(self, text: str) -> None:
        self.parts.append(f"```text\n{text}\n```")

    def form(self, question: str, said: str) -> None:
        asked = question.replace("\n", "\n> ")
        self.parts.append(f"> *A form in Ann's client.* {asked}\n>\n> Ann: **{said}**")


class Ann:
    """Spends what saves her, and takes nothing back."""

    def __init__(self, paper: Transcript) -> None:
        self.paper = paper
        self.person = Person(self.says)

    def says(self, question: str, form: dict[str, Any]) -> dict[str, Any] | str:
        if "allow" in form:
            self.paper.form(question, "no")
            return {"allow": False}
        choice = next((one for one in form["answer"]["enum"] if "success" in one), form["answer"]["enum"][0])
        self.paper.form(question, choice)
        return {"answer": choice}


class Model:
    """A scripted client in the place of a model."""

    def __init__(self, drive: Driver, paper: Transcript) -> None:
        self.drive, self.paper = drive, paper

    async def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        self.paper.call(tool, arguments)
        reply = await self.drive(tool, **arguments)
        self.paper.answer(reply.text)
        return reply.data


async def evening(drive: Driver, paper: Transcript) -> None:
    model = Model(drive, paper)
    paper.say("Ann", "Let us play something with few rules. I am Ann, and I like cowards who turn out not to be.")
    await model("table", do="list", game="sinew_steel")
    await model("table", do="open", game="sinew_steel", name="The ferry", heroes=[HERO], player="Ann")
    await model("act", command="begin_evening")
    paper.remark("The model keeps to itself what Ann must not know, under a title that gives nothing away.")
    kept = await model("secret", do="keep", title="About the boy", words="He is the ferryman, and he is drowning.")
    parts = {"hook": _line(HOOK), "action": _line(ACTION), "consequence": _line(CONSEQUENCE)}
    await model("scene", title="The landing", **parts, options=WAYS, save_node=True)
    paper.say("Ann", "I jump for the rope. How bad is it?")
    test = {"who": HERO, "attribute": "REF", "stakes": "the rope, or the river"}
    found = await model("odds", command="test", fields=test)
    paper.say("Ann", "Do it.")
    done = await model("act", command="test", fields=test, shown=found["question"])
    paper.remark("The model tells it. First with an act that never was:")
    await model("narrate", words="You miss the rope by a hand's breadth.", cites=["the-jump"])
    words = "Your hand closes on wet hemp. Behind you the dogs stop barking, all at once."
    await model("narrate", words=words, cites=[done["act"]])
    paper.remark("It forgets itself, and would repeat its own secret:")
    await model("narrate", words="He is the ferryman, and he is drowning, you think.")
    for number, what in enumerate(("the leap", "the knife", "the thing in the water"), 1):
        if number == 1:
            paper.remark("Perilous beats are marked as they come; the third makes a milestone due.")
        await drive.done("act", command="mark_beat", fields={"what": what})
    await model("look", what="story")
    paper.say("Ann", "Wait. Could we take the jump back?")
    await model("act", command="undo")
    paper.remark("She thought better of it. Another day, another conversation: the model knows nothing, and asks.")
    await model("recap")
    await model("verify")
    assert kept["handle"]


def _line(text: str) -> str:
    return " ".join(text.split())


def played() -> Transcript:
    paper = Transcript()
    with TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/tables.db")
        chance = random.Random(SEED)
        host = Host(store, [SINEW_STEEL], clock=lambda: 0, entropy=chance.randbytes)
        house = AppContext(host, store)

        async def work() -> None:
            async with driving(build_server(house), "auto", Ann(paper).person) as drive:
                await evening(drive, paper)

        play(work)
        store.close()
    return paper


def current() -> str:
    return "\n\n".join(_written()) + "\n"


def _written() -> Iterator[str]:
    yield "# An evening, call by call"
    yield fill(
        "What an AI game master says to the server, and what it is told. Ann plays; a script stands in for the model, "
        "and makes the mistakes that models make. The server is the real one, with seeded dice, and a test of the "
        "project plays this evening anew to see that the page is still true. Each call is shown as JSON, with the name "
        "of its tool; below it stands what the model reads. It gets the same as structured data.",
        WIDTH,
    )
    yield (
        "<!-- Written by python -m tests.surfaces.mcp.transcript_page -->\n\nHow to set it up is told in "
        "[Your first evening with an AI game master](first-evening.md)."
    )
    yield from played().parts


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
