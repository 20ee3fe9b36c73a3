"""Dice notation: `2d20kl1`, `10d6>=5`, `5d6!`, `1d20+7 # to hit Kira`. Roll a text, weigh it or explain it in words.

`!` explodes on the highest face (`!o` once), `r` rerolls until another face shows (`ro` once), `k` and `d` keep and
drop, `>=` counts dice, `/` divides and rounds down. An exploding die and the dice that it brings count as one die.
"""

from astragal.chance.dice import Dice
from astragal.chance.errors import BadNotation, BadStep
from astragal.chance.notation.expression import Expression, Roll
from astragal.chance.notation.grammar import parse
from astragal.chance.odds import Odds

__all__ = ["BadNotation", "Expression", "Roll", "explain", "odds", "parse", "roll"]


def odds(asked: str | Expression) -> Odds[int]:
    """The exact odds. Raises `Unweighable` if they would take too long, or if an explosion leaves them without an end.

    >>> from astragal.chance.notation import odds
    >>> odds("10d6>=5").mean()
    Fraction(10, 3)
    """
    return _expression(asked).odds()


def explain(asked: str | Expression) -> str:
    """Explain a notation in plain words.

    >>> from astragal.chance.notation import explain
    >>> explain("4d6dl1")
    'The sum of the highest 3 of 4 dice of 6 sides. From 3 to 18.'
    """
    return _expression(asked).explained()


def roll(asked: str | Expression, dice: Dice | None = None) -> Roll:
    """Throw it once, with every die recorded. It has to be told whose dice to throw: no dice are thrown unasked.

    >>> from astragal import EnteredDice, roll
    >>> roll("4d6dl1", EnteredDice([3, 1, 6, 4])).breakdown
    '4d6dl1 [3, (1), 6, 4] = 13'
    """
    expression = _expression(asked)
    if dice is None:
        raise BadStep(
            f"roll needs the dice to throw: roll({str(expression)!r}, SystemDice()) throws at random, SeededDice(1) "
            "throws the same dice each time, and EnteredDice([4, 2, 6]) takes the faces of dice on the table"
        )
    return expression.roll(dice)


def _expression(asked: object) -> Expression:
    """Return the expression that a text spells, or the expression itself."""
    if isinstance(asked, Expression):
        return asked
    if isinstance(asked, str):
        return parse(asked)
    raise BadStep(f"a notation is a text, such as '3d6', not {asked!r}")
