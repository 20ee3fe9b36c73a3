"""Rules by clause, skins, sheets and the log, to be read when they are needed."""

from collections.abc import Callable, Iterator

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.table_view import people
from astragal.surfaces.mcp.tools.schema import tried
from astragal.surfaces.mcp.untrusted_text import quoted
from astragal.surfaces.shared import rulebook
from astragal.surfaces.shared.recap import chronicle_of
from astragal.table.refusals import Refusal
from astragal.table.registry import Book

MOST_LINES = 400


def add_resources(server: MCPServer, desk: Desk) -> None:
    """Offer what can be read. None of it changes anything."""

    @server.resource("astragal://rules/{game}", mime_type="text/plain")
    def rules(game: str) -> str:
        """A game's rules and commands, clause by clause."""
        return rulebook.whole(_book(desk, game))

    @server.resource("astragal://rules/{game}/{clause}", mime_type="text/plain")
    def clause(game: str, clause: str) -> str:
        """One clause of a game's rules."""
        found = rulebook.clause(_book(desk, game), clause)
        if not found:
            known = ", ".join(rulebook.clauses(_book(desk, game)))
            raise ResourceNotFoundError(f"There is no clause {clause[:20]!r}; there are {known}.")
        return found

    @server.resource("astragal://skins/{game}/{skin}", mime_type="text/plain")
    def skin(game: str, skin: str) -> str:
        """A setting over a game."""
        shelf = _book(desk, game).ruleset.skins
        shipped = shelf.shipped() if shelf else {}
        if shelf is None or skin not in shipped:
            raise ResourceNotFoundError(f"There is no skin {skin[:40]!r}; there are {', '.join(shipped) or 'none'}.")
        return "\n".join(shelf.describe(shipped[skin]))

    @server.resource("astragal://table/sheets", mime_type="text/plain")
    def sheets() -> str:
        """Everyone's sheet, as results may show it."""
        return _seated(desk, lambda: "\n".join(_sheets(desk)))

    @server.resource("astragal://table/sheet/{who}", mime_type="text/plain")
    def sheet(who: str) -> str:
        """One sheet, by the character's name."""
        return _seated(desk, lambda: "\n".join(_sheets(desk, who)) or "Nobody here is called that.")

    @server.resource("astragal://table/recap", mime_type="text/markdown")
    def recap() -> str:
        """The last evening told again: scenes, turning points, best and worst rolls with their odds, who was lucky."""
        return _seated(desk, lambda: quoted(chronicle_of(desk.shown_view).markdown.splitlines(), 2000))

    @server.resource("astragal://table/log", mime_type="text/plain")
    def log() -> str:
        """The newest of what has happened, oldest first."""
        return _seated(
            desk,
            lambda: quoted(
                (f"[{one.act}] {one.words}" for one in desk.journal(desk.window).events[-MOST_LINES:]), 2000
            ),
        )


def _book(desk: Desk, game: str) -> Book:
    try:
        return desk.house.book(game)
    except Refusal as refusal:
        raise ResourceNotFoundError(refusal.sentence) from refusal


def _sheets(desk: Desk, who: str = "") -> Iterator[str]:
    for one in people(desk.shown_view, who):
        yield quoted([f"{one.name} ({one.played_by})", *one.sheet])


def _seated(desk: Desk, read: Callable[[], str]) -> str:
    found = tried(desk, read)
    if isinstance(found, Refusal):
        raise ResourceNotFoundError(found.sentence) from found
    return str(found)
