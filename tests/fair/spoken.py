"""A head as four words that can be compared by voice: each stands for sixteen bits, consonant and vowel by turns."""

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"
WORDS = 4
_SHAPE = ((12, CONSONANTS), (10, VOWELS), (6, CONSONANTS), (4, VOWELS), (0, CONSONANTS))


def spoken(head: str) -> str:
    """The first 64 bits of a head in hex, such as `dokij gutan basom livuz`."""
    return " ".join(_word(int(head[place : place + 4], 16)) for place in range(0, 4 * WORDS, 4))


def _word(bits: int) -> str:
    return "".join(letters[bits >> shift & len(letters) - 1] for shift, letters in _SHAPE)
