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
    postgres_url = _POSTGRES.fullmatch(url)
    if postgres_url:
        return _without_postgres_password(postgres_url)
    any_url = _ANY.fullmatch(url)
    if any_url is None or any_url["scheme"] == SQLITE:
        return url
    _, at, place = any_url["rest"].rpartition("@")
    if not at:
        return f"{any_url['scheme']}{HIDDEN}"
    return f"{any_url['scheme']}{HIDDEN}@{place.partition('?')[0]}"


def _without_postgres_password(url: re.Match[str]) -> str:
    words = url["scheme"]
    if url["user"] is not None:
        words += url["user"]
        if url["password"] is not None:
            words += f":{HIDDEN}"
        words += "@"
    words += url["place"]
    query = "&".join(_shown_parameter(pair) for pair in (url["query"] or "").split("&") if pair)
    return f"{words}?{query}" if query else words


def _shown_parameter(pair: str) -> str:
    name, _, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if name in SECRETS else pair


def check_postgres_url(url: str) -> None:
    """Refuse a URL that PostgreSQL would read otherwise than it is meant, as with an @ in a password."""
    if not _POSTGRES.fullmatch(url):
        raise BadStoreUrl(BAD_URL)
