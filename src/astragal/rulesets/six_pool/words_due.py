"""What is due in this game, in words: help to be judged, group checks, rests to roll for, and those who are down."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.ruleset import Teller

from .game import Table


def offered_help(state: Table, teller: Teller) -> Iterator[str]:
    """SP-15: the game master says whether help is meaningful."""
    for one in state.game.help_offered.values():
        whom = f"{teller.name(one.who)} offers {teller.name(one.ally)} help ({one.skill})"
        yield f"{whom}: say whether it is meaningful (judge_help, offer {one.id})."


def group_checks(state: Table, teller: Teller) -> Iterator[str]:
    """SP-14: all roll."""
    for group in state.game.groups.values():
        missing = [teller.name(who) for who in group.members if who not in group.rolled]
        if missing:
            yield f"The group check waits for {' and '.join(missing)} (check)."


def rests(state: Table, teller: Teller) -> Iterator[str]:
    """SP+03: a short rest is rolled for, and its points are spread."""
    for who in state.game.resting:
        yield f"{teller.name(who)} has rested and not rolled for it (recover)."
    for who, points in state.game.recovered.items():
        yield f"{teller.name(who)} has {points} points to spread (spread)."


def down(state: Table, teller: Teller) -> Iterator[str]:
    """SP+04: at 0 one is down. What becomes of foes is nobody's business here."""
    if not state.options.hit_points:
        return
    for one in state.characters.values():
        if one.sheet.is_hero and one.sheet.numbers.is_down:
            yield f"{teller.name(one.id)} is down: say what that means, or let somebody help (heal)."


DUE = (offered_help, group_checks, rests, down)
