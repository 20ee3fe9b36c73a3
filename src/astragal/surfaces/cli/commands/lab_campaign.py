"""`astragal lab campaign`: play a party through the evenings that a file describes, many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.commands.skin import read_text
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import AsJson, Parameter

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from astragal.lab import campaigns
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.log.store import Store


class InMemory(NamedTuple):
    """In-memory tables, which end with their run. Pickled for other processes by the names of its functions."""

    rulesets: Callable[[], Mapping[str, Callable[[], Ruleset]]]
    stores: Callable[[str | None], Store]
    name: str

    def game(self) -> Ruleset:
        return self.rulesets()[self.name]()

    def store(self) -> Store:
        return self.stores("memory:")


def campaign(
    file: Annotated[Path, Parameter("The campaign, a TOML file.")],
    *,
    runs: Annotated[int, Parameter("Play it so many times.", limits=(1, 1_000_000))] = 100,
    seed: Annotated[int, Parameter("The same seed gives the same result.")] = 1,
    workers: Annotated[int, Parameter("Processes that share the work.", limits=(1, 256))] = 1,
    together: Annotated[
        bool, Parameter("All runs side by side in one process, those in the same state drawn together: much quicker.")
    ] = False,
    scheduler: Annotated[str | None, Parameter("A Dask scheduler that shares it out instead: tcp://…")] = None,
    keep: Annotated[str | None, Parameter("Keep every run in this file, and go on from what it has.")] = None,
    change: Annotated[
        tuple[str, ...], Parameter("Play it again with an option of the table changed: NAME=VALUE.")
    ] = (),
    json: AsJson = False,
    context: Context,
) -> int:
    """Play a campaign many times on the engine itself: who is left after each evening, and what brought heroes down.

    astragal lab campaign gorge.toml --runs 200 --workers 2
    astragal lab campaign gorge.toml --runs 200 --change bonus_margin=11
    astragal lab campaign gorge.toml --runs 10000 --together
    """
    from astragal.lab import campaigns
    from astragal.table.declarations import replace

    if together and (keep or scheduler or workers > 1):
        raise errors.BadCall("--together plays in one process, and keeps no single runs: leave out the others.")
    campaign = read_campaign(file)
    tables = InMemory(context.rulesets, context.store, context.game(campaign.game).id)
    variants = {"": campaign}
    if change:
        from astragal.surfaces.cli.fields import fields_from

        options = {**campaign.options, **fields_from(tables.game().options, change)}
        variants[", ".join(change)] = replace(campaign, options=options)
    results = {}
    interrupted = False
    with _executor(workers, scheduler) as executor:
        for name, variant in variants.items():
            if together:
                with terminal.watched("Playing"):
                    played = [campaigns.play_together(tables, variant, runs, seed)]
            else:
                place = f"{keep}{'.changed' if name else ''}" if keep else None
                played, interrupted = _play(tables, variant, (runs, seed), executor, place)
            results[name] = campaigns.summed_up(tables, variant, played, runs)
            if interrupted:
                break
    lines: list[str] = []
    for name, outcome in results.items():
        title = f"{campaign.game}: {len(campaign.heroes)} heroes, {campaign.evenings} evenings"
        if name:
            title = f"\nWith {name}:"
        lines += [title, *_lines(outcome)]
    terminal.Output().show(results if change else results[""], lines, as_json=json)
    return errors.Exit.INTERRUPTED if interrupted else errors.Exit.DONE


def read_campaign(file: Path) -> campaigns.Campaign:
    import tomllib

    from astragal.lab import campaigns
    from astragal.table.fields.validation import read

    try:
        return read(campaigns.Campaign, tomllib.loads(read_text(file)))
    except tomllib.TOMLDecodeError as fault:
        raise errors.BadCall(f"{file} can't be read: {fault}.") from None


@contextmanager
def _executor(workers: int, scheduler: str | None) -> Iterator[Executor | None]:
    if scheduler is not None:
        from distributed import Client

        with Client(scheduler) as client:
            yield client.get_executor()
    elif workers > 1:
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(workers)
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    else:
        yield None


def _play(
    tables: InMemory, campaign: campaigns.Campaign, work: tuple[int, int], executor: Executor | None, place: str | None
) -> tuple[list[campaigns.Run], bool]:
    """Play the missing runs. Return the runs that are done, and whether the user interrupted."""
    from astragal.lab import campaigns

    runs, seed = work
    played: list[campaigns.Run] = []
    with terminal.watched("Playing", runs) as tell, _kept(campaign, seed, place) as (finished_runs, keep):
        try:
            for run in campaigns.play_runs(
                tables,
                campaign,
                runs=runs,
                seed=seed,
                executor=executor,
                done=[finished for finished in finished_runs if finished.number < runs],
                keep=keep,
            ):
                played.append(run)
                tell(len(played))
        except KeyboardInterrupt:
            return played, True
    return played, False


@contextmanager
def _kept(
    campaign: campaigns.Campaign, seed: int, place: str | None
) -> Iterator[tuple[list[campaigns.Run], Callable[[campaigns.Run], None]]]:
    """Read the runs that a file has of this campaign. Yield them, and a function that adds a run to the file.

    The file has a line that names the campaign, and then a line for each run.
    """
    import msgspec

    from astragal.lab import campaigns
    from astragal.table.declarations import decoder

    if place is None:
        yield [], lambda run: None
        return
    name = campaigns.digest(campaign, seed)
    file = Path(place)
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if lines and lines[0] != name:
        raise errors.BadCall(f"{place} has runs of another campaign, or of another seed.")
    finished_runs = []
    runs = decoder(campaigns.Run)
    for line in lines[1:]:
        try:
            finished_runs.append(runs.decode(line))
        except msgspec.DecodeError:  # a line that was cut off by an interrupt
            continue
    with file.open("w", encoding="utf-8") as state_file:
        state_file.write(
            "".join(
                f"{line}\n" for line in (name, *(msgspec.json.encode(finished).decode() for finished in finished_runs))
            )
        )
        state_file.flush()

        def keep(run: campaigns.Run) -> None:
            state_file.write(f"{msgspec.json.encode(run).decode()}\n")
            state_file.flush()

        yield finished_runs, keep


def _lines(outcome: campaigns.Outcome) -> Iterator[str]:
    if outcome.runs < outcome.wanted:
        yield f"Interrupted: {outcome.runs} of {outcome.wanted} runs."
    if not outcome.runs:
        return
    ranks = range(len(outcome.standing[0]))
    head = ["evening", *(f"{number} standing" for number in ranks), *outcome.names]
    rows: list[list[Any]] = [
        [str(evening), *(f"{share:.1%}" for share in standing), *(f"{number:.1f}" for number in survivors)]
        for evening, (standing, survivors) in enumerate(zip(outcome.standing, outcome.left, strict=True), 1)
    ]
    yield terminal.as_text([head, *rows])
    if outcome.felled:
        felled = ", ".join(f"{kind} {often:.2f}" for kind, often in outcome.felled.items())
        yield f"Brings heroes down, times in a campaign: {felled}."
    for sentence, often in outcome.refused.items():
        yield f"Refused {often} times: {sentence}"
