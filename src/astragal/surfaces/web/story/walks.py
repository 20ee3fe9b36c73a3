"""The way that the story took, read from the log: from scene to scene, and on branches that a rewind left behind."""

from typing import NamedTuple

from msgspec import Struct

from astragal.surfaces.web.session import SeatSession

ABOUT_SCENES = ("scene_began", "option_taken", "save_node_marked", "rewound")


class Walk(Struct, frozen=True):
    """A step of the story from one scene to another, with the words of the way on if one was taken."""

    start: str
    end: str
    words: str = ""
    left: bool = False
    """True if a rewind left it behind."""


class Branch(Struct, frozen=True):
    """A branch that a rewind left behind."""

    label: str
    """The save node that the story went back to; empty for an undo."""
    price: str
    amount: int
    scenes: tuple[str, ...]
    """The titles of the scenes that were told on it."""


class Past(NamedTuple):
    """What the log says of scenes: the titles by id, also of scenes that are gone; the walks; the branches."""

    titles: dict[str, str]
    walks: list[Walk]
    branches: list[Branch]


def read_past(session: SeatSession) -> Past:
    """Read walks, titles and branches from the log."""
    past = Past({}, [], [])
    present = ""
    latest_that_stays = ""  # the newest scene that no rewind left behind: an undo goes back to it
    option = ""  # the words of the way on that was taken and has led to no scene yet
    scene_by_save_node: dict[str, str] = {}
    abandoned_titles: list[str] = []
    for event in session.host.told(session.table, session.seat, ABOUT_SCENES):
        fields = event.fields
        if event.name == "scene_began":
            scene = str(fields["scene"])
            title = str(fields["title"])
            past.titles[scene] = title
            if present and present != scene:
                past.walks.append(Walk(present, scene, option, event.abandoned))
            present = scene
            option = ""
            if event.abandoned:
                abandoned_titles.append(title)
            else:
                latest_that_stays = scene
        elif event.name == "option_taken":
            option = str(fields["words"])
        elif event.name == "save_node_marked":
            scene_by_save_node[str(fields["label"])] = present
        elif event.name == "rewound":
            label = str(fields["label"])
            price = session.teller.term(str(fields["price"]))
            past.branches.append(Branch(label, price, int(fields["amount"]), tuple(abandoned_titles)))
            present = scene_by_save_node.get(label, latest_that_stays) if label else latest_that_stays
            option = ""
            abandoned_titles = []
    return past
