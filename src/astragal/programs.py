"""Sub-commands that give programs a seat at a table: a token, a webhook, an AI.

They join the terminal to the other surfaces, of which none knows another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.parser import AsJson, Parameter
from astragal.wiring import Db, GameFiles, all_games, host_of, milliseconds, store_at

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import AppContext
    from astragal.table.declarations import Seat
    from astragal.table.log.store import Title

Table = Annotated[str, Parameter("The table, by id or name.")]


@contextmanager
def _seat_at(
    db: str | None, table: str, seat: str | None = None, games: Iterable[str] = ()
) -> Iterator[tuple[AppContext, Title, Seat]]:
    """Open the store and find a table and a seat by id or name; without a seat, the game master's."""
    from astragal.surfaces.shared.context import AppContext, find_seat

    store = store_at(db)
    try:
        house = AppContext(host_of(store, all_games(games)), store)
        title = house.find_table(table)
        yield house, title, find_seat(house.seats_at(title), seat)
    finally:
        store.close()


def issue_token(
    table: Table,
    *,
    seat: Annotated[str | None, Parameter("Whose seat; default: the game master's.")] = None,
    revoke: Annotated[bool, Parameter("Take back every token of the seat instead.")] = False,
    json: AsJson = False,
    db: Db = None,
) -> None:
    """Give a program a seat at a table: print a token for the web table's /api and /mcp. It is shown once.

    astragal table token "The Cliff" --seat Echo
    """
    import secrets

    from astragal.surfaces.cli.terminal import Output
    from astragal.surfaces.web.security.auth import PassAuth
    from astragal.table.log.store import PassKind

    with _seat_at(db, table, seat) as (house, title, place):
        auth = PassAuth(house.store.passes, clock=milliseconds, entropy=secrets.token_bytes)
        if revoke:
            auth.passes.revoke_seat(title.id, place.id, auth.clock(), [PassKind.TOKEN])
            sentence = f"Every token of {place.name} at {title.name} is taken back."
            facts = {}
        else:
            token = auth.issue(PassKind.TOKEN, title.id, place.id)
            sentence = token
            facts = {"token": token}
        Output().report(sentence, as_json=json, **facts, table=title.id, seat=place.id)


def keep_webhook(
    table: Table,
    address: Annotated[
        str | None, Parameter("Where to send what happens; without one, the receivers are listed.")
    ] = None,
    *,
    seat: Annotated[str | None, Parameter("Whose view is sent; default: the game master's.")] = None,
    remove: Annotated[bool, Parameter("Send no more to this address; without one, to none.")] = False,
    json: AsJson = False,
    db: Db = None,
) -> None:
    """Send what happens at a table to another program, as one seat sees it, while the table is served.

    astragal table webhook "The Cliff" https://bot.example/hook --seat Di
    """
    from astragal.surfaces.cli.terminal import Output
    from astragal.surfaces.web.webhooks import Webhooks

    facts: dict[str, object]
    with _seat_at(db, table, seat) as (house, title, place):
        webhooks = Webhooks(house.host, house.store.jobs, milliseconds)
        listed = [webhook for webhook in webhooks.at(title.id) if address in (None, webhook.address)]
        if remove:
            for webhook in listed:
                webhooks.remove(webhook)
            facts = {"removed": len(listed)}
            lines = [f"{len(listed)} removed."]
        elif address is None:
            facts = {"webhooks": [{"address": webhook.address, "seat": webhook.seat} for webhook in listed]}
            lines = [f"{webhook.address}, as seat {webhook.seat} sees it" for webhook in listed]
        else:
            webhook = webhooks.add(title.id, place.id, address, by_owner=True)
            facts = {"address": address, "seat": place.id, "secret": webhook.secret}
            lines = [
                f"What {place.name} sees goes to {address} from now on. It is signed with this secret, shown once:",
                webhook.secret,
            ]
        Output().report("\n".join(lines), as_json=json, **facts)


def seat_ai(
    table: Table,
    *,
    model: Annotated[str, Parameter("The model, as its server calls it.")],
    role: Annotated[str, Parameter("game-master, or player.")] = "game-master",
    name: Annotated[str, Parameter("What the AI is called at the table.")] = "Vesper",
    address: Annotated[
        str | None, Parameter("Its server; default: as it was set up, else Ollama's on this machine.")
    ] = None,
    interface: Annotated[str, Parameter("The protocol of the server: openai or anthropic.")] = "openai",
    tokens: Annotated[int, Parameter("The most that it may use in an evening.", limits=(1, 1_000_000_000))] = 300_000,
    json: Annotated[bool, Parameter("Print JSON lines, one for each change of what it does.")] = False,
    db: Db = None,
    game: GameFiles = (),
) -> None:
    """Seat an AI at a table, and let it play until you press Ctrl-C. A key comes from ASTRAGAL_AI_KEY.

    astragal table seat-ai "The Cliff" --model qwen3:8b
    astragal table seat-ai "The Cliff" --model qwen3:8b --role player --name Echo
    """
    import threading

    from astragal.surfaces.cli.terminal import Output
    from astragal.surfaces.mcp.agent.seats import LocalAiSeats
    from astragal.surfaces.mcp.agent.settings import own_file
    from astragal.surfaces.shared.ai_seats import AiRole, Limits, Model, checked_model
    from astragal.table.refusals import Refusal

    if role not in ("game-master", "player"):
        raise Refusal("An AI is seated here as game-master or player; a helper, on the People page.", code="bad_fields")
    changed = threading.Event()
    with _seat_at(db, table, games=game) as (house, title, master):
        seats = LocalAiSeats(house, own_file(), milliseconds, lambda _: changed.set())
        if address is not None or all(listed.name != model for listed in seats.models()):
            seats.keep_model(checked_model(model, address or Model(model).address, interface), "")
        kind = AiRole(role.replace("-", " "))
        seat = seats.seat(title.id, master.id, name=name, role=kind, model=model, limits=Limits(tokens))
        last_line = ""
        paper = Output()
        try:
            while True:
                status = next(status for status in seats.at(title.id) if status.seat == seat)
                tokens_used = f"{status.meter.tokens:,} of {status.limits.tokens:,} tokens"
                line = f"{name}: {status.doing.value}, {tokens_used}. {status.fault}"
                if line != last_line:
                    facts = {
                        "seat": seat,
                        "doing": status.doing.value,
                        "tokens": status.meter.tokens,
                        "fault": status.fault,
                    }
                    paper.report(line.rstrip(), as_json=json, **facts, most_tokens=status.limits.tokens)
                    paper.flush()
                last_line = line
                changed.wait()
                changed.clear()
        finally:
            seats.stop(title.id, seat)
            if kind is AiRole.GAME_MASTER:  # give the game back to the seat that ran it before
                seats.take_over(title.id, seat, master.id)
            seats.close()
