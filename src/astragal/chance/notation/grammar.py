"""Parse dice notation into an expression.

    whole    = sum [compare]
    sum      = [sign] product {("+" | "-") [sign] product}
    product  = factor {("*" | "/") [sign] factor}
    factor   = (number | pool | "adv" | "dis" | "(" whole ")" | several) {"[" label "]"}
    several  = ("max" | "min") "(" list ")" | "{" list "}" [keep | compare] | "(" list ")" [keep | compare]
    list     = whole {"," whole}
    pool     = [number] "d" (number | "%" | "F") ["adv" | "dis"] [again] {("mi" | "ma") number} [keep | compare]
    again    = "!" ["o"] | "!!" | ("!" | "e") highest face | ("r" | "rr" | "ro") (number | "<=" number | ">=" number)
    keep     = ("k" | "kh" | "kl" | "d" | "dl" | "dh" | "pl" | "ph") [number]
    compare  = (">=" | "<=" | "=" | "==" | "t") number

A comparison right after dice counts those that reach it; after anything else it is a target for the sum.
Case does not matter, blanks may separate signs, and "# a label" may follow. The spellings of d20 (Avrae) and Roll20 are
accepted if both give them the same meaning, or only one of them knows them.
"""

import re
from functools import lru_cache
from unicodedata import digit

from astragal.chance.errors import BadNotation
from astragal.chance.notation.expression import Expression
from astragal.chance.notation.nodes import (
    FATE,
    Again,
    Best,
    Bounds,
    Counts,
    Keeps,
    Labelled,
    Node,
    Number,
    Pool,
    Product,
    Sum,
    Target,
)
from astragal.chance.pools import Die, Keep
from astragal.chance.steps import MOST_SIDES

# ---------------------------------------------------------------- scanner; every error has its position

MOST_CHARACTERS = 200
MOST_NUMBER = 1_000_000
BLANKS = " \t"
NUMBER, WORD = re.compile("[0-9]+"), re.compile("[a-z]{1,16}")


class Scanner:
    """Scanner over a text. It skips blanks and ignores case."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MOST_CHARACTERS:
            raise self.fault(f"a notation has up to {MOST_CHARACTERS} characters, not {len(text):,}", MOST_CHARACTERS)
        self._end = len(text)
        comment = text.find("#")
        self.label = "" if comment < 0 else self._read_label(comment)
        self._signs = self._read_signs(self._end if comment < 0 else comment)
        self._go_to(0)

    def fault(self, fault: str, position: int | None = None, expected: str = "") -> BadNotation:
        """Error at a position, by default the present one; the caller raises it."""
        return BadNotation(fault, self.text, self.at if position is None else position, expected)

    def unexpected(self, expected: str) -> BadNotation:
        here = self._signs[self.at : self.at + 1]
        fault = f"“{self.text[self.at]}” can't stand here" if here else "the notation ends too early"
        return self.fault(fault, expected=expected)

    def _go_to(self, place: int) -> None:
        """Move to a place, and past the blanks that follow."""
        self.at = len(self._signs) - len(self._signs[place:].lstrip(BLANKS))

    def sees(self, spelling: str) -> bool:
        return self._signs.startswith(spelling, self.at)

    def take(self, *spellings: str) -> str | None:
        """Consume the first of these spellings that comes next, if one does."""
        for spelling in spellings:
            if self.sees(spelling):
                self._go_to(self.at + len(spelling))
                return spelling
        return None

    def sees_any(self, *spellings: str) -> bool:
        return any(map(self.sees, spellings))

    @property
    def word(self) -> str:
        """The letters that come next, as far as one would read them as a word."""
        found = WORD.match(self._signs, self.at)
        return found[0] if found else ""

    def take_label(self) -> str | None:
        """Consume a label in square brackets, if one comes next."""
        if not self.sees("["):
            return None
        end = self._signs.find("]", self.at)
        label = self.text[self.at + 1 : end].strip()
        if end < 0 or not label or "[" in label:
            raise self.fault("a label stands in square brackets, such as [fire]")
        self._go_to(end + 1)
        return label

    def take_number(self) -> int | None:
        """Consume a number, if one comes next."""
        found = NUMBER.match(self._signs, self.at)
        if found is None:
            return None
        if int(found[0]) > MOST_NUMBER:
            raise self.fault(f"numbers reach up to {MOST_NUMBER:,}")
        self._go_to(found.end())
        return int(found[0])

    def number(self, expected: str) -> int:
        found = self.take_number()
        if found is None:
            raise self.unexpected(expected)
        return found

    def _read_label(self, comment: int) -> str:
        for place in range(comment, self._end):
            if not self.text[place].isprintable() and self.text[place] not in BLANKS:
                raise self.fault("a label holds no invisible signs", place, "printable text after #")
        return self.text[comment + 1 :].strip()

    def _read_signs(self, end: int) -> str:
        """The text up to `end` in lower case. Within square brackets, any printable character is allowed."""
        in_label = False
        signs: list[str] = []
        for place in range(end):
            sign = self.text[place]
            in_label = sign == "[" or (in_label and sign != "]")
            is_strange = not sign.isascii()
            if not (sign.isprintable() or sign in BLANKS) or (is_strange and not in_label):
                raise self.fault(_strange(sign), place, "plain digits, letters and signs such as 2d6+3")
            signs.append("?" if is_strange else sign)
        return "".join(signs).lower()


def _strange(sign: str) -> str:
    value = digit(sign, None)
    if value is not None:
        return f"this sign is not the plain digit {value}"
    return f"“{sign}” means nothing here" if sign.isprintable() else "an invisible sign means nothing here"


# ---------------------------------------------------------------- parser

MOST_TERMS = 20
MOST_DEPTH = 10
MOST_DICE = 1_000
MOST_MEAN_DRAWS = 1_200
"""Average number of dice thrown, including those that explosions and rerolls bring."""
MOST_REROLLED = 100
"""At most this many faces of a die may be unwanted …"""
LEAST_STAYING = 20
"""… and if it is rerolled until another shows, at least one face in this many must be wanted."""

A_TERM = "a number, dice such as 2d6, or ("
KEEPS = {"kh": Keep.HIGHEST, "kl": Keep.LOWEST, "k": Keep.HIGHEST}
DROPS = {"dh": Keep.LOWEST, "dl": Keep.HIGHEST, "ph": Keep.LOWEST, "pl": Keep.HIGHEST, "d": Keep.HIGHEST}
"""Which dice are kept when the others are dropped."""
TWICE = {"adv": Keep.HIGHEST, "dis": Keep.LOWEST}
"""Two dice in place of one, and which of them is kept."""
COMPARISONS = (">=", "<=", "==", "=", "t")
TERMS = ("adv", "dis", "max", "min")
BEHIND_DICE = ("adv", "dis", "!", "!o", "r", "ro", "mi", "ma", "kh", "kl", "dh", "dl", "t", ">=", "<=", "=")
ALIKE = 0.6
ELSEWHERE = {
    "advantage": "adv",
    "disadvantage": "dis",
    "cs": ">=",
    "drop": "dl",
    "explode": "!",
    "keep": "kh",
    "min": "mi",
    "max": "ma",
    "p": "!",
    "reroll": "r",
    "s": ">=",
    "x": "!",
    "xo": "!o",
}
"""Spellings of other notations after dice, and their equivalents here."""


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """Parse a text into an expression. `BadNotation` says what can't be parsed, where, and what was expected.

    >>> from astragal.chance.notation import parse
    >>> str(parse("D20ADV + 5"))
    '2d20kh1 + 5'
    """
    reader = _Reader(text)
    return Expression(reader.read(), reader.label)


class _Reader(Scanner):
    """Recursive-descent parser of one text: a method for each line of the grammar."""

    _terms = _depth = _dice = 0
    _draws = 0.0

    def read(self) -> Node:
        root = self._whole()
        if self.at < len(self._signs):
            raise self._misplaced()
        return root

    def _whole(self) -> Node:
        root = self._sum()
        wanted = self._comparison()
        return Target((root,), wanted) if wanted else root

    def _sum(self) -> Node:
        signs, parts = [self._sign()], [self._product()]
        while sign := self.take("+", "-"):
            signs.append(self._sign() if sign == "+" else -self._sign())
            parts.append(self._product())
        return parts[0] if signs == [1] else Sum(tuple(parts), tuple(signs))

    def _sign(self) -> int:
        return -1 if self.take("+", "-") == "-" else 1

    def _product(self) -> Node:
        signs, parts = "*", [self._factor()]
        while sign := self.take("*", "/"):
            place, before = self.at, self._sign()
            other = self._factor()
            signs += sign
            parts.append(Sum((other,), (-1,)) if before < 0 else other)
            if sign == "/" and other.span.low <= 0 <= other.span.high:
                raise self.fault("what one divides by must always be over 0, or always under", place)
        return Product(tuple(parts), signs) if len(parts) > 1 else parts[0]

    def _factor(self) -> Node:
        node = self._term()
        while (label := self.take_label()) is not None:
            node = Labelled((node,), label)
        return node

    def _term(self) -> Node:
        place = self.at
        if opened := self.take("(", "{", "max(", "min("):
            return self._bracketed(place, opened)
        self._terms += 1
        if self._terms > MOST_TERMS:
            raise self.fault(f"a notation has up to {MOST_TERMS} numbers and pools", place)
        number = self.take_number()
        if number is None and (twice := self._twice()):
            return self._counted(Pool(2, Die(20), None, Keeps(TWICE[twice], 1)), place)
        if self.take("d"):
            return self._pool(place, 1 if number is None else number)
        if number is None:
            raise self._unknown(TERMS, A_TERM)
        return Number(number)

    def _bracketed(self, place: int, opened: str) -> Node:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self.fault(f"brackets go up to {MOST_DEPTH} deep", place)
        parts = [self._whole()]
        while self.take(","):
            parts.append(self._whole())
        if not self.take("}" if opened == "{" else ")"):
            raise self._misplaced("+ - * / or }" if opened == "{" else "+ - * / or )")
        self._depth -= 1
        if opened in ("max(", "min("):
            return _best(parts, Keep.HIGHEST if opened == "max(" else Keep.LOWEST, 1)
        if opened == "(" and len(parts) == 1:
            return parts[0]
        return self._several(parts)

    def _several(self, parts: list[Node]) -> Node:
        """A set: keep some, count those that reach a number, or sum all."""
        place = self.at
        if len(parts) == 1 and self.sees_any(*KEEPS, *DROPS):
            raise self.fault("of one value none is dropped; keep dice right behind them", place, "2d20kh1")
        if keeps := self._keep(len(parts), "values"):
            return _best(parts, keeps.which, keeps.many)
        wanted = self._comparison()
        return _best([Target((part,), wanted) for part in parts] if wanted else parts, Keep.HIGHEST, len(parts))

    def _comparison(self) -> Counts | None:
        sign = self.take(*COMPARISONS)
        if not sign:
            self._refuse_bare_comparison()
            return None
        number = self._sign() * self.number("a number to compare with")
        return Counts(None if sign == "<=" else number, None if sign in (">=", "t") else number)

    def _pool(self, place: int, count: int) -> Pool:
        if not 1 <= count <= MOST_DICE:
            raise self.fault(f"one rolls 1 to {MOST_DICE:,} dice, not {count:,}", place)
        die = self._die()
        twice = self._twice()
        if twice and count > 1:
            raise self.fault(f"{twice} is for one die, of which two are rolled", place, f"1d{die.sides}{twice}")
        again = self._explosion(die) or self._reroll(die)
        if again and (behind := self.at) and (self._explosion(die) or self._reroll(die)):
            raise self.fault("dice either explode or are rerolled, in one way", behind)
        bounds = self._bounds(again)
        if twice:
            return self._counted(Pool(2, die, again, Keeps(TWICE[twice], 1), bounds), place)
        gather = self._keep(count) or self._comparison()
        return self._counted(Pool(count, die, again, gather, bounds), place)

    def _twice(self) -> str | None:
        """`adv` or `dis`; other modifiers may follow directly."""
        return self.take(*TWICE) if self.word[3:] in ("", "e", "r", "rr", "ro", "mi", "ma") else None

    def _counted(self, pool: Pool, place: int) -> Pool:
        """Return the pool, or raise if too many dice would be rolled."""
        self._dice += pool.count
        self._draws += pool.mean_draws
        if self._dice > MOST_DICE:
            raise self.fault(f"a notation rolls up to {MOST_DICE:,} dice in all", place)
        if self._draws > MOST_MEAN_DRAWS:
            raise self.fault(
                f"with what explodes or is rerolled, up to {MOST_MEAN_DRAWS:,} dice are rolled on average", place
            )
        return pool

    def _bounds(self, again: Again | None) -> Bounds | None:
        place = self.at
        low = high = None
        while self.sees_any("mi", "ma") and not self.sees_any("min", "max"):
            if self.take("mi"):
                low = self.number("the least that a die counts as")
            elif self.take("ma"):
                high = self.number("the most that a die counts as")
        if low is None and high is None:
            return None
        if again and again.added:
            raise self.fault("dice that explode have no least and no most", place)
        if low is not None and high is not None and low > high:
            raise self.fault(f"the least, {low:,}, lies over the most, {high:,}", place)
        return Bounds(low, high)

    def _die(self) -> Die:
        place = self.at
        if self.take("f"):
            return FATE
        sides = 100 if self.take("%") else self.number("the number of sides, or %")
        if not 2 <= sides <= MOST_SIDES:
            raise self.fault(f"a die has 2 to {MOST_SIDES:,} sides, not {sides:,}", place)
        return Die(sides)

    def _explosion(self, die: Die) -> Again | None:
        place = self.at
        spelled = self.take("!!", "!", "e")
        if not spelled:
            return None
        if die == FATE:
            raise self.fault("a dF has no highest number to explode on", place)
        if spelled == "!" and self.take("o"):
            return Again(range(die.sides, die.sides + 1), once=True, added=True, spelled="!o")
        face = self.number(f"{die.sides}, the highest face") if spelled == "e" else self.take_number()
        if face not in (None, die.sides):
            raise self.fault(f"a d{die.sides} explodes on its highest face only", place, "!")
        return Again(range(die.sides, die.sides + 1), once=False, added=True, spelled="!")

    def _reroll(self, die: Die) -> Again | None:
        place = self.at
        spelled = self.take("rr", "ro", "r")
        if not spelled:
            return None
        once = spelled == "ro"
        if die == FATE:
            raise self.fault("the faces of a dF are not rerolled", place)
        compare = self.take("<=", ">=")
        if not compare:
            self._refuse_bare_comparison()
        face = self.number("a face, or <= or >= and a face")
        faces = range(1 if compare == "<=" else face, (die.sides if compare == ">=" else face) + 1)
        many = len(faces)
        if not many or faces[0] < 1 or faces[-1] > die.sides:
            raise self.fault(f"these faces are not on a d{die.sides}", place)
        if many > MOST_REROLLED:
            raise self.fault(f"up to {MOST_REROLLED} faces can be rerolled, not {many:,}", place)
        if not once and (die.sides - many) * LEAST_STAYING < die.sides:
            raise self.fault("too few faces would stay to reroll until one shows", place, "ro: reroll once")
        return Again(faces, once, added=False, spelled=f"{'ro' if once else 'r'}{compare or ''}{face}")

    def _keep(self, count: int, what: str = "dice") -> Keeps | None:
        place = self.at
        spelled = self.word
        if spelled not in KEEPS and spelled not in DROPS:
            return None
        self.take(spelled)
        number = self.take_number()
        many = 1 if number is None else number
        if spelled in KEEPS and 1 <= many <= count:
            return Keeps(KEEPS[spelled], many)
        if spelled in DROPS and many < count:
            return Keeps(DROPS[spelled], count - many, many)
        done = f"keep 1 to {count}" if spelled in KEEPS else f"drop 0 to {count - 1}"
        raise self.fault(f"of {count} {what} you can {done}, not {many:,}", place)

    def _refuse_bare_comparison(self) -> None:
        """Refuse an ambiguous sign: Roll20 reads > as "at least", d20 as "more than"."""
        for sign in "<>":
            if self.sees(sign) and not self.sees(f"{sign}="):
                raise self.fault(f"some read {sign} as {sign}= and some do not", expected=f"{sign}=")

    def _misplaced(self, expected: str = "+ - * / or the end") -> BadNotation:
        """Error for something that belongs nowhere, or belongs to a pool but not here."""
        if self.word in ("", "d", "dl", "dh", "e", "k", "kh", "kl", "pl", "ph", "r", "rr", "ro", "mi", "ma", "t"):
            if self.sees_any("!", "e", "r", "mi", "ma"):
                return self.fault("explosions, rerolls and limits stand right behind the die", expected=expected)
            if self.word in KEEPS or self.word in DROPS:
                return self.fault("of one pool, dice are kept, dropped or counted once", expected=expected)
            if self.sees_any(*COMPARISONS):
                return self.fault("a sum is compared once, at its end", expected=expected)
        return self._unknown(BEHIND_DICE, expected)

    def _unknown(self, known: tuple[str, ...], expected: str) -> BadNotation:
        """Error for an unknown word, or none. Expects the most similar known spelling, if there is one."""
        word = self.word
        if not word:
            return self.unexpected(expected)
        meant = ELSEWHERE.get(word) if known is BEHIND_DICE else None
        alike = [spelling for spelling in known if spelling[0] == word[0] and known is BEHIND_DICE]
        closest = max(known, key=lambda spelling: _likeness(word, spelling))
        near = [meant] if meant else [closest] if _likeness(word, closest) >= ALIKE else alike
        return self.unexpected(f"{near[0]}, the nearest to “{word}”" if near else expected)


def _likeness(one: str, other: str) -> float:
    """Similarity of two words by their longest common subsequence. `difflib` would take longer just to load."""
    if 2 * min(len(one), len(other)) < ALIKE * (len(one) + len(other)):
        return 0
    same = [0] * (len(other) + 1)
    for letter in one:
        before = 0
        for place, its in enumerate(other, 1):
            before, same[place] = same[place], before + 1 if letter == its else max(same[place - 1], same[place])
    return 2 * same[-1] / (len(one) + len(other))


def _best(parts: list[Node], which: Keep, many: int) -> Node:
    """A set of values; if all are kept, a sum."""
    if len(parts) == 1:
        return parts[0]
    return Sum(tuple(parts), (1,) * many) if many == len(parts) else Best(tuple(parts), which, many)
