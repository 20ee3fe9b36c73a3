"""Preloaded by the fork server of the campaign: plays a table, so that its forks start at once."""

from random import Random

from astragal.storage import open_store
from benchmarks.soak.clients import Seats, answered, some_command
from tests.table.fair_tables import FairTable


def _play() -> None:
    store, random = open_store("memory:"), Random(1)
    table = FairTable(store)
    seats = Seats(table.ada, table.bo, table.cy)
    for number in range(40):
        sent = some_command(f"warm {number}", table.host.look(table.table, table.ada), seats, random)
        answered(sent, table.host, table.table)
    store.close()


_play()
