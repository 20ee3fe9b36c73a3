"""Starting a table: what there is to choose, and a table that can be played at once."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count
from typing import Any

from astragal.surfaces.shared.ai_seats import AiRole, Limits
from astragal.surfaces.shared.sheets import LONGEST_NAME, seat_for
from astragal.surfaces.shared.words import capitalised, in_words
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.forms.form import CLAUSE, Widget, plain_input
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.definitions import fields_of
from astragal.table.log.store import PassKind, titles
from astragal.table.starter import Started, first_setting, sample_heroes, start_table, worn
from astragal.table.state.pictures import plate_for
from astragal.table.state.setting import Setting
from astragal.table.state.table import HouseOptions
from astragal.table.state.things import Scene
from astragal.table.visibility.redact import plain

USUAL_SEATS = 4
MOST_SEATS = 8
YOU = "Game master"
ALONE = "Player"
AGREED = "house."
CHOSEN = "options."


@dataclass(frozen=True)
class Skin:
    """A setting on its cover; without an id, the rules alone."""

    id: str
    name: str
    about: str
    cover: str = ""
    """A plate of ours, which also gives the cover its colours."""
    adventure: str = ""


@dataclass(frozen=True)
class Wanted:
    """Choices for a new table, or their defaults."""

    game: str
    name: str = ""
    game_master: str = ""
    skin: str = ""
    seats: int = USUAL_SEATS
    options: Mapping[str, Any] | None = None
    agreed: Mapping[str, Any] | None = None


def skins_of(ruleset: Ruleset) -> list[Skin]:
    shelf = ruleset.skins
    if shelf is None:
        return []
    found = []
    for skin, text in shelf.shipped().items():
        name, _, about = shelf.describe(text)[0].partition(": ")
        found.append(_on_cover(Skin(skin, name, about), shelf.wear(text).setting))
    return found


def skin_name(ruleset: Ruleset, skin: str) -> str:
    """What a setting is called; one that is not shipped, after its id."""
    return _shipped_name(ruleset.skins.shipped, skin) if ruleset.skins and skin else ""


@cache
def _shipped_name(shipped: Callable[[], Mapping[str, str]], skin: str) -> str:
    try:
        return str(tomllib.loads(shipped()[skin])["name"])
    except (KeyError, ValueError):
        return in_words(skin)


def worlds_of(ruleset: Ruleset) -> list[Skin]:
    """The settings that are more than the rules alone."""
    return [skin for skin in skins_of(ruleset) if skin.adventure != bare_of(ruleset).adventure]


def bare_of(ruleset: Ruleset) -> Skin:
    """The rules alone, with the adventure that they begin with."""
    return _on_cover(
        Skin("", "Just the rules", "The book’s own words, in a world of your own."), first_setting(ruleset)
    )


def _on_cover(skin: Skin, setting: Setting) -> Skin:
    cover = setting.cover or plate_for(Scene(id="", title=skin.name, hook=skin.about), "").partition("/")[2]
    return replace(skin, cover=cover, adventure=setting.adventure.title if setting.adventure else "")


def start(context: WebContext, wanted: Wanted) -> Started:
    """Open a table with seats, sample heroes and a first scene."""
    ruleset = context.book(wanted.game).ruleset
    skin = worn(ruleset, wanted.skin)
    skin = replace(skin, options={**skin.options, **(wanted.options or {})})
    heroes = list(sample_heroes(ruleset, skin).items())[: wanted.seats]
    names = [hero for hero, _ in heroes]
    return start_table(
        context.host,
        ruleset,
        name=wanted.name.strip() or _free_name(context, ruleset, skin.setting),
        game_master=wanted.game_master.strip() or YOU,
        players=[*map(seat_for, names), *(f"Player {place + 1}" for place in range(len(names), wanted.seats))],
        heroes=list(enumerate(hero for _, hero in heroes)),
        begins=True,
        house=wanted.agreed,
        skin=wanted.skin,
        **skin.given,
    )


def start_alone(context: WebContext, wanted: Wanted) -> Started:
    """Open a table for one person with one hero, in a setting, which has people, moves and an adventure ready.

    An AI runs it where the owner has set a model up. Else the person does, and asks the oracle.
    """
    ruleset = context.book(wanted.game).ruleset
    skins = skins_of(ruleset)
    skin = wanted.skin or (skins[0].id if skins else "")
    alone = replace(wanted, skin=skin, seats=1, game_master=wanted.game_master or ALONE)
    opened = start(context, alone)
    host, (player,) = context.host, opened.players
    for who, one in host.look(opened.table, opened.seat).characters.items():
        if one.seat == player:
            host.act(opened.table, opened.seat, ("give_character", {"character": who, "seat": opened.seat}))
    host.act(opened.table, opened.seat, ("leave_seat", {"seat": player}))
    if context.ai is not None and (models := context.ai.models()):
        model, limits = models[0].name, Limits()
        context.ai.seat(opened.table, opened.seat, name="Vesper", role=AiRole.GAME_MASTER, model=model, limits=limits)
    return opened


def table_link(context: WebContext, table: str, *, anew: bool = False) -> str:
    """The secret of the link by which people choose their seats at a table. A new one ends those before it."""
    known = context.table_links.get(table, "")
    if anew or not context.auth.find(known, PassKind.INVITATION):
        context.auth.withdraw_table_link(table)
        known = context.table_links[table] = context.auth.issue(PassKind.INVITATION, table)
    return known


def _free_name(context: WebContext, ruleset: Ruleset, setting: Setting) -> str:
    """A name for a table that nobody has named: its adventure's, with a number where it is taken."""
    adventure = (setting if setting.adventure else first_setting(ruleset)).adventure
    usual = (adventure.title if adventure else f"An evening of {ruleset.name}")[: LONGEST_NAME - 5]
    taken = {one.name for one in titles(context.store)}
    return next(name for name in chain([usual], (f"{usual} {n}" for n in count(2))) if name not in taken)


# ---------------------------------------------------------------- choices as inputs


def option_inputs(ruleset: Ruleset, given: Mapping[str, Any]) -> list[Widget]:
    """The game's options that are a plain choice. What only a skin can say is left to skins."""
    return _inputs(ruleset.options, CHOSEN, given)


def house_inputs(given: Mapping[str, Any]) -> list[Widget]:
    """What every table can agree on."""
    return _inputs(HouseOptions, AGREED, given)


def _inputs(kind: type, prefix: str, given: Mapping[str, Any]) -> list[Widget]:
    found: list[Widget] = []
    for field in fields_of(kind):
        made = plain_input(field.shape, given.get(field.name, plain(field.default)), prefix + field.name)
        if made is not None:  # what it means says more than what it is called
            doc = CLAUSE.sub("", field.doc or "") or in_words(field.name)
            found.append(replace(made, label=capitalised(doc)))
    return found
