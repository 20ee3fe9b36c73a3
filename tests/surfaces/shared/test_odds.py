"""What is said of odds in a line: the chance of success, and the likeliest outcomes."""

from fractions import Fraction

import pytest

from astragal.chance import Odds
from astragal.surfaces.shared.odds import summary


@pytest.mark.parametrize(
    ("weights", "success", "said"),
    [
        ({"parried": 6, "grazed": 3, "struck": 1}, Fraction(6, 10), ["success", "grazed", "struck"]),
        ({"parried": 5, "grazed": 4, "struck": 1}, Fraction(5, 10), ["success", "parried", "grazed", "struck"]),
        ({"parried": 1, "struck": 1}, Fraction(1, 2), ["success", "parried", "struck"]),
        ({"won": 2, "drawn": 2, "lost": 1}, Fraction(2, 5), ["success", "won", "drawn", "lost"]),
        ({"parried": 4, "grazed": 3, "struck": 2}, Fraction(7, 9), ["success", "parried", "grazed", "struck"]),
        ({"success": 3, "failure": 1}, Fraction(3, 4), ["success", "failure"]),
        ({"parried": 1}, Fraction(1), ["parried"]),
    ],
)
def test_a_success_that_one_outcome_makes_up_is_said_once_and_nothing_is_left_out(
    weights: dict[str, int], success: Fraction, said: list[str]
) -> None:
    assert [row.words for row in summary(Odds(weights, sum(weights.values())), success, 5)] == said
