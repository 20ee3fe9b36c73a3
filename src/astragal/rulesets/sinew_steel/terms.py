"""Terms: what a skin may call otherwise, and words that several chapters need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from astragal.game import Teller


class DefaultTerms(Mapping[str, str]):
    """Terms of the default skin: attributes by key, what is held and spent, the fuse and its crises, plug-ins.

    Most of them are in the skin's file, which is read when a term is asked for.
    """

    @cached_property
    def _all(self) -> Mapping[str, str]:
        from .skins import default_skin

        return {
            "stamina": "Stamina",
            "token": "token",
            "tokens": "tokens",
            "wealth": "Wealth",
            "feat": "the feat",
            "ritual": "rituals",
            "ally": "the ally",
            "stress": "Stress",
            "stress_crisis": "It is too much. What breaks is for the table to say.",
            **default_skin().names(),
        }

    def __getitem__(self, term: str) -> str:
        return self._all[term]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


TERMS: Mapping[str, str] = DefaultTerms()


def signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def token_words(number: int, teller: Teller) -> str:
    return f"{number} {teller.term('token' if number == 1 else 'tokens')}"


def reason(why: str) -> str:
    """Why something happened, in brackets, where that was said."""
    return f" ({why})" if why else ""
