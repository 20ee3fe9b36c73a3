"""A duel as a game of OpenSpiel, with the real package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from astragal.lab.duels import duel
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.duel import Fighter

pyspiel = pytest.importorskip("pyspiel")

ONE, TWO = Fighter(attack=12, stamina=1, luck=1), Fighter(stamina=1, luck=1)
TURNS = 2


@pytest.mark.slow
def test_expectiminimax_of_openspiel_finds_the_value_that_backward_induction_does() -> None:
    from open_spiel.python.algorithms.minimax import expectiminimax

    from astragal.lab.openspiel import DuelGame

    game = DuelGame(SINEW_STEEL, ONE, TWO, most_turns=TURNS)
    value, _ = expectiminimax(game.new_initial_state(), 100, None, 0)
    assert value == pytest.approx(by_hand(game.rules, game.rules.fight.start, 0, TURNS))


def by_hand(rules: Any, left: Any, acts: int, turns: int) -> float:
    """The same duel with so many turns to go, to the side that acts first."""
    if not (left[0][0] and left[1][0]) or not turns:
        return 0.0 if left[0][0] and left[1][0] else 1.0 if left[0][0] else -1.0
    turn, sign = rules.turn(acts, left), -1 if acts else 1
    worth = []
    for effect in turn.effects:
        after = rules.fight.after(acts, 1 - acts, left, effect)
        unpaid = -np.inf if min(after[acts]) < 0 else np.inf if min(after[1 - acts]) < 0 else None
        worth.append(sign * by_hand(rules, after, 1 - acts, turns - 1) if unpaid is None else unpaid)
    return sign * float(turn.nodes(np.array(worth)[:, None])[-1, 0])


def test_random_play_keeps_the_protocol_of_openspiel_and_ends_within_its_turns() -> None:
    from astragal.lab.openspiel import DuelGame

    game = DuelGame(SINEW_STEEL, ONE, TWO, most_turns=6)
    dice = np.random.default_rng(5)
    ends = []
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(dice.choice(actions, p=np.array(shares) / sum(shares))))
            else:
                state.apply_action(int(dice.choice(state.legal_actions())))
        ends.append(state.returns())
    assert {sum(end) for end in ends} == {0.0}
    assert {tuple(end) for end in ends} >= {(1.0, -1.0), (-1.0, 1.0)}
    assert duel(SINEW_STEEL, ONE, TWO, first="one").wins > 0.5
