"""Cookie jar of the page: browsers ignore cookies in the answers of a service worker, so they are kept here."""

from collections.abc import Iterable
from contextlib import closing
from http.cookies import SimpleCookie
from pathlib import Path

import apsw

Headers = Iterable[tuple[bytes, bytes]]


class CookieJar:
    """Cookies in a small database of their own, so that a page that is killed never leaves half of them behind."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.execute("CREATE TABLE IF NOT EXISTS cookie (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        rows = self._connection.execute("SELECT name, value FROM cookie").fetchall()
        self._cookies = {str(name): str(value) for name, value in rows}

    def header(self) -> bytes:
        """Return the value of the `Cookie` header of a request; empty if there are no cookies."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items()).encode("latin-1")

    def take_from(self, headers: Headers) -> None:
        """Keep the cookies that an answer sets, and forget those that it deletes, before the answer is passed on."""
        cookies = dict(self._cookies)
        for name, value in headers:
            if name.lower() == b"set-cookie":
                for morsel in SimpleCookie(value.decode("latin-1")).values():
                    if morsel["max-age"] == "0" or not morsel.value:
                        cookies.pop(morsel.key, None)
                    else:
                        cookies[morsel.key] = morsel.value
        if cookies != self._cookies:
            self._store(cookies)
            self._cookies = cookies

    def close(self) -> None:
        self._connection.close()

    def _store(self, cookies: dict[str, str]) -> None:
        with self._connection, closing(self._connection.cursor()) as cursor:
            cursor.execute("DELETE FROM cookie")
            cursor.executemany("INSERT INTO cookie VALUES (?, ?)", cookies.items())
