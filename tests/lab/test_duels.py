"""Duels: solved from the games' own rules, held against brute force, simulation and the real host."""

from __future__ import annotations

import secrets
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import pytest

from astragal.chance import Others, SeededDice, advise, odds
from astragal.lab.duels import Play, duel, solve
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.new_shoes.rules import opposed_approach
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.duel import Fighter
from astragal.rulesets.sinew_steel.fights import attack
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.rulesets.sinew_steel.rolls import Stand
from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from astragal.table.authoring.duels import Duel
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.host import Host
from astragal.table.refusals import NoSuchThing, Refusal
from benchmarks.duels import simulate

BOTH_BEST = (Play.BEST, Play.BEST)


def declared(game: Ruleset) -> Duel:
    assert game.duel is not None
    return game.duel


def fighters(game: Ruleset, *numbers: dict[str, Any]) -> list[Any]:
    return [declared(game).fighter(**one) for one in numbers]


@pytest.mark.slow
def test_a_small_duel_under_best_play_is_what_brute_force_over_every_answer_finds_to_the_last_fraction() -> None:
    """The value of a state is what `advise`, which walks every legal answer, makes of the values of the next ones."""
    one, two = (
        Fighter(attack=11, defence=9, stamina=2, luck=2),
        Fighter(attack=9, defence=10, stamina=1, luck=1, edge=1),
    )
    solved = solve(declared(SINEW_STEEL), SINEW_STEEL.options(), ([one], [two]), BOTH_BEST, exact=True)
    for left in product(product((1, 2), (0, 2)), product((1,), (0, 1))):
        for acts in (0, 1):
            assert brute_force(solved, (one, two), left, acts) == solved.value(acts, left)


def brute_force(solved: Any, sides: tuple[Fighter, Fighter], left: Any, acts: int) -> Fraction:
    acting, other = sides[acts], sides[1 - acts]
    mine, theirs = left[acts], left[1 - acts]
    question = attack(
        acting.attack, other.defence, Stand(luck=mine[1]), Stand(luck=theirs[1]), Blow(acting.edge, other.soak)
    )

    def worth(exchange: Any) -> Fraction:
        assert exchange.defence is not None
        my_left = mine[0], mine[1] - exchange.attack.spent
        their_left = max(0, theirs[0] - exchange.damage), theirs[1] - exchange.defence.spent
        value: Fraction = solved.value(1 - acts, (my_left, their_left) if acts == 0 else (their_left, my_left))
        return 1 - value if acts else value

    if not (mine[1] or theirs[1]):
        found = odds(question)
        value = sum((Fraction(weight, found.total) * worth(one) for one, weight in found.weights.items()), Fraction(0))
    else:
        side = "attacker" if mine[1] else "defender"
        sign = 1 if side == "attacker" else -1
        value = sign * advise(question, lambda one: sign * worth(one), side=side, others=Others.OPPOSE).value
    return 1 - value if acts else value


@pytest.mark.parametrize("play", Play)
def test_floating_point_is_within_its_bound_of_the_fractions(play: Play) -> None:
    one, two = Fighter(attack=12, stamina=2, luck=1), Fighter(defence=11, stamina=2, luck=1, soak=1)
    sides, options = ([one], [two]), SINEW_STEEL.options()
    exact = solve(declared(SINEW_STEEL), options, sides, (play, play), exact=True)
    quick = solve(declared(SINEW_STEEL), options, sides, (play, play), exact=False)
    assert 0 < quick.bound < 1e-9
    assert all(abs(quick.value(acts) - exact.value(acts)) <= quick.bound for acts in (0, 1))
    flow = exact.flow((Fraction(1), Fraction(0)))
    assert sum(chance for left, chance in flow.ends() if left[0][0]) == exact.value(0)
    assert sum(flow.ends_by_turn()) == pytest.approx(1)


@pytest.mark.slow
def test_best_play_wins_at_least_as_often_as_any_policy_against_the_same_foe() -> None:
    one, two = Fighter(luck=4, stamina=3), Fighter(attack=11, stamina=3)
    wins = {play: duel(SINEW_STEEL, one, two, play=(play, Play.DECLINE)).wins for play in Play}
    assert wins[Play.BEST] > wins[Play.GREEDY] > wins[Play.DECLINE]


@pytest.mark.slow
def test_a_simulated_duel_is_within_three_sigma_and_the_same_however_many_threads_there_are() -> None:
    one, two = Fighter(luck=3, stamina=3), Fighter(attack=11, stamina=4)
    solved = solve(declared(SINEW_STEEL), SINEW_STEEL.options(), ([one], [two]), BOTH_BEST)
    flow = solved.flow((0.5, 0.5))
    for acts in (0, 1):
        alone = simulate(flow, 200_000, seed=7, acts=acts)
        assert abs(alone.wins - float(solved.value(acts))) < 3 * alone.sigma
        assert simulate(flow, 200_000, seed=7, acts=acts, threads=2) == alone


@pytest.mark.slow
def test_duels_through_the_real_host_come_out_as_solved() -> None:
    """Attack by attack at a table, every offer of Luck declined: within three sigma of the exact chance."""
    one, two = Fighter(attack=14, defence=14, stamina=2, edge=1), Fighter(attack=11, defence=11, stamina=3, soak=1)
    duels, wins = 60, 0
    dice = SeededDice(11)
    host = Host(open_store("memory:"), [SINEW_STEEL], dice=lambda _: dice, clock=lambda: 0, entropy=secrets.token_bytes)
    table = host.open("sinew_steel", name="The yard", game_master="Ada")
    for number in range(duels):
        names = []
        for fighter, gear in ((one, {"name": "axe", "edge": 1}), (two, {"name": "mail", "soak": 1})):
            made = {"score": fighter.attack, "stamina": fighter.stamina, "luck": 2, "gear": [gear], "shown": True}
            host.act(table.table, table.seat, ("make_npc", {"name": f"N{number}-{fighter.attack}", **made}))
            names.append(list(host.look(table.table, table.seat).characters)[-1])
        wins += fought(host, table.table, table.seat, names)
    chance = float(duel(SINEW_STEEL, one, two, play=Play.DECLINE, first="one").wins)
    assert abs(wins / duels - chance) < 3 * sqrt(chance * (1 - chance) / duels)


def fought(host: Host, table: str, seat: str, names: list[str]) -> bool:
    """Whether the first wins, who attacks first."""
    acts = 0
    while True:
        attacker, defender = names[acts], names[1 - acts]
        host.act(table, seat, ("attack", {"attacker": attacker, "defender": defender}))
        while waiting := host.decisions(table, seat):
            host.act(table, seat, ("answer", {"act": waiting[0].act, "answer": 0}))
        if host.look(table, seat).characters[defender].sheet.is_collapsed:
            return acts == 0
        acts = 1 - acts


# ---------------------------------------------------------------- the other games


def test_new_shoes_one_die_each_is_won_by_whoever_first_rolls_more() -> None:
    one = declared(NEW_SHOES).fighter(dice=1)
    found = odds(opposed_approach(1, 1))
    ahead = found.chance(lambda reached: reached.margin > 0)
    behind = found.chance(lambda reached: reached.margin < 0)
    tie = 1 - ahead - behind
    # A tie passes the turn on: x = ahead + tie * (1 - x), since both are the same.
    assert duel(NEW_SHOES, one, one, first="one").fraction == str((ahead + tie) / (1 + tie))


def test_in_new_shoes_and_narraject_those_who_never_roll_do_not_fight_each_other() -> None:
    for game, numbers in ((NEW_SHOES, {"target": 8}), (NARRAJECT, {"level": 2})):
        foe = declared(game).fighter(**numbers)
        with pytest.raises(Refusal):
            duel(game, foe, foe)


@pytest.mark.slow
def test_in_narraject_focus_wins_fights_that_a_bare_hand_loses() -> None:
    hero, threat = fighters(NARRAJECT, {"rating": 3}, {"level": 2})
    wins = [duel(NARRAJECT, hero, threat, play=play).wins for play in Play]
    assert wins == sorted(wins)
    assert wins[0] < 0.65
    assert wins[-1] > 0.9


@pytest.mark.slow
def test_in_six_pool_best_play_hardly_ever_spends_the_last_point_since_an_empty_pool_is_broken() -> None:
    hero, guard = fighters(SIX_POOL, {"points": 4, "hit_points": 8}, {"hit_points": 8})
    best = duel(SIX_POOL, hero, guard)
    assert best.wins > duel(SIX_POOL, hero, guard, play=Play.DECLINE).wins
    assert duel(SIX_POOL, hero, guard, play=Play.GREEDY).wins < best.wins
    (left,) = [one for one in best.left_if_won if one.name == "points"]
    assert left.chances[0] < 0.001
    assert left.chances[1] > 0.9
    unbroken = duel(SIX_POOL, hero, guard, options=SIX_POOL.options(broken_pools=False))
    assert unbroken.wins > best.wins


# ---------------------------------------------------------------- what people read


def test_best_play_is_told_in_sentences_and_drawn() -> None:
    one = Fighter(luck=3, stamina=2)
    found = duel(SINEW_STEEL, one, Fighter(stamina=2), first="one")
    assert any(
        line.startswith("Defending, where the blow would end it: spend Luck to the last") for line in found.policy
    )
    assert {kind: chart.says for kind, chart in found.charts.items()} == {
        "attack": "When to spend Luck to hit",
        "defence": "When to spend Luck to hold",
    }
    assert duel(SINEW_STEEL, one, one, play=Play.DECLINE).policy == ()


def test_a_game_that_does_not_say_how_two_sides_fight_is_named() -> None:
    from examples.lanterns import LANTERNS

    with pytest.raises(NoSuchThing, match="does not say how two sides fight"):
        duel(LANTERNS, None, None)


# ---------------------------------------------------------------- parties


@pytest.mark.parametrize("play", Play)
def test_a_party_of_one_fights_a_duel(play: Play) -> None:
    one, two = Fighter(attack=12, stamina=2, luck=1), Fighter(soak=1, stamina=2)
    alone, party = duel(SINEW_STEEL, one, two, play=play), duel(SINEW_STEEL, [one], [two], play=play, exact=False)
    assert (alone.method, party.method) == ("exact", "solved")
    assert abs(party.wins - alone.wins) <= party.within
    assert party.left_if_won[0].mean == pytest.approx(alone.left_if_won[0].mean)
    assert alone.standing == (alone.wins, alone.loses)


@pytest.mark.slow
def test_best_play_of_a_party_is_what_brute_force_finds_and_beats_every_policy() -> None:
    party, foes = [Fighter(attack=12, stamina=2, luck=1), Fighter(stamina=1, luck=1)], [Fighter(attack=14, stamina=2)]
    solved = solve(declared(SINEW_STEEL), SINEW_STEEL.options(), (party, foes), (Play.BEST, Play.DECLINE), exact=True)
    lefts = ((2, 1), (1, 1), (2, 0))
    question = attack(12, 10, Stand(luck=1), Stand(), Blow(0, 0))

    def worth(exchange: Any) -> Fraction:
        foe = max(0, 2 - exchange.damage), 0
        value: Fraction = solved.value(1, ((2, 1 - exchange.attack.spent), (1, 1), foe))
        return value

    assert solved.value(0, lefts) == advise(question, worth, side="attacker").value
    wins = {play: duel(SINEW_STEEL, party, foes, play=(play, Play.DECLINE)).wins for play in Play}
    assert wins[Play.BEST] >= wins[Play.GREEDY] > wins[Play.DECLINE]


@pytest.mark.slow
def test_a_fight_that_is_too_large_is_played_out_and_says_so() -> None:
    party, foes = [Fighter(attack=12, luck=1), Fighter(attack=11, stamina=3)], [Fighter(), Fighter(stamina=3)]
    plays = Play.GREEDY, Play.DECLINE
    exact = duel(SINEW_STEEL, party, foes, play=plays)
    played = duel(SINEW_STEEL, party, foes, play=(Play.BEST, Play.DECLINE), most_states=1)
    assert (exact.method, played.method) == ("solved", "simulated")
    assert "played 20,000 times, both greedy and decline" in played.sentence
    assert abs(played.wins - exact.wins) < 1.6 * played.within
    assert max(abs(one - two) for one, two in zip(exact.standing, played.standing, strict=True)) < 0.02
    assert played.rounds == pytest.approx(exact.rounds, rel=0.02)
