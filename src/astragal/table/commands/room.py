"""Room on a table: so many things of a kind, and so many of one player's. Everybody's page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astragal.table.fields.values import is_value, parts_of
from astragal.table.refusals import Refusal
from astragal.table.state.seats import Viewer
from astragal.table.state.table import State

MOST = 1_000
"""Things of one kind on a table: people, scenes, clocks, save nodes."""
MOST_OF_A_PLAYER = 60
"""Of those that one player brought: heroes, notes, proposals, offers."""
MOST_ON_A_SHEET = 200
"""Of what one character has of a kind."""
SEATS = ("author", "by", "seat", "owner")
CHARACTERS = ("who", "character", "hero", "target")
"""Fields that say whose a thing is."""


def check_room(before: State, after: State, viewer: Viewer) -> None:
    """Refuse one more where there are too many already. What goes on, or becomes less, is never refused."""
    for name, was, now in _grown(before, after):
        label = name.replace("_", " ")
        if len(now) > MOST:
            raise Refusal(f"There are {len(was)} {label} at this table, and no room for more.", code="too_many")
        if not viewer.is_game_master:
            own = sum(_is_of(thing, viewer) for thing in now.values())
            if own > MOST_OF_A_PLAYER:
                raise Refusal(
                    f"You have {own - 1} {label} at this table, and there is room for {MOST_OF_A_PLAYER}.",
                    code="too_many",
                )
    for who, character in after.characters.items() if after.characters is not before.characters else ():
        earlier = before.characters.get(who)
        if earlier is not character:
            _check_sheet(character.name, earlier.sheet if earlier else None, character.sheet)


def _grown(before: State, after: State) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """The kinds of things of which there are more now."""
    pairs = [(vars(before), vars(after))]
    if before.game is not after.game and is_value(type(after.game)):
        pairs.append((parts_of(before.game), parts_of(after.game)))
    for earlier, later in pairs:
        for name, now in later.items():
            was = earlier.get(name)
            if was is not now and isinstance(now, Mapping) and isinstance(was, Mapping) and len(now) > len(was):
                yield name, was, now


def _is_of(thing: Any, viewer: Viewer) -> bool:
    return any(getattr(thing, name, None) == viewer.seat for name in SEATS) or any(
        getattr(thing, name, None) in viewer.characters for name in CHARACTERS
    )


def _check_sheet(name: str, before: Any, after: Any) -> None:
    for part, now in parts_of(after).items():
        if isinstance(now, (tuple, Mapping)) and len(now) > MOST_ON_A_SHEET:
            was = getattr(before, part, ())
            if len(now) > len(was):
                raise Refusal(f"{name} has {len(was)} {part.replace('_', ' ')}, and no room for more.", code="too_many")
