"""Fairness: how fast honest dice are rolled and verified, and what they cost a command."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from astragal.chance import SystemDice
from astragal.fair import LINKS, Chain, FairDice, Ledger, key_of, lines, new_seed, verify
from astragal.storage import open_store
from astragal.table.ledger_writer import CommandRecord, LedgerWriter, Proof
from benchmarks.harness import OURS, Mark, benchmark, medians, within
from benchmarks.played import Played
from benchmarks.storage import COMMITS

SRC = "s:alice"
ROLLS = 20_000


def rolled(count: int) -> list[bytes]:
    """Make `count` single rolls through a chain, each with its line in the ledger."""
    written = [lines.genesis("bench")]
    ledger = Ledger.empty("bench").extend(written)
    for renewed in range(-(-count // LINKS)):
        chain = Chain(SRC, new_seed())
        written.append(lines.tip(SRC, chain.tip, renewed))
        ledger = ledger.append(written[-1])
        for spent in range(1, min(LINKS, count - renewed * LINKS) + 1):
            link = chain.spend(spent)
            dice = FairDice(key_of([link]))
            dice.face(20)
            written.append(lines.roll("5f0c5f0c", "alice", "climb the mast", [(SRC, link)], dice))
            ledger = ledger.append(written[-1])
    return written


@benchmark("fair.rolls")
def rolls() -> Iterator[Mark]:
    times = medians({OURS: lambda: rolled(LINKS)})
    rate = LINKS / times[OURS]
    detail = "a link, a die, a line in the ledger; the chain itself made too"
    yield Mark("fair.rolls", "single rolls", f"{rate:,.0f}/s", "≥ 20,000/s", rate >= 20_000, detail)


@benchmark("fair.verify")
def verification() -> Iterator[Mark]:
    ledger = [bytes(line) for line in rolled(ROLLS)]  # as they are read from a file
    assert verify(ledger).rolls == ROLLS
    times = medians({OURS: lambda: verify(ledger)})
    yield within("fair.verify", f"a ledger of {ROLLS:,} rolls", times[OURS], 2.0)


class Silent(LedgerWriter):
    """Notary that writes nothing, to measure a command without fairness."""

    def attest(self, _: CommandRecord, __: object) -> Proof:
        return Proof([], self.ledger)


@benchmark("fair.cost")
def cost() -> Iterator[Mark]:
    """A durable command with fairness, against the same command with dice from the system."""
    with TemporaryDirectory() as folder:
        stores = [open_store(str(Path(folder) / name)) for name in ("fair.db", "unfair.db")]
        fair, unfair = Played(stores[0]), Played(stores[1], dice=lambda _: SystemDice())
        live = unfair.host._repository.at(unfair.table)  # noqa: SLF001 - there is no such host to be had
        live.ledger_writer.__class__ = Silent
        times = medians({OURS: fair.turn(COMMITS), "unfair": unfair.turn(COMMITS)})
        for store in stores:
            store.close()
    share = 1 - times["unfair"] / times[OURS]
    detail = f"{COMMITS / times[OURS]:,.0f} commands/s with it, {COMMITS / times['unfair']:,.0f} without"
    yield Mark("fair.cost", "fairness, of a durable command", f"{share:.0%}", "≤ 25%", share <= 0.25, detail)
