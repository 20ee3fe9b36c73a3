"""OpenSpiel: a duel as a two-player zero-sum game with chance nodes, so that its algorithms can be run on it.

Needs the package `open-spiel`. A duel can go on for ever, so the game is a draw after `most_turns`.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from astragal.table.authoring.ruleset import Ruleset

from . import duels, solving, turns

MOST_TURNS = 100


class DuelRules:
    """The fight, shared by all states. OpenSpiel copies states deeply, and this never changes."""

    def __init__(self, fight: solving.Fight, most_turns: int) -> None:
        self.fight = fight
        self.most_turns = most_turns

    def __deepcopy__(self, _: Any) -> DuelRules:
        return self

    def turn(self, acts: int, left: solving.Lefts) -> turns.Turn:
        return self.fight.turn(acts, 1 - acts, left)

    def widest(self) -> int:
        """Return the most ways on from a node of the first turns, which are the fullest."""
        fullest = [self.turn(acts, self.fight.start) for acts in (0, 1)]
        return max(len(turn.ways(node)) for turn in fullest for node in range(len(turn.effects), turn.count))


class DuelGame(pyspiel.Game):  # type: ignore[misc] # the package has no types
    """Duel of two fighters of a game; the first acts first."""

    def __init__(self, game: Ruleset, one: Any, two: Any, *, options: Any = None, most_turns: int = MOST_TURNS) -> None:
        options = game.options() if options is None else options
        plays = (solving.Play.BEST, solving.Play.BEST)
        fight = solving.Fight(duels.duel_of(game), options, ([one], [two]), plays)
        self.rules = DuelRules(fight, most_turns)
        widest = self.rules.widest()
        kind = pyspiel.GameType(
            short_name=f"astragal_{game.id}",
            long_name=f"A duel of {game.name}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=widest,
            max_chance_outcomes=widest,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_turns * 4,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> DuelState:
        return DuelState(self)


class DuelState(pyspiel.State):  # type: ignore[misc] # as above
    """State of a duel: what both have left, who acts, and how far the turn has come."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._left: solving.Lefts = game.rules.fight.start
        self._acts = 0
        self._turns = 0
        self._node = -1
        self._begin()

    def _begin(self) -> None:
        both_stand = self._left[0][0] and self._left[1][0]
        if both_stand and self._turns < self._rules.most_turns:
            self._node = self._turn.count - 1
        else:
            self._node = -1

    @property
    def _turn(self) -> turns.Turn:
        return self._rules.turn(self._acts, self._left)

    def is_terminal(self) -> bool:
        return self._node < 0

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        side = self._turn.decides(self._node)
        if side is None:
            return int(pyspiel.PlayerId.CHANCE)
        return self._acts if side else 1 - self._acts

    def _legal_actions(self, _: int) -> list[int]:
        turn = self._turn
        mine = self._left[self._acts]
        theirs = self._left[1 - self._acts]
        ways = enumerate(turn.ways(self._node))
        return [action for action, way in ways if turn.is_payable(way.node, mine, theirs)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, way.chance) for number, way in enumerate(self._turn.ways(self._node))]

    def _apply_action(self, action: int) -> None:
        self._node = self._turn.ways(self._node)[action].node
        if self._node < len(self._turn.effects):
            self._left = self._rules.fight.after(self._acts, 1 - self._acts, self._left, self._turn.effects[self._node])
            self._acts = 1 - self._acts
            self._turns += 1
            self._begin()

    def _action_to_string(self, player: int, action: int) -> str:
        actor = "chance" if player < 0 else f"side {player}"
        return f"{actor}: way {action}"

    def returns(self) -> list[float]:
        if self._left[0][0] and self._left[1][0]:
            return [0.0, 0.0]
        won = 1.0 if self._left[0][0] else -1.0
        return [won, -won]

    def __str__(self) -> str:
        return f"{self._left} side {self._acts} turn {self._turns} node {self._node}"
