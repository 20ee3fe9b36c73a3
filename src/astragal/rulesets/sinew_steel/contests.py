"""Opposed tests at the table. SS-07, SS-08, SS-23, SS-30, SS-33."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.chance import Question
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character

from . import words
from .able import check_able, check_acts, decider
from .asked import Oppose, Strike
from .circumstances import Circumstances, check_circumstances, ground, is_closed, known_key, score_on, stand
from .fortune import WITH_LUCK, spent_by
from .happened import Opposed
from .opposed import Contest, Side, opposed_test
from .sheet import Sheet, find
from .shown import shown


def check_two(attacker: Character[Sheet], defender: Character[Sheet]) -> None:
    if attacker.id == defender.id:
        raise Refusal(f"{attacker.name} can't be on both sides.", code="one_side")


def defence_score(call: Call, who: Character[Sheet], key: str, named: int | None) -> int:
    """SS-33: the custodian may name a score for somebody of theirs, and must where Luck without tokens defends."""
    if named is not None:
        if not call.viewer.is_game_master or who.sheet.is_hero:
            raise NotAllowed("Only the game master names a score, and not for a hero.")
        return named
    if key == call.state.options.luck and not who.sheet.is_hero and not who.sheet.luck:
        raise Refusal(f"{who.name} holds no tokens: the game master names a score.", code="no_tokens")
    return score_on(call.state, who, key)


def _named(asked: Oppose) -> Circumstances:
    return Circumstances(asked.advantage, asked.disadvantage)


def _defence_named(asked: Oppose) -> Circumstances:
    return Circumstances(asked.defence_advantage, asked.defence_disadvantage)


def _ask_opposed(call: Call, asked: Oppose) -> Question[Contest]:
    state = call.state
    attacker, defender = find(state, asked.attacker), find(state, asked.defender)
    key, other_key = (known_key(state.options, one) for one in (asked.attribute, asked.defence_attribute))
    check_two(attacker, defender)
    check_acts(call, attacker)
    check_able(defender, on_luck=other_key == state.options.luck and call.viewer.is_game_master)
    check_circumstances(call, _named(asked), key)
    check_circumstances(call, _defence_named(asked), other_key)
    return opposed_test(
        score_on(state, attacker, key),
        defence_score(call, defender, other_key, asked.defence_score),
        stand(call, attacker, key, _named(asked)),
        stand(call, defender, other_key, _defence_named(asked)),
    )


def _tell_opposed(call: Call, asked: Oppose, contest: Contest) -> list[Any]:
    state = call.state
    attacker, defender = find(state, asked.attacker), find(state, asked.defender)
    key, other_key = (known_key(state.options, one) for one in (asked.attribute, asked.defence_attribute))
    assert contest.defence is not None  # noqa: S101 - an opposed test has two sides
    opposed = Opposed(
        attacker=attacker.id,
        defender=defender.id,
        attack=shown(attacker, key, ground(state, attacker, key, _named(asked)), contest.attack),
        defence=shown(defender, other_key, ground(state, defender, other_key, _defence_named(asked)), contest.defence),
        winner=contest.winner,
        stakes=asked.stakes,
    )
    return [*spent_by(state, (attacker.id, contest.attack), (defender.id, contest.defence)), opposed]


def sides(call: Call, asked: Oppose | Strike) -> Mapping[str, str]:
    return {side: decider(call.state, getattr(asked, side)) for side in ("attacker", "defender")}


def _either_is_closed(call: Call, asked: Oppose) -> bool:
    return any(is_closed(find(call.state, who)) for who in (asked.attacker, asked.defender))


CONTESTS = Chapter(
    actions=(
        Action(
            Oppose,
            _tell_opposed,
            gather=_ask_opposed,
            sides=sides,
            outcome=lambda contest: contest.winner,
            hopes=lambda winner: winner is Side.ATTACKER,
            policies=WITH_LUCK,
            hides=_either_is_closed,
        ),
    ),
    happenings=(Happening(Opposed, words.opposed, went=words.opposed_went),),
)
