"""AI seats: models that play at a table from inside the server. Interface for pages and terminals."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from astragal.surfaces.shared.addresses import is_server
from astragal.table.refusals import Refusal

MOST_TOKENS = 300_000
"""Default limit of tokens that an AI may use in an evening."""


class AiRole(Enum):
    """Role of an AI at a table. A helper sits beside the game master, sees what they see, and only proposes."""

    GAME_MASTER = "game master"
    PLAYER = "player"
    HELPER = "helper"


class Interface(Enum):
    """Protocol of a model's server."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


HOME = {Interface.OPENAI: "https://api.openai.com/v1", Interface.ANTHROPIC: "https://api.anthropic.com"}
"""Addresses of the makers' own servers."""


class Model(Struct, frozen=True):
    """A model as its owner has set it up. Its key is stored elsewhere, so this is safe to show."""

    name: str
    address: str = "http://127.0.0.1:11434/v1"
    interface: Interface = Interface.OPENAI
    price: tuple[float, float] | None = None
    """Dollars for a million tokens read and written, if the library does not know them."""

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc


class Limits(Struct, frozen=True):
    """The most that an AI may use in an evening."""

    tokens: int = MOST_TOKENS
    dollars: float | None = None


class Meter(Struct, frozen=True):
    """Tokens and dollars that an AI has used in an evening."""

    evening: int = 0
    read: int = 0
    written: int = 0
    dollars: float | None = None
    """None if the price is unknown."""

    @property
    def tokens(self) -> int:
        return self.read + self.written


class AiForm(Struct, frozen=True):
    """A proposal of a helper: the person says yes, picks an option, or answers in words."""

    id: str
    words: str
    options: tuple[str, ...] = ()
    free: bool = False
    """True if it is answered in words."""


class AiActivity(Enum):
    """Activity of an AI."""

    STOPPED = "stopped"
    WAITING = "waiting"
    THINKING = "thinking"
    SPENT = "at its limit"
    GONE = "gone"


class AiStatus(Struct, frozen=True):
    """An AI at a table, as people there see it."""

    seat: str
    """Its seat; a helper's is the game master's."""
    role: AiRole
    model: Model
    limits: Limits
    doing: AiActivity
    meter: Meter = Meter()
    words: str = ""
    """The text that it is writing, so far; for a helper, what it has said."""
    fault: str = ""
    forms: tuple[AiForm, ...] = ()
    by: str = ""
    """The seat that seated it and may take it over; the owner may in any case."""


class AiSeats(Protocol):
    """The AIs at the tables of a store, whichever process runs them. Thread-safe."""

    def open(self) -> None:
        """Take over the AIs whose process is gone, until this is closed."""

    def at(self, table: str) -> tuple[AiStatus, ...]:
        """Every AI that was seated at a table, running or stopped."""

    def models(self) -> Sequence[Model]: ...

    def keep_model(self, model: Model, key: str) -> None:
        """Set a model up. Its key is written to the private file, and never shown again."""

    def forget_model(self, name: str) -> None: ...

    def seat(self, table: str, by: str, *, name: str, role: AiRole, model: str, limits: Limits) -> str:
        """Seat an AI on behalf of the game master and start it; returns its seat."""

    def start(self, table: str, seat: str) -> None: ...

    def stop(self, table: str, seat: str) -> None:
        """Stop at once, in the middle of whatever it does."""

    def take_over(self, table: str, seat: str, person: str) -> None:
        """Stop it, and have a person decide in its place: they run the game, or stand in for its seat."""

    def ask(self, table: str, seat: str, words: str) -> None:
        """Ask a helper something."""

    def close(self) -> None:
        """Stop all AIs that run in this process."""

    def answer_form(self, table: str, seat: str, form: str, answer: Mapping[str, Any] | None) -> None:
        """Answer a helper's proposal; None says no."""


def checked_model(name: str, address: str, interface: str, price: tuple[float, float] | None = None) -> Model:
    """Validate what an owner entered for a model, and return the model."""
    name = name.strip()
    address = address.strip().rstrip("/")
    try:
        normalised = Interface(interface)
    except ValueError:
        raise Refusal("An interface is openai or anthropic.", code="bad_fields") from None
    address = address or HOME[normalised]
    if not 0 < len(name) <= 120 or not name.isprintable():
        raise Refusal("A model has a name of 1 to 120 printable characters, as its server calls it.", code="bad_fields")
    if not is_server(address):
        raise Refusal(
            f"{address[:80]!r} is no address of a model's server. Use one like http://127.0.0.1:11434/v1.",
            code="bad_fields",
        )
    return Model(name, address, normalised, price)
