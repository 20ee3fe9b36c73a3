"""Rules that repeat by asking themselves: exact odds of chains of states, circles among them, and best play in them."""

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from astragal.chance import (
    Circular,
    Die,
    EnteredDice,
    NoEnd,
    Odds,
    Offer,
    Others,
    Question,
    Rolls,
    Settled,
    TooManyPaths,
    Waiting,
    advise,
    d4,
    d6,
    d8,
    d10,
    d12,
    d20,
    highest,
    lowest,
    odds,
    play,
    pool,
    replay,
    rule,
)
from astragal.chance.paths import answered_odds
from astragal.chance.steps import is_last_step
from astragal.chance.weigh import Weigher


@rule
def race(mine: int = 0, theirs: int = 0, goal: int = 100) -> Rolls[str]:
    """A d6 against a d8, the d6 first."""
    mine += yield from d6
    if mine >= goal:
        return "d6"
    theirs += yield from d8
    if theirs >= goal:
        return "d8"
    return (yield from race(mine, theirs, goal))


@rule
def usage_die(sides: int) -> Rolls[str]:
    """On a 1 or 2 a usage die becomes smaller; a d4 is used up."""
    if (yield from Die(sides)) > 2:
        return (yield from usage_die(sides))
    if sides > 4:
        return (yield from usage_die(sides - 2))
    return "used up"


@rule
def uses(sides: int, times: int = 0, most: int = 60) -> Rolls[int]:
    """How often a usage die is thrown until it is used up."""
    times += 1
    if times == most:
        return times
    if (yield from Die(sides)) > 2:
        return (yield from uses(sides, times, most))
    if sides > 4:
        return (yield from uses(sides - 2, times, most))
    return times


@rule
def duel(mine: int, theirs: int, my_skill: int = 11, their_skill: int = 9) -> Rolls[str]:
    """Blow by blow; both may miss, and all stays as it was."""
    if (yield from d20) <= my_skill:
        theirs -= yield from d6
        if theirs <= 0:
            return "me"
    if (yield from d20) <= their_skill:
        mine -= yield from d8
        if mine <= 0:
            return "them"
    return (yield from duel(mine, theirs, my_skill, their_skill))


@rule
def five_alike(throws: int, kept: int = 0) -> Rolls[bool]:
    """Five dice, thrown again but for the largest set."""
    if kept < 2:
        kept = yield from pool(5, d6).largest_set()
    else:
        same, new = yield from pool(5 - kept, d6).fold((0, 0), same_and_largest)
        kept = max(kept + same, new)
    if kept == 5 or throws == 1:
        return kept == 5
    return (yield from five_alike(throws - 1, kept))


def same_and_largest(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
    """How many show the face that was kept (a 6, whatever it is), and the largest set of the others."""
    same, largest = state
    return (count, largest) if face == 6 else (same, max(largest, count))


@rule
def rounds_to_win(hp: int) -> Rolls[int]:
    hp -= yield from d8
    if hp <= 0:
        return 1
    return 1 + (yield from rounds_to_win(hp))


def test_a_race_to_a_hundred_is_solved() -> None:
    assert round(float(odds(race()).chance("d8")), 6) == 0.948548
    assert odds(race(goal=1)).chance("d6") == 1


def test_a_race_is_the_same_by_all_its_throws() -> None:
    """The d8 wins if it needs fewer throws: counted from the sums of so many dice."""

    def chance_not_there(die: Any, throws: int, goal: int) -> Fraction:
        return odds(throws @ die).chance(lambda total: total < goal) if throws else Fraction(1)

    goal = 20
    wins = Fraction(0)
    for throws in range(1, goal + 1):
        there_now = chance_not_there(d8, throws - 1, goal) - chance_not_there(d8, throws, goal)
        wins += there_now * chance_not_there(d6, throws, goal)
    assert odds(race(goal=goal)).chance("d8") == wins


def test_a_usage_die_lasts_as_long_as_its_closed_form_says() -> None:
    """A die of n sides is thrown until it shows 1 or 2, n / 2 times on average."""
    assert odds(usage_die(12)) == Odds.certain("used up")
    found = odds(uses(4))
    for times in range(1, 60):
        assert found.chance(times) == Fraction(1, 2) ** times
    assert abs(odds(uses(8, most=400)).mean() - (4 + 3 + 2)) < Fraction(1, 10**9)


def test_a_duel_with_misses_ends_though_nothing_may_happen_in_a_round() -> None:
    hit, foe = Fraction(11, 20), Fraction(9, 20)
    assert odds(duel(1, 1)).chance("me") == hit / (1 - (1 - hit) * (1 - foe))
    assert sum(odds(duel(30, 30)).chances().values()) == 1


def test_five_alike_in_three_throws() -> None:
    assert round(float(odds(five_alike(3)).chance(True)), 4) == 0.0460
    assert odds(five_alike(1)).chance(True) == Fraction(1, 1296)


def test_rounds_are_counted_by_what_the_next_rounds_come_to() -> None:
    assert max(odds(rounds_to_win(60)).weights) == 60
    assert odds(rounds_to_win(60)).mean() == odds(counted_rounds(60)).mean()


@rule
def counted_rounds(hp: int, rounds: int = 0) -> Rolls[int]:
    hp -= yield from d8
    rounds += 1
    return rounds if hp <= 0 else (yield from counted_rounds(hp, rounds))


def test_a_thousand_questions_deep_is_no_recursion() -> None:
    deep = 3 * sys.getrecursionlimit()
    assert odds(turned_so_often(deep)) == Odds.certain(deep % 2 == 0)


@rule
def turned_so_often(times: int) -> Rolls[bool]:
    yield from d6
    return True if times == 0 else not (yield from turned_so_often(times - 1))


# ---------------------------------------------------------------- circles


@rule
def gambler(coins: int, goal: int) -> Rolls[bool]:
    coins += 1 if (yield from d20) <= 9 else -1
    return coins == goal if coins in (0, goal) else (yield from gambler(coins, goal))


@rule
def snakes(square: int) -> Rolls[str]:
    """A short board: from 5 back to 1, from 3 on to 7; past 9 one waits."""
    square += yield from d4
    square = {5: 1, 3: 7}.get(square, square)
    if square > 9:
        return "overshot"
    return "home" if square == 9 else (yield from snakes(square))


@rule
def first_blow(who: str = "first") -> Rolls[str]:
    if (yield from d6) == 6:
        return who
    return (yield from second_blow(who))


@rule
def second_blow(who: str) -> Rolls[str]:
    return (yield from first_blow("second" if who == "first" else "first"))


@rule
def never_ends(number: int = 0) -> Rolls[int]:
    yield from d6
    return (yield from never_ends(1 - number))


@rule
def may_be_stuck(stuck: bool = False) -> Rolls[int]:
    if not stuck and (yield from d6) > 3:
        return 0
    yield from d6
    return (yield from may_be_stuck(True))


@rule
def turned_round(left: int) -> Rolls[bool]:
    """In a circle, and something is done with what it comes to."""
    if (yield from d6) == 6:
        return True
    return not (yield from turned_round(left))


@rule
def climbs_for_ever(height: int = 0) -> Rolls[int]:
    height += yield from d6
    return (yield from climbs_for_ever(height))


@rule
def grows_in_two_ways(one: int = 0, two: int = 0) -> Rolls[int]:
    one += yield from d20
    two += yield from d20
    return (yield from grows_in_two_ways(one, two)) if one + two < 10**6 else one


@rule
def counts_for_ever() -> Rolls[int]:
    if (yield from d6) == 6:
        return 0
    return 1 + (yield from counts_for_ever())


def test_a_gambler_is_ruined_as_the_textbook_says() -> None:
    ratio = Fraction(11, 9)
    assert odds(gambler(5, 12)).chance(True) == (1 - ratio**5) / (1 - ratio**12)


def test_a_long_circle_is_solved_exactly() -> None:
    assert odds(gambler(150, 300)).chance(True) == 1 / (1 + Fraction(11, 9) ** 150)


def test_rules_may_ask_each_other_in_a_circle() -> None:
    assert odds(first_blow()).chance("first") == Fraction(6, 11)


@pytest.mark.parametrize("question", [never_ends(), may_be_stuck()])
def test_what_nothing_ends_is_refused_by_name(question: Question[int]) -> None:
    with pytest.raises(Circular, match="would be asked for ever"):
        odds(question)


@pytest.mark.parametrize("question", [turned_round(3), counts_for_ever()])
def test_a_circle_that_does_something_with_the_answer_is_told_to_ask_last(question: Question[Any]) -> None:
    with pytest.raises(Circular, match=r"last step, return \(yield from …\)"):
        odds(question)


def test_a_chain_that_never_ends_is_refused_with_its_cure() -> None:
    with pytest.raises((NoEnd, TooManyPaths)):
        odds(climbs_for_ever())
    with pytest.raises(TooManyPaths, match="Carry less in the arguments"):
        odds(grows_in_two_ways())


# ---------------------------------------------------------------- the last step


def left_to_another(number: int) -> Rolls[int]:
    return (yield from counted_rounds(number))


@rule
def many_steps(number: int) -> Rolls[int]:
    face = yield from d6
    if face == 1:
        return (yield from counted_rounds(number))
    if face == 2:
        return (yield from left_to_another(number))
    if face == 3:
        return number if number > 100 else (yield from counted_rounds(number))
    if face == 4:
        return (yield from counted_rounds(number)) if number < 100 else number
    if face == 5:
        return abs((yield from counted_rounds(number)))
    try:
        return (yield from counted_rounds(number))
    finally:
        number += 1


@pytest.mark.parametrize(("face", "is_last"), [(1, True), (2, True), (3, True), (4, True), (5, False)])
def test_the_last_step_is_seen_where_nothing_follows(face: int, is_last: bool) -> None:
    run = many_steps(2).begin()
    next(run)
    assert not is_last_step(run)
    assert isinstance(run.send(face), Question)
    assert is_last_step(run) is is_last


def test_what_follows_the_last_step_is_never_left_out() -> None:
    assert odds(many_steps(2)) == odds(counted_rounds(2))


# ---------------------------------------------------------------- thirty rules against value iteration

Step = Callable[[Any], list[tuple[Any, float]]]
"""From a state, the states and verdicts (marked by a tuple with "end") that follow, with their probabilities."""


def iterated(start: Any, step: Step, wanted: Any) -> float:
    """The chance of a verdict by value iteration over all states that can be reached."""
    states, places = [start], {start: 0}
    moves: list[list[tuple[int | None, float]]] = []
    for state in states:
        row: list[tuple[int | None, float]] = []
        for following, share in step(state):
            if following[0] == "end":
                row.append((None, share * (following[1] == wanted)))
                continue
            if following not in places:
                places[following] = len(states)
                states.append(following)
            row.append((places[following], share))
        moves.append(row)
    matrix = np.zeros((len(states), len(states)))
    ends = np.zeros(len(states))
    for place, row in enumerate(moves):
        for to, share in row:
            if to is None:
                ends[place] += share
            else:
                matrix[place, to] += share
    values = ends
    for _ in range(5_000):
        values = ends + matrix @ values
    return float(values[0])


def duel_step(my_skill: int, their_skill: int) -> Step:
    def step(state: Any) -> list[tuple[Any, float]]:
        mine, theirs = state
        found: list[tuple[Any, float]] = []
        my_blows = [(0, 1 - my_skill / 20)] + [(damage, my_skill / 120) for damage in range(1, 7)]
        their_blows = [(0, 1 - their_skill / 20)] + [(damage, their_skill / 160) for damage in range(1, 9)]
        for damage, share in my_blows:
            if theirs - damage <= 0:
                found.append((("end", "me"), share))
                continue
            for hurt, chance in their_blows:
                end = ("end", "them") if mine - hurt <= 0 else (mine - hurt, theirs - damage)
                found.append((end, share * chance))
        return found

    return step


def race_step(goal: int) -> Step:
    def step(state: Any) -> list[tuple[Any, float]]:
        mine, theirs = state
        found: list[tuple[Any, float]] = []
        for one in range(1, 7):
            if mine + one >= goal:
                found.append((("end", "d6"), 1 / 6))
                continue
            for two in range(1, 9):
                end = ("end", "d8") if theirs + two >= goal else (mine + one, theirs + two)
                found.append((end, 1 / 48))
        return found

    return step


def gambler_step(goal: int) -> Step:
    def step(state: Any) -> list[tuple[Any, float]]:
        found: list[tuple[Any, float]] = []
        for coins, share in ((state[0] + 1, 9 / 20), (state[0] - 1, 11 / 20)):
            found.append((("end", coins == goal) if coins in (0, goal) else (coins,), share))
        return found

    return step


def snakes_step(state: Any) -> list[tuple[Any, float]]:
    found: list[tuple[Any, float]] = []
    for face in range(1, 5):
        square = {5: 1, 3: 7}.get(state[0] + face, state[0] + face)
        end = ("end", "overshot" if square > 9 else "home") if square >= 9 else (square,)
        found.append((end, 1 / 4))
    return found


def uses_step(most: int) -> Step:
    def step(state: Any) -> list[tuple[Any, float]]:
        sides, times = state
        times += 1
        if times == most:
            return [(("end", times), 1.0)]
        smaller = (sides - 2, times) if sides > 4 else ("end", times)
        return [((sides, times), 1 - 2 / sides), (smaller, 2 / sides)]

    return step


AGAINST_ITERATION: list[tuple[Question[Any], Any, Step, Any]] = [
    *[
        (duel(mine, theirs, my_skill, their_skill), (mine, theirs), duel_step(my_skill, their_skill), "me")
        for mine, theirs, my_skill, their_skill in (
            (1, 1, 1, 1),
            (5, 5, 10, 10),
            (8, 12, 11, 9),
            (12, 8, 3, 17),
            (20, 20, 19, 2),
            (10, 10, 20, 20),
            (15, 9, 6, 6),
            (3, 14, 15, 4),
        )
    ],
    *[(race(goal=goal), (0, 0), race_step(goal), "d6") for goal in (2, 5, 9, 13, 20, 28)],
    *[
        (gambler(coins, goal), (coins,), gambler_step(goal), True)
        for coins, goal in ((1, 2), (1, 3), (2, 5), (5, 8), (9, 10), (10, 20))
    ],
    *[(snakes(square), (square,), snakes_step, "home") for square in (0, 1, 2, 4, 6, 8)],
    *[(uses(sides, most=30), (sides, 0), uses_step(30), 5) for sides in (4, 6, 8, 12)],
]


def test_thirty_rules_come_to_what_value_iteration_comes_to() -> None:
    assert len(AGAINST_ITERATION) == 30
    for question, start, step, wanted in AGAINST_ITERATION:
        assert abs(float(odds(question).chance(wanted)) - iterated(start, step, wanted)) < 1e-9, question


@pytest.mark.parametrize("question", [duel(14, 14), race(goal=30), uses(12, most=50), gambler(20, 40)])
def test_layers_in_lanes_lead_where_the_paths_lead(question: Question[Any]) -> None:
    from astragal.chance.lanes import ChainWeigher

    assert ChainWeigher().weigh(question) == Weigher().weigh(question)


# ---------------------------------------------------------------- decisions


@rule
def pig(mine: int, theirs: int, turn: int = 0, who: str = "first", goal: int = 100) -> Rolls[str]:
    """Roll and add, or hold; a 1 loses the turn's points."""
    other = "second" if who == "first" else "first"
    if (yield from Offer(who, "roll", (True, False))):
        face = yield from d6
        if face == 1:
            return (yield from pig(theirs, mine, 0, other, goal))
        if mine + turn + face >= goal:
            return who
        return (yield from pig(mine, theirs, turn + face, who, goal))
    return (yield from pig(theirs, mine + turn, 0, other, goal))


@rule
def push_on(total: int = 0, most: int = 20) -> Rolls[int]:
    """Add dice as long as one likes; a 1 takes everything."""
    if not (yield from Offer("hero", "again", (False, True))):
        return total
    face = yield from d6
    if face == 1 or total + face > most:
        return 0
    return (yield from push_on(total + face, most))


def first_wins(winner: str) -> bool:
    return winner == "first"


def test_whoever_begins_a_game_of_pig_has_the_advantage_that_value_iteration_finds() -> None:
    goal = 10
    chances: dict[tuple[int, int, int], float] = {}
    for _ in range(300):
        for mine in range(goal):
            for theirs in range(goal):
                for turn in range(goal - mine):
                    hold = 1 - chances.get((theirs, mine + turn, 0), 0.0)
                    roll = (1 - chances.get((theirs, mine, 0), 0.0)) / 6
                    for face in range(2, 7):
                        after = turn + face
                        roll += (1.0 if mine + after >= goal else chances.get((mine, theirs, after), 0.0)) / 6
                    chances[mine, theirs, turn] = max(hold, roll)
    advice = advise(pig(0, 0, goal=goal), first_wins, side="first", others=Others.OPPOSE)
    assert abs(float(advice.value) - chances[0, 0, 0]) < 1e-9
    assert advice.next.best is True
    assert advice.odds.chance("first") == advice.value


def test_in_a_game_too_large_for_fractions_the_advice_says_how_precise_it_is() -> None:
    advice = advise(pig(0, 0, goal=14), first_wins, side="first", others=Others.OPPOSE)
    assert advice.basis.endswith("to within 1e-12")
    assert abs(float(advice.odds.chance("first")) - float(advice.value)) < 1e-11


def test_one_goes_on_as_long_as_it_is_worth_it() -> None:
    advice = advise(push_on(), lambda total: total, side="hero")
    best = dict.fromkeys(range(27), 0.0)
    for total in reversed(range(21)):
        again = sum(best[total + face] for face in range(2, 7) if total + face <= 20) / 6
        best[total] = max(total, again)
    assert abs(float(advice.value) - best[0]) < 1e-12
    assert advice.odds.mean() == advice.value
    assert all(choice.path[0].rule is push_on for choice in advice.choices[1:])


def test_a_side_that_never_decides_in_a_game_is_refused() -> None:
    with pytest.raises(ValueError, match="'villain' never decides"):
        advise(push_on(), lambda total: total, side="villain")


def test_answers_in_a_loop_are_waited_for_and_replayed() -> None:
    dice = [4, 3, 5]
    played = play(push_on(), EnteredDice(dice))
    asked = 0
    while isinstance(played, Waiting):
        assert played.need == Offer("hero", "again", (False, True))
        advice = advise(played, lambda total: total, side="hero")
        assert advice.next.values[False] == sum(dice[:asked])
        asked += 1
        played = played.resume(EnteredDice(dice[len(played.record.rolled) :]), asked <= 3)
    assert isinstance(played, Settled)
    assert played.value == 12
    assert replay(push_on(), played.record) == 12


def test_the_odds_of_a_waiting_loop_are_those_of_the_answers_that_follow() -> None:
    waiting = play(push_on(), EnteredDice([4])).resume(EnteredDice([4]), True)  # type: ignore[union-attr]
    assert isinstance(waiting, Waiting)
    assert answered_odds(push_on(), [False], after=waiting.record) == Odds.certain(4)
    assert answered_odds(push_on(), [True], after=waiting.record) == Odds({0: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1}, 6)


@rule
def nested_for_ever(total: int = 0) -> Rolls[int]:
    """Asks itself with decisions, and adds to what that comes to."""
    again = yield from Offer("hero", "again", (True, False))
    face = yield from d6
    if not again or face == 1:
        return face
    return face + (yield from nested_for_ever(total + 1))


def test_decisions_inside_decisions_without_end_are_refused_with_the_cure() -> None:
    with pytest.raises(NoEnd, match=r"last step, return \(yield from …\)"):
        advise(nested_for_ever(), lambda total: total, side="hero")


def test_what_goes_on_for_ever_is_refused_within_seconds() -> None:
    """In a process of its own, so that a fault here does not hang the tests."""
    code = """
from tests.chance.test_states import climbs_for_ever, grows_in_two_ways, nested_for_ever
from astragal.chance import Unweighable, advise, odds
for question in (climbs_for_ever(), grows_in_two_ways()):
    try:
        odds(question)
    except Unweighable:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["refused", "refused"]


@rule
def two_pools(left: int) -> Rolls[int]:
    return (yield from highest(2, d10)) + (yield from lowest(2, d12)) if left == 0 else (yield from two_pools(left - 1))


def test_a_chain_may_end_in_dice_that_are_added() -> None:
    assert odds(two_pools(3)) == odds(highest(2, d10)).joined(odds(lowest(2, d12)), lambda one, two: one + two)
