"""AI seats: models that play at a table from inside the server; what pages and terminals know of them."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Protocol
from urllib.parse import urlsplit

from astragal.surfaces.shared.addresses import is_server
from astragal.table.refusals import Refusal
from astragal.values import frozen

MOST_TOKENS = 300_000
"""Tokens that an AI may use in an evening, where its owner says nothing else."""


class AiRole(Enum):
    """What an AI is at a table. A helper sits beside the game master, sees what they see, and only proposes."""

    GAME_MASTER = "game master"
    PLAYER = "player"
    HELPER = "helper"


class Interface(Enum):
    """The protocol that a model is asked in."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


HOME = {Interface.OPENAI: "https://api.openai.com/v1", Interface.ANTHROPIC: "https://api.anthropic.com"}
"""The makers' own addresses."""


@frozen
class Model:
    """A model as its owner has set it up. Its key is kept apart: whoever has this can show it."""

    name: str
    address: str = "http://127.0.0.1:11434/v1"
    interface: Interface = Interface.OPENAI
    price: tuple[float, float] | None = None
    """Dollars for a million tokens read and written, where the library does not know them."""

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc


@frozen
class Limits:
    """The most that an AI may use in an evening."""

    tokens: int = MOST_TOKENS
    dollars: float | None = None


@frozen
class Meter:
    """What an AI has used in an evening."""

    evening: int = 0
    read: int = 0
    written: int = 0
    dollars: float | None = None
    """None where nobody knows a price."""

    @property
    def tokens(self) -> int:
        return self.read + self.written


@frozen
class AiForm:
    """What a helper proposes: the person says yes, picks, or says it in words."""

    id: str
    words: str
    options: tuple[str, ...] = ()
    free: bool = False
    """Is it answered in words?"""


class Doing(Enum):
    """What an AI is about."""

    STOPPED = "stopped"
    WAITING = "waiting"
    THINKING = "thinking"
    SPENT = "at its limit"
    GONE = "gone"


@frozen
class AiStatus:
    """An AI at a table, as people there see it."""

    seat: str
    """Its seat; a helper's is the game master's."""
    role: AiRole
    model: Model
    limits: Limits
    doing: Doing
    meter: Meter = Meter()
    words: str = ""
    """What it is writing, as far as it has come; of a helper, what it has said."""
    fault: str = ""
    forms: tuple[AiForm, ...] = ()
    by: str = ""
    """The seat of whoever seated it, who may take it over; the owner may in any case."""


class AiSeats(Protocol):
    """The AIs at the tables of a store, whichever process runs them. Thread-safe."""

    def open(self) -> None:
        """Go on with those whose process is gone, until this is closed."""

    def at(self, table: str) -> tuple[AiStatus, ...]:
        """Every AI that was seated at a table, running or stopped."""

    def models(self) -> Sequence[Model]: ...

    def keep_model(self, model: Model, key: str) -> None:
        """Set a model up. Its key is written to the private file, and never shown again."""

    def forget_model(self, name: str) -> None: ...

    def seat(self, table: str, by: str, *, name: str, role: AiRole, model: str, limits: Limits) -> str:
        """Seat an AI by the game master's hand and start it; returns its seat."""

    def start(self, table: str, seat: str) -> None: ...

    def stop(self, table: str, seat: str) -> None:
        """Stop at once, in the middle of whatever it does."""

    def take_over(self, table: str, seat: str, person: str) -> None:
        """Stop it, and have a person decide in its place: they run the game, or stand in for its seat."""

    def ask(self, table: str, seat: str, words: str) -> None:
        """Give a helper something to think about."""

    def close(self) -> None:
        """Stop all that run here."""

    def answer_form(self, table: str, seat: str, form: str, answer: Mapping[str, Any] | None) -> None:
        """Answer what a helper proposed; None says no."""


def checked_model(name: str, address: str, interface: str, price: tuple[float, float] | None = None) -> Model:
    """A model from what its owner said."""
    name, address = name.strip(), address.strip().rstrip("/")
    try:
        spoken = Interface(interface)
    except ValueError:
        raise Refusal("An interface is openai or anthropic.", code="bad_fields") from None
    address = address or HOME[spoken]
    if not 0 < len(name) <= 120 or not name.isprintable():
        raise Refusal("A model has a name of 1 to 120 printable characters, as its server calls it.", code="bad_fields")
    if not is_server(address):
        raise Refusal(
            f"{address[:80]!r} is no address of a model's server. Use one like http://127.0.0.1:11434/v1.",
            code="bad_fields",
        )
    return Model(name, address, spoken, price)
