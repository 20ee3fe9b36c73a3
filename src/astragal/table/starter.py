"""A table that can be played at once: a skin put on, sample heroes in players' hands, and a scene to begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.table.authoring.hero_book import Plain, Worn
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.validation import read
from astragal.table.host import Host
from astragal.table.refusals import NoSuchThing

SCENE: Plain = {
    "title": "The bridge at dusk",
    "hook": "The rope bridge sways over the gorge. On the far side somebody raises a lantern, and waits. "
    "The planks in the middle are gone.",
}


def worn(ruleset: Ruleset, skin: str) -> Worn:
    """What a skin that comes with the game does to a table; without one, nothing."""
    if not skin:
        return Worn({}, {})
    shipped = ruleset.skins.shipped() if ruleset.skins else {}
    if skin not in shipped or ruleset.skins is None:
        raise NoSuchThing(f"There is no skin {skin[:40]!r}; there are {', '.join(shipped) or 'none for this game'}.")
    return ruleset.skins.wear(shipped[skin])


def sample_heroes(ruleset: Ruleset, options: Mapping[str, Any]) -> Mapping[str, Plain]:
    """Heroes who are ready to be played, by name. `options` are the table's, as plain values."""
    return ruleset.heroes.samples(read(ruleset.options, options)) if ruleset.heroes else {}


def take_seat(host: Host, table: str, game_master: str, name: str) -> str:
    """A new player's seat."""
    taken = host.act(table, game_master, ("take_seat", {"name": name}))
    seat: str = taken.events[0].fields["seat"]["id"]
    return seat


def bring_in(host: Host, ruleset: Ruleset, table: str, heroes: Sequence[tuple[str, Plain]]) -> None:
    """Heroes into the story, each by the seat that is to play them."""
    if ruleset.heroes:
        for seat, hero in heroes:
            host.act(table, seat, (ruleset.heroes.make, dict(hero)))


def begin(host: Host, table: str, game_master: str) -> None:
    """The evening, and its first scene."""
    host.act(table, game_master, ("begin_evening", {}))
    host.act(table, game_master, ("improvise_scene", SCENE))
