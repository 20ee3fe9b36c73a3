"""From text to an expression.

    sum      = [sign] product {("+" | "-") [sign] product}
    product  = factor {("*" | "/") [sign] factor}
    factor   = number | pool | "(" sum ")"
    pool     = [number] "d" (number | "%") [again] [gather]
    again    = "!" ["o"] | "!!" | ("!" | "e") highest face | ("r" | "rr" | "ro") (number | "<=" number | ">=" number)
    gather   = ("k" | "kh" | "kl" | "d" | "dl" | "dh" | "pl" | "ph") [number] | ">=" number

Everything is lower or upper case, with blanks between signs, and "# a label" may follow. The spellings of d20 (Avrae)
and Roll20 are read where both mean the same thing by them or only one of them knows it.
"""

from astragal.chance.errors import BadNotation
from astragal.chance.notation.expression import Expression
from astragal.chance.notation.nodes import Counts, Explodes, Keeps, Node, Number, Pool, Product, Rerolls, Sum, pools
from astragal.chance.notation.scanner import Scanner
from astragal.chance.notation.words import spell
from astragal.chance.pools import Die, Keep
from astragal.chance.steps import MOST_SIDES

MOST_TERMS = 20
MOST_DEPTH = 10
MOST_DICE = 1_000
MOST_MEAN_DRAWS = 1_200
"""So many dice are thrown on average, with those that explosions and rerolls bring."""
MOST_REROLLED = 100
"""So many faces of a die may be unwanted …"""
LEAST_STAYING = 20
"""… and, where it is rerolled until another shows, one face in so many must stay."""

A_TERM = "a number, dice such as 2d6, or ("
KEEPS = {"kh": Keep.HIGHEST, "kl": Keep.LOWEST, "k": Keep.HIGHEST}
DROPS = {"dh": Keep.LOWEST, "dl": Keep.HIGHEST, "ph": Keep.LOWEST, "pl": Keep.HIGHEST, "d": Keep.HIGHEST}
"""What stays when the others are dropped."""


def read(text: str) -> Expression:
    """The expression that a text spells, or `BadNotation`."""
    scanner = Scanner(text)
    root = _Reader(scanner).read()
    endless = any(pool.endless for pool in pools(root))
    return Expression(root, scanner.label, spell(root), endless)


class _Reader:
    """One text being read: a method for each line of the grammar."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._terms = self._depth = self._dice = 0
        self._draws = 0.0

    def read(self) -> Node:
        root = self._sum()
        if not self._scanner.at_end:
            raise self._misplaced()
        return root

    def _sum(self) -> Node:
        parts = [self._signed_product()]
        while sign := self._scanner.take("+", "-"):
            inner, product = self._signed_product()
            parts.append((inner if sign == "+" else -inner, product))
        return parts[0][1] if parts[0][0] > 0 and len(parts) == 1 else Sum(tuple(parts))

    def _signed_product(self) -> tuple[int, Node]:
        sign = -1 if self._scanner.take("+", "-") == "-" else 1
        return sign, self._product()

    def _product(self) -> Node:
        first = self._factor()
        others: list[tuple[str, Node]] = []
        while sign := self._scanner.take("*", "/"):
            place = self._scanner.at
            minus = self._scanner.take("+", "-") == "-"
            other = self._factor()
            others.append((sign, Sum(((-1, other),)) if minus else other))
            if sign == "/" and other.span.holds_zero:
                raise self._scanner.fault("what one divides by must always be over 0, or always under", place)
        return Product(first, tuple(others)) if others else first

    def _factor(self) -> Node:
        place = self._scanner.at
        if self._scanner.take("("):
            return self._bracketed(place)
        self._terms += 1
        if self._terms > MOST_TERMS:
            raise self._scanner.fault(f"a notation has up to {MOST_TERMS} numbers and pools", place)
        number = self._scanner.take_number()
        if self._scanner.take("d"):
            return self._pool(place, 1 if number is None else number)
        if number is None:
            raise self._scanner.unexpected(A_TERM)
        return Number(number)

    def _bracketed(self, place: int) -> Node:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self._scanner.fault(f"brackets go up to {MOST_DEPTH} deep", place)
        inner = self._sum()
        if not self._scanner.take(")"):
            raise self._misplaced("+ - * / or )")
        self._depth -= 1
        return inner

    def _pool(self, place: int, count: int) -> Pool:
        if not 1 <= count <= MOST_DICE:
            raise self._scanner.fault(f"one rolls 1 to {MOST_DICE:,} dice, not {count:,}", place)
        die = self._die()
        again = self._explosion(die) or self._reroll(die)
        if again and (twice := self._scanner.at) and (self._explosion(die) or self._reroll(die)):
            raise self._scanner.fault("dice either explode or are rerolled, in one way", twice)
        pool = Pool(count, die, again, self._keep(count) or self._hits())
        self._dice += count
        self._draws += pool.mean_draws
        if self._dice > MOST_DICE:
            raise self._scanner.fault(f"a notation rolls up to {MOST_DICE:,} dice in all", place)
        if self._draws > MOST_MEAN_DRAWS:
            raise self._scanner.fault(
                f"with what explodes or is rerolled, up to {MOST_MEAN_DRAWS:,} dice are rolled on average", place
            )
        return pool

    def _die(self) -> Die:
        place = self._scanner.at
        sides = 100 if self._scanner.take("%") else self._scanner.number("the number of sides, or %")
        if not 2 <= sides <= MOST_SIDES:
            raise self._scanner.fault(f"a die has 2 to {MOST_SIDES:,} sides, not {sides:,}", place)
        return Die(sides)

    def _explosion(self, die: Die) -> Explodes | None:
        place = self._scanner.at
        spelled = self._scanner.take("!!", "!", "e")
        if not spelled:
            return None
        if spelled == "!" and self._scanner.take("o"):
            return Explodes(once=True)
        face = self._scanner.number(f"{die.sides}, the highest face") if spelled == "e" else self._scanner.take_number()
        if face not in (None, die.sides):
            raise self._scanner.fault(f"a d{die.sides} explodes on its highest face only", place, "!")
        return Explodes(once=False)

    def _reroll(self, die: Die) -> Rerolls | None:
        place = self._scanner.at
        spelled = self._scanner.take("rr", "ro", "r")
        if not spelled:
            return None
        once = spelled == "ro"
        low, high, written = self._faces(die)
        if not 1 <= low <= high <= die.sides:
            raise self._scanner.fault(f"these faces are not on a d{die.sides}", place)
        many = high - low + 1
        if many > MOST_REROLLED:
            raise self._scanner.fault(f"up to {MOST_REROLLED} faces can be rerolled, not {many:,}", place)
        if not once and (die.sides - many) * LEAST_STAYING < die.sides:
            raise self._scanner.fault("too few faces would stay to reroll until one shows", place, "ro: reroll once")
        return Rerolls(low, high, once, written)

    def _faces(self, die: Die) -> tuple[int, int, str]:
        compare = self._scanner.take("<=", ">=")
        if not compare:
            self._refuse_bare_comparison()
        face = self._scanner.number("a face, or <= or >= and a face")
        low = 1 if compare == "<=" else face
        high = die.sides if compare == ">=" else face
        return low, high, f"{compare or ''}{face}"

    def _keep(self, count: int) -> Keeps | None:
        place = self._scanner.at
        spelled = self._scanner.take(*KEEPS, *DROPS)
        if not spelled:
            return None
        number = self._scanner.take_number()
        many = 1 if number is None else number
        if spelled in KEEPS and 1 <= many <= count:
            return Keeps(KEEPS[spelled], many)
        if spelled in DROPS and many < count:
            return Keeps(DROPS[spelled], count - many, many)
        what = f"keep 1 to {count}" if spelled in KEEPS else f"drop 0 to {count - 1}"
        raise self._scanner.fault(f"of {count} dice one can {what}, not {many:,}", place)

    def _hits(self) -> Counts | None:
        if self._scanner.take(">="):
            return Counts(self._scanner.number("the least number that counts"))
        self._refuse_bare_comparison()
        return None

    def _refuse_bare_comparison(self) -> None:
        """Roll20 reads > as "at least", d20 as "over": a sign that is read in two ways is not read at all."""
        for sign in "<>":
            if self._scanner.sees(sign) and not self._scanner.sees(f"{sign}="):
                raise self._scanner.fault(f"some read {sign} as {sign}= and some do not", expected=f"{sign}=")

    def _misplaced(self, expected: str = "+ - * / or the end") -> BadNotation:
        """Error for something that belongs nowhere, or to a pool but not here."""
        scanner = self._scanner
        if any(scanner.sees(spelled) for spelled in ("!", "e", "r")):
            return scanner.fault("explosions and rerolls stand right behind the die", expected=expected)
        if any(scanner.sees(spelled) for spelled in (*KEEPS, *DROPS, ">=")):
            return scanner.fault("of one pool, dice are kept, dropped or counted once", expected=expected)
        if scanner.sees("<="):
            return scanner.fault("dice are counted from a number upwards", expected=">=")
        return scanner.unexpected(expected)
