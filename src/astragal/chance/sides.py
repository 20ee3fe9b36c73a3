"""Sides of a question with decisions: who is advised, and how the others are assumed to answer."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import product
from typing import Any

from .play import legal
from .steps import Offer, Together
from .weigh import Policy


class Others(Enum):
    """Default decisions of the other sides."""

    OPPOSE = "they answer to hurt"


class Sides:
    """The sides that answer offers: the advised side, and the others, who follow a policy or oppose."""

    def __init__(self, side: str, others: Policy | Others) -> None:
        self.side, self.others = side, others
        self.met: set[str] = set()

    @property
    def basis(self) -> str:
        if isinstance(self.others, Others):
            return "the others answer to hurt; decisions taken together by maximin"
        return f"the others answer by the policy {getattr(self.others, '__name__', 'given')}"

    def owns(self, offer: Offer[Any]) -> bool:
        return offer.side == self.side

    def answers(self, offer: Offer[Any]) -> tuple[Any, ...]:
        """Return the answers to consider: every option for the advised side and for opponents, else the policy's."""
        if self.owns(offer) or isinstance(self.others, Others):
            return offer.options
        return (legal(offer, self.others(offer)),)

    def replies(self, together: Together) -> Iterator[list[tuple[Any, ...]]]:
        """For each answer of the advised side, yield all joint answers that the others may make of it."""
        for own in product(*(offer.options if self.owns(offer) else (None,) for offer in together.offers)):
            each = zip(own, together.offers, strict=True)
            yield list(product(*((one,) if self.owns(offer) else self.answers(offer) for one, offer in each)))
