"""Leaves of values as a file shows them, where words stand instead of the digest that is stored."""

from typing import Any

from astragal.fair import facts
from astragal.table.log.codec import BLANKED, DIGEST, TEXT_MARK, sealed_text


def leaf_of_shown(value: Any, path: str, salt: str, text: str = "") -> bytes:
    """Return the leaf of a value. Free text is sealed by its digest: `text` is the digest's salt or, if the text was
    blanked, the digest itself.
    """
    if text and value == BLANKED and len(text) == DIGEST:
        value = TEXT_MARK + text
    elif text:
        value = TEXT_MARK + sealed_text(value, bytes.fromhex(text)).digest
    return facts.leaf_of(bytes.fromhex(salt), path, value)
