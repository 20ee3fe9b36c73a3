"""What went into a roll, in the words of Six-Pool d20."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import Question
from astragal.game.rolls import Footing
from astragal.rulesets.six_pool.attacks import attack, damage_roll
from astragal.rulesets.six_pool.contests import Contender, contest
from astragal.rulesets.six_pool.manifest import breakdown
from astragal.rulesets.six_pool.pools import short_rest
from astragal.rulesets.six_pool.rerolls import Again, Asks, Source
from astragal.rulesets.six_pool.rolls import check
from astragal.rulesets.six_pool.state import TERMS
from astragal.table.authoring.log_lines import Teller
from tests.rulesets.six_pool.playing import Playing

FINGERS = Again((Source("light fingers", 10), Source()))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (check(15, 3), {"Bonus": "+3", "DC": "15"}),
        (
            check(15, -2, Footing.ADVANTAGE, FINGERS),
            {
                "Bonus": "−2",
                "Rolled with": "advantage",
                "Can roll again": "light fingers (up to 10), Inspiration",
                "DC": "15",
            },
        ),
        (check(15, 0, again=Again((Source(),), Asks.NEVER)), {"Bonus": "0", "DC": "15"}),
        (attack(14, 5, "1d8+3"), {"Bonus": "+5", "AC": "14", "Damage": "1d8+3"}),
        (damage_roll("1d8", critical=True), {"Damage": "1d8, dice twice"}),
        (short_rest(3), {"Level": "3"}),
        (
            contest(Contender(3, most=2, doubled=1, helped=True), Contender(1, inspired=True)),
            {
                "The actor’s bonus": "+3",
                "The actor’s roll": "advantage",
                "The actor’s points": "up to 2",
                "The actor’s points that count double": "1",
                "The holder’s bonus": "+1",
                "The holder’s points": "up to 0",
                "The holder’s Inspiration": "at hand",
                "A tie": "is the holder’s",
            },
        ),
    ],
)
def test_every_roll_is_explained_as_players_say_it(
    playing: Playing, question: Question[Any], told: dict[str, str]
) -> None:
    """SP-01, SP-08, SP-13: what comes to the die, and what it is against."""
    assert dict(breakdown(question, Teller(playing.look("Ada"), TERMS))) == told
