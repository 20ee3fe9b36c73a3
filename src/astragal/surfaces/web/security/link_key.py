"""The secret of this server that links to tables are derived from. It is in a private file, outside of every store."""

import logging
import secrets

from platformdirs import user_state_path

from astragal.storage.private_files import read_or_make

KEY_BYTES = 32
NOT_SHOWN_AGAIN = "links to tables are shown by the process that made them alone, since their key can't be kept: %s"

log = logging.getLogger(__name__)


def own_link_key() -> bytes:
    """Return the server's key for links, made at the first start. All processes of one user on a machine share it."""
    path = user_state_path("astragal", appauthor=False) / "links.key"
    try:
        key = read_or_make(path, lambda: secrets.token_bytes(KEY_BYTES))
    except OSError as fault:
        log.warning(NOT_SHOWN_AGAIN, fault)
        return secrets.token_bytes(KEY_BYTES)
    if len(key) < KEY_BYTES:
        log.warning(NOT_SHOWN_AGAIN, f"{path} is damaged")
        return secrets.token_bytes(KEY_BYTES)
    return key
