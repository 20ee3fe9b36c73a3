"""Rules with a loop that nothing ends are refused by name, and take no memory worth mentioning."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from astragal.chance import Die, NoEnd, Offer, Rolls, TooManyPaths, Unweighable, advise, d6, d20, odds, play, rule
from astragal.chance.dice import EnteredDice
from astragal.chance.play import LONGEST_PATH, Settled, Waiting
from astragal.chance.weigh import Weigher

pytest.importorskip("resource", reason="memory is limited by what POSIX alone has")

OPEN_LOOPS = Path(__file__).with_name("open_loops.py")


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What is said of each open loop, asked where memory is short: a program that takes five seconds."""
    done = subprocess.run([sys.executable, OPEN_LOOPS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


def line_with(text: str) -> int:
    lines = OPEN_LOOPS.read_text(encoding="utf-8").splitlines(keepends=True)
    return next(number for number, line in enumerate(lines, 1) if line.endswith(text))


@pytest.mark.slow
def test_no_reading_of_odds_goes_on_for_ever(said: dict[str, str]) -> None:
    weighed = {asked: sentence for asked, sentence in said.items() if not asked.startswith(("play", "contract"))}
    assert len(weighed) > 50
    declined = {f"{reading} of push_your_luck" for reading in ("odds", "few paths", "odds of answers")}
    assert {asked for asked, sentence in weighed.items() if not sentence.startswith("NoEnd: ")} == declined
    assert {said[asked] for asked in declined} == {"answered"}


@pytest.mark.slow
def test_the_refusal_names_the_rule_and_the_line_and_what_to_write_instead(said: dict[str, str]) -> None:
    sentence = said["odds of until_high"]
    line = line_with("# where it stands\n")
    assert f"until_high() has not ended after 1,000 steps; it stands at line {line} of open_loops.py." in sentence
    assert "rerolled(die, faces)" in sentence
    assert "exploding(count, die, ceiling=…)" in sentence
    assert "until(dice, wanted)" in sentence


@pytest.mark.slow
def test_the_refusal_names_the_rule_that_has_the_loop(said: dict[str, str]) -> None:
    for reading in ("odds", "odds of answers", "advise"):
        assert said[f"{reading} of thrice_and_high"].startswith("NoEnd: until_high() has not ended"), reading


@pytest.mark.slow
def test_the_line_is_that_of_the_generator_that_a_rule_leaves_its_work_to(said: dict[str, str]) -> None:
    assert "left_to_another() has not ended" in said["odds of left_to_another"]
    line = line_with("# where it stands, left to another\n")
    assert f"line {line} of open_loops.py" in said["odds of left_to_another"]


@pytest.mark.slow
def test_a_rule_that_asks_ever_deeper_is_refused_by_name(said: dict[str, str]) -> None:
    for reading in ("odds", "advise", "play"):
        assert "ever_deeper(depth=" in said[f"{reading} of ever_deeper"], reading
        assert "no end is in sight" in said[f"{reading} of ever_deeper"], reading


@pytest.mark.slow
def test_play_ends_what_dice_never_would(said: dict[str, str]) -> None:
    assert said["play of a_fortune"].startswith("NoEnd: a_fortune() has not ended after 100,001 steps")
    assert said["play of no_dice"].startswith("NoEnd: no_dice(times=0) has not ended")
    assert said["play of until_high"] == "answered"


def test_a_loop_without_end_is_among_what_has_no_odds() -> None:
    assert issubclass(NoEnd, Unweighable)


@pytest.mark.slow
def test_the_contract_tells_of_decisions_without_end(said: dict[str, str]) -> None:
    assert "raises NoEnd" in said["contract of push_your_luck"]
    assert "push_your_luck() asks on after 1,000 answers" in said["contract of push_your_luck"]


# ---------------------------------------------------------------- what ends is weighed, however long


@rule
def sixes_up_to(most: int) -> Rolls[int]:
    total = 0
    for _ in range(most):
        face = yield from d6
        total += face
        if face < 6:
            break
    return total


@rule
def no_two_alike(times: int) -> Rolls[bool]:
    """The path on which it goes on is no repetition of anything."""
    for turn in range(times):
        if (yield from d20) != turn % 20 + 1:
            return False
    return True


@rule
def many_rounds(rounds: int) -> Rolls[int]:
    """A loop in the rule that asks, not in the one that is asked."""
    thrown = 0
    for _ in range(rounds):
        thrown += yield from a_round()
    return thrown


@rule
def a_round() -> Rolls[int]:
    stays = yield from Offer("hero", "stay", (0, 1))
    return stays + (yield from d6)


@pytest.mark.slow
def test_a_long_path_that_ends_is_weighed() -> None:
    many = LONGEST_PATH // 2
    assert odds(sixes_up_to(many)).chance(6 * many) * 6**many == 1
    assert odds(no_two_alike(200)).chance(True) * 20**200 == 1
    assert odds(sixes_up_to(120), [0]).chance(6 * 120) * 6**120 == 1


@pytest.mark.slow
def test_a_path_may_be_as_long_as_it_says() -> None:
    assert len(odds(sixes_up_to(LONGEST_PATH))) > LONGEST_PATH
    with pytest.raises(NoEnd, match="sixes_up_to"):
        odds(sixes_up_to(LONGEST_PATH + 1))


def test_advice_on_a_path_that_is_too_long_to_go_back_names_the_rule_with_the_loop() -> None:
    with pytest.raises(NoEnd, match=r"^many_rounds\(rounds=2000\) has not ended"):
        advise(many_rounds(2_000), lambda value: value, side="hero")


def test_a_long_game_of_decisions_is_played_to_its_end() -> None:
    question = many_rounds(3)
    played = play(question, EnteredDice([1, 2, 3]))
    while isinstance(played, Waiting):
        played = played.resume(EnteredDice([1, 2, 3][len(played.record.rolled) :]), 1)
    assert isinstance(played, Settled)
    assert played.value == 9


@rule
def largest_set_by_hand(dice: int) -> Rolls[int]:
    faces = []
    for _ in range(dice):
        faces.append((yield from d20))
    return max(faces.count(face) for face in faces)


@pytest.mark.slow
def test_far_too_many_paths_are_refused_at_once_with_what_to_write_instead() -> None:
    """To walk as many as are allowed takes a minute; a few paths picked at random tell that it would be in vain."""
    with pytest.raises(TooManyPaths, match=r"too many paths .* pool\(8, d10\)\.largest_set\(\)"):
        Weigher().weigh(largest_set_by_hand(8))


def test_paths_that_can_be_walked_are_walked_however_uneven() -> None:
    """Nearly all of the paths lie behind one face in a hundred thousand."""

    @rule
    def rare() -> Rolls[int]:
        if (yield from Die(10_000)) > 1:
            return 0
        return (yield from d20) + (yield from d20) * (yield from d20)

    assert Weigher(most_paths=20_000).weigh(rare()).chance(lambda found: found > 0) == Fraction(1, 10_000)


@pytest.mark.slow
def test_far_too_many_paths_with_decisions_are_refused_at_once() -> None:
    @rule
    def by_hand() -> Rolls[int]:
        faces = []
        for _ in range(8):
            faces.append((yield from d20))
        again = yield from Offer("hero", "again", (0, 1))
        return again + max(faces.count(face) for face in faces)

    with pytest.raises(TooManyPaths, match="too many paths with all its decisions"):
        advise(by_hand(), lambda size: size, side="hero")
