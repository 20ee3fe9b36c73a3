"""Heroes on paper, tried out at a table for a moment by the same rules as any other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.commands.skin import read_text
from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.shared.context import AppContext
from astragal.table.fields.validation import read_json
from astragal.table.log.decoders import convert
from astragal.table.refusals import NotAllowed, Refusal
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.authoring.ruleset import HeroBook, Ruleset


@frozen
class Step:
    """A command that was given since a hero was made."""

    command: str
    fields: Mapping[str, Any]


@frozen(kw_only=True)
class Paperwork:
    """A hero on paper: of which game, made how, and grown by which commands since. As its file has it."""

    game: str
    skin: str = ""
    terms: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    hero: Mapping[str, Any]
    since: tuple[Step, ...] = ()

    @property
    def name(self) -> str:
        return str(self.hero.get("name", "a hero"))

    def grown(self, step: Step) -> Paperwork:
        return replace(self, since=(*self.since, step))

    def written(self) -> str:
        said = {key: value for key, value in msgspec.to_builtins(self).items() if value}
        return json.dumps({"astragal": "hero", **said}, ensure_ascii=False, indent=2) + "\n"


def read_paper(file: Path) -> Paperwork:
    """A hero's file, or why it is none."""
    try:
        found: Paperwork = convert(read_json(read_text(file)), Paperwork)
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        raise BadCall(f"{file} is no hero's file: it is JSON with a game and a hero, as hero new writes it.") from fault
    return found


def heroes_of(game: Ruleset) -> HeroBook:
    if game.heroes is None:
        raise Declined(
            f"{game.name} does not say how its heroes are made outside of a table; make one with astragal do."
        )
    return game.heroes


@contextmanager
def tried_out(context: Context, paper: Paperwork) -> Iterator[Place]:
    """A table with this hero at it. Raises the game's own refusal where the hero is not legal."""
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.starter import start_table

    game = context.game(paper.game)
    store = context.store("memory:")
    try:
        host = context.host(store, (game,))
        opened = start_table(
            host,
            game,
            name="Workshop",
            game_master="Workshop",
            players=["Player"],
            options=paper.options,
            skin=paper.skin,
            terms=paper.terms,
        )
        place = Place(AppContext(host, store), opened.table, opened.players[0])
        place.act(heroes_of(game).make, paper.hero)
        master = replace(place, seat=opened.seat)
        for step in paper.since:
            give(place, master, step)
        yield place
    finally:
        store.close()


def give(player: Place, master: Place, step: Step) -> None:
    """The player's command, or the game master's where it is theirs alone. Chance has no place on paper."""
    fields = {**step.fields}
    try:
        outcome = player.act(step.command, fields)
    except NotAllowed:
        outcome = master.act(step.command, fields)
    if any(event.name == "rolled" for event in outcome.events):
        raise Declined(f"{step.command} is rolled for: that happens at a table, not on paper.")


def reasons_against(context: Context, paper: Paperwork) -> list[str]:
    """Everything that keeps the hero from being played; nothing for one that is legal."""
    try:
        with tried_out(context, paper):
            return []
    except Refusal as refusal:
        return list(refusal.problems)
