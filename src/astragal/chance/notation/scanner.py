"""Reading a text from left to right, once, sign by sign; every complaint knows its place."""

from unicodedata import digit

from astragal.chance.errors import BadNotation

MOST_CHARACTERS = 200
MOST_NUMBER = 1_000_000
LONGEST_WORD = 16

DIGITS = frozenset("0123456789")
BLANKS = frozenset(" \t")


class Scanner:
    """Scanner over the rest of a text. Blanks are skipped; letters may be upper or lower case."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MOST_CHARACTERS:
            raise self.fault(f"a notation has up to {MOST_CHARACTERS} characters, not {len(text):,}", MOST_CHARACTERS)
        self._end = len(text)
        comment = text.find("#")
        self.label = "" if comment < 0 else self._read_label(comment)
        self._signs = self._read_signs(self._end if comment < 0 else comment)
        self.at = 0
        self.skip_blanks()

    def fault(self, fault: str, position: int | None = None, expected: str = "") -> BadNotation:
        """The complaint about a place, by default the present one; to be raised by whoever asked."""
        return BadNotation(fault, self.text, self.at if position is None else position, expected)

    def unexpected(self, expected: str) -> BadNotation:
        here = self._signs[self.at : self.at + 1]
        fault = f"“{self.text[self.at]}” can't stand here" if here else "the notation ends too early"
        return self.fault(fault, expected=expected)

    @property
    def at_end(self) -> bool:
        return self.at == len(self._signs)

    def skip_blanks(self) -> None:
        while self.at < len(self._signs) and self._signs[self.at] in BLANKS:
            self.at += 1

    def sees(self, spelling: str) -> bool:
        return self._signs.startswith(spelling, self.at)

    def take(self, *spellings: str) -> str | None:
        """Go past the first of these that stands here, if one does."""
        for spelling in spellings:
            if self.sees(spelling):
                self.at += len(spelling)
                self.skip_blanks()
                return spelling
        return None

    def sees_any(self, *spellings: str) -> bool:
        return any(map(self.sees, spellings))

    @property
    def word(self) -> str:
        """The letters that stand here, as far as one would read them as a word."""
        end = self.at
        while end < len(self._signs) and end - self.at < LONGEST_WORD and self._signs[end].isalpha():
            end += 1
        return self._signs[self.at : end]

    def take_label(self) -> str | None:
        """Go past a label in square brackets, if one stands here."""
        if not self.sees("["):
            return None
        end = self._signs.find("]", self.at)
        label = self.text[self.at + 1 : end].strip()
        if end < 0 or not label or "[" in label:
            raise self.fault("a label stands in square brackets, such as [fire]")
        self.at = end + 1
        self.skip_blanks()
        return label

    def signed_number(self, expected: str) -> int:
        sign = self.take("-", "+")
        return -self.number(expected) if sign == "-" else self.number(expected)

    def take_number(self) -> int | None:
        """Go past a number, if one stands here."""
        start = self.at
        while self.at < len(self._signs) and self._signs[self.at] in DIGITS:
            self.at += 1
        if self.at == start:
            return None
        number = int(self._signs[start : self.at])
        if number > MOST_NUMBER:
            raise self.fault(f"numbers reach up to {MOST_NUMBER:,}", start)
        self.skip_blanks()
        return number

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
        """All up to there in lower case; within square brackets, any sign that can be seen will do."""
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
