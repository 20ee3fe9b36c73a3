"""URLs of stores: shown without their passwords, and checked for characters that have to be percent-encoded."""

import re

from astragal.table.log.store import BadStoreUrl

HIDDEN = "…"
SQLITE = "sqlite://"
SECRETS = frozenset({"password", "sslpassword"})
"""Parameters of a PostgreSQL URL that are passwords, too."""
BAD_URL = (
    "This is not a PostgreSQL URL; one looks like postgresql://user:password@host:5432/database. "
    "In a password, @ is written %40, / is %2F and % is %25."
)
_HOST = r"(?:\[[0-9A-Fa-f:.%]+\]|[^@/?:,\[\]]*)(?::[0-9]*)?"
_POSTGRES = re.compile(
    r"(?P<scheme>postgres(?:ql)?://)"
    r"(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?"
    rf"(?P<place>{_HOST}(?:,{_HOST})*(?:/[^@?/]*)?)"
    r"(?:\?(?P<query>(?:[a-z_]+=[^&]*(?:&|$))*))?"
)
"""A URL that PostgreSQL's own library reads as it is meant."""
_ANY = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]*://)(?P<rest>.*)", re.DOTALL)


def without_password(url: str) -> str:
    """Return a store's URL with its passwords hidden, for messages. A path is returned as it is.

    In a URL that can't be read as it is meant, everything that may belong to a password is hidden.
    """
    if match := _POSTGRES.fullmatch(url):
        user = match["user"] or ""
        if match["password"] is not None:
            user = f"{user}:{HIDDEN}"
        query = "&".join(_shown_parameter(pair) for pair in (match["query"] or "").split("&") if pair)
        return "".join(
            [
                match["scheme"],
                f"{user}@" if match["user"] is not None else "",
                match["place"],
                f"?{query}" * bool(query),
            ]
        )
    match = _ANY.fullmatch(url)
    if match is None or match["scheme"] == SQLITE:
        return url
    _, at, place = match["rest"].rpartition("@")
    return f"{match['scheme']}{HIDDEN}{at}{place.partition('?')[0] if at else ''}"


def _shown_parameter(pair: str) -> str:
    name, _, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if name in SECRETS else pair


def check_postgres_url(url: str) -> None:
    """Refuse a URL that PostgreSQL would read otherwise than it is meant, as with an @ in a password."""
    if not _POSTGRES.fullmatch(url):
        raise BadStoreUrl(BAD_URL)
