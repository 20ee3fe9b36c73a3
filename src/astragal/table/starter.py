"""Starter tables: opened with seats, sample heroes and a first scene, all of it or nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from astragal.table.authoring.ruleset import AppliedSkin, Plain, Ruleset, ready_heroes
from astragal.table.declarations import replace
from astragal.table.fields.validation import read
from astragal.table.host import Host, Opened
from astragal.table.refusals import NoSuchThing
from astragal.table.state.setting import Setting

SCENE: Plain = {
    "title": "The bridge at dusk",
    "hook": "The rope bridge sways over the gorge. On the far side somebody raises a lantern, and waits. "
    "The planks in the middle are gone.",
}
NO_SETTING = Setting()
GAME_MASTERS = -1
"""Stands for a player's number: the hero is the game master's."""


class Started(Struct, frozen=True):
    """A new table, the game master's seat and the players' seats at it."""

    table: str
    seat: str
    players: tuple[str, ...]


def start_table(
    host: Host,
    ruleset: Ruleset,
    *,
    name: str,
    game_master: str,
    players: Sequence[str] = (),
    heroes: Sequence[tuple[int, Plain]] = (),
    begins: bool = False,
    **opening: Any,
) -> Started:
    """Open a table with everything that was asked for. If anything is refused, the table is deleted again.

    Each of `heroes` comes with the number of the player who plays it. `begins` starts an evening with the first scene
    of an adventure: the setting's or, without a setting, the game's own. `opening` is passed to `Host.open`.
    """
    if begins and opening.get("setting", NO_SETTING) == NO_SETTING:
        opening["setting"] = first_setting(ruleset)
    opened = host.open(ruleset.id, name=name, game_master=game_master, **opening)
    try:
        seats = tuple(_seated(host, opened, player) for player in players)
        making = ruleset.heroes.make if ruleset.heroes else ""
        for number, hero in heroes:
            seat = opened.seat if number < 0 else seats[number]
            _bring_in(host, opened, seat, (making, dict(hero)))
        if begins:
            host.act(opened.table, opened.seat, ("begin_evening", {}))
            adventure = host.look(opened.table, opened.seat).setting.adventure
            if adventure is None:
                host.act(opened.table, opened.seat, ("improvise_scene", SCENE))
            else:
                if adventure.opening:
                    host.act(opened.table, opened.seat, ("narrate", {"words": adventure.opening}))
                host.act(opened.table, opened.seat, ("begin_scene", {"scene": adventure.scenes[0].id}))
    except BaseException:  # an incomplete table is not what was asked for
        host.archive.delete(opened.table, opened.seat)
        raise
    return Started(opened.table, opened.seat, seats)


def _seated(host: Host, opened: Opened, player: str) -> str:
    """Take a seat for a player, and return its id."""
    result = host.act(opened.table, opened.seat, ("take_seat", {"name": player}))
    seat: str = result.events[0].fields["seat"]["id"]
    return seat


def _bring_in(host: Host, opened: Opened, seat: str, making: tuple[str, Plain]) -> None:
    """Make a hero as the game master, who may decide on everything that a hero has, and give it to the player."""
    ids_before = set(host.look(opened.table, opened.seat).characters)
    host.act(opened.table, opened.seat, making)
    if seat == opened.seat:
        return
    for character_id in set(host.look(opened.table, opened.seat).characters) - ids_before:
        host.act(opened.table, opened.seat, ("give_character", {"character": character_id, "seat": seat}))


def worn(ruleset: Ruleset, skin: str) -> AppliedSkin:
    """Return the effect of a skin that comes with the game; without a skin, no effect."""
    if not skin:
        return AppliedSkin({}, {})
    shipped = ruleset.skins.shipped() if ruleset.skins else {}
    if skin not in shipped or ruleset.skins is None:
        raise NoSuchThing(f"There is no skin {skin[:40]!r}; there are {', '.join(shipped) or 'none for this game'}.")
    return ruleset.skins.wear(shipped[skin])


def first_setting(ruleset: Ruleset) -> Setting:
    """Return the setting for a table without one: an adventure to begin with, and the game's own heroes."""
    shelf = ruleset.skins
    if shelf is None or shelf.first is None:
        return NO_SETTING
    return replace(shelf.wear(shelf.first()).setting, heroes=())


def sample_heroes(ruleset: Ruleset, worn: AppliedSkin) -> Mapping[str, Plain]:
    """Return ready-made heroes for a table that is opened with this skin, by name."""
    if ruleset.heroes is None:
        return {}
    return ready_heroes(ruleset.heroes, read(ruleset.options, worn.options), worn.setting)
