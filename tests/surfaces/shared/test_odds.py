"""What is said of odds in a line: the chance of success, and the likeliest outcomes."""

import pytest

from astragal.chance import Odds
from astragal.surfaces.shared.odds import summary


@pytest.mark.parametrize(
    ("weights", "hoped", "said"),
    [
        ({"parried": 6, "grazed": 3, "struck": 1}, {"parried"}, ["success", "grazed", "struck"]),
        ({"parried": 5, "grazed": 4, "struck": 1}, {"parried"}, ["success", "grazed", "struck"]),
        ({"parried": 1, "struck": 1}, {"struck"}, ["success", "parried"]),
        ({"won": 2, "drawn": 2, "lost": 1}, {"drawn"}, ["success", "won", "lost"]),
        ({"parried": 4, "grazed": 3, "struck": 2}, {"parried", "grazed"}, ["success", "parried", "grazed", "struck"]),
        ({"success": 3, "failure": 1}, {"success"}, ["success", "failure"]),
        ({"great": 1, "success": 3, "missed": 4}, {"great", "success"}, ["any success", "missed", "success", "great"]),
        ({"parried": 1, "struck": 3}, set(), ["success", "struck", "parried"]),
        ({"parried": 1}, {"parried"}, ["parried"]),
        ({"parried": 1, "struck": 3}, None, ["struck", "parried"]),
    ],
)
def test_a_success_that_one_outcome_makes_up_is_said_once_and_nothing_is_left_out(
    weights: dict[str, int], hoped: set[str] | None, said: list[str]
) -> None:
    odds = Odds(weights, sum(weights.values()))
    assert [row.words for row in summary(odds, None if hoped is None else frozenset(hoped), 5)] == said
