"""What lies on the table for all: group checks under way, help that is offered, points still to be spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astragal.table.furniture import Choices, Piece, Pips

from .game import GroupRoll, HelpOffer, Table


def board(state: Table) -> Sequence[Piece]:
    return list(_pieces(state))


def _pieces(state: Table) -> Iterator[Piece]:
    game = state.game
    named = {who: character.name for who, character in state.characters.items()}
    for group in game.groups.values():
        yield Pips("Group check: rolled", len(group.rolled), len(group.members), _members(group, named))
    if game.help_offered:
        offers = tuple((named.get(one.who, ""), f"{named.get(one.ally, '')}, {one.skill}") for one in _helps(state))
        yield Choices("Help offered", offers)
    if game.recovered:
        rows = tuple((named.get(who, ""), f"{points} points to spread") for who, points in game.recovered.items())
        yield Choices("Recovered", rows)


def _helps(state: Table) -> Sequence[HelpOffer]:
    return list(state.game.help_offered.values())


def _members(group: GroupRoll, named: dict[str, str]) -> str:
    waiting = [named.get(who, "") for who in group.members if who not in group.rolled]
    return f"{', '.join(waiting)} still to roll" if waiting else "all have rolled"
