"""Faults of a ledger, a link or a seal: one error, with a stable code and a sentence."""

from enum import StrEnum

__all__ = ["FairError", "Fault"]


class Fault(StrEnum):
    """Fault codes. They are stable: programs may compare them, and translations may be keyed by them."""

    # How a line is written
    MALFORMED = "malformed"
    BAD_FIELD = "bad-field"
    BAD_SOURCE = "bad-source"
    BAD_DIE = "bad-die"
    NO_GENESIS = "no-genesis"
    SECOND_GENESIS = "second-genesis"
    # Chains
    NO_TIP = "no-tip"
    RE_SEEDED = "re-seeded"
    RENEWED_EARLY = "renewed-early"
    RENEW_COUNT = "renew-count"
    NOT_RENEWED = "not-renewed"
    USED_UP = "used-up"
    LINK_SKIPPED = "link-skipped"
    LINK_REPLAYED = "link-replayed"
    LINK_FOREIGN = "link-foreign"
    # Rolls
    WRONG_CHAIN = "wrong-chain"
    UNPAIRED = "unpaired"
    DICE_DIFFER = "dice-differ"
    # Hidden rolls
    HIDDEN_ORDER = "hidden-order"
    NO_HIDDEN_TIP = "no-hidden-tip"
    NO_ASK = "no-ask"
    ANSWERED = "answered"
    UNANSWERED = "unanswered"
    LAPSED = "lapsed"
    WRONG_WITNESS = "wrong-witness"
    # Seals
    NO_SEAL = "no-seal"
    SEAL_DIFFERS = "seal-differs"
    SIDES_DIFFER = "sides-differ"
    NO_DICE_SEALED = "no-dice-sealed"
    NO_FACT = "no-fact"
    # Counters and references
    REWIND_COUNT = "rewind-count"
    NO_LINE = "no-line"
    # Receipts
    RECEIPT_DIFFERS = "receipt-differs"
    # A player's own program
    LINK_UNSEEN = "link-unseen"


class FairError(Exception):
    """The only error of `astragal.fair`: a stable `code` and a sentence that says why."""

    def __init__(self, code: Fault, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
