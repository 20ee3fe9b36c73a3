"""No lie passes in what a seat was shown: forgeries of evenings of all games, in the three verifiers."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterator

import pytest

from astragal.fair import Verdict
from astragal.storage import open_store
from astragal.table.host import Host
from astragal.wiring import OURS, installed_rulesets
from tests.rulesets.kept_evenings import keep_evenings
from tests.table.fair_tables import an_evening
from tests.table.seat_forgeries import Document, forgeries
from tests.table.three_verifiers import Verifier, of_the_documentation, of_the_page, of_the_terminal, verdicts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verifiers() -> Iterator[dict[str, Verifier]]:
    with of_the_page() as page:
        yield {"terminal": of_the_terminal, "page": page, "documentation": of_the_documentation()}


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """What a player saw of an evening of each game, and of one with hidden rolls, reveals, rewinds and overrides."""
    folder = tmp_path_factory.mktemp("evenings")
    store = open_store(f"sqlite:///{folder}/tables.db")
    played = keep_evenings(store, honest=True)
    host = Host(store, [installed_rulesets()[name]() for name in OURS], clock=lambda: 0, entropy=secrets.token_bytes)
    files = {}
    for name, evening in zip(OURS, played, strict=True):
        (file,) = host.archive.export(evening.table, list(evening.seats.values())[1])
        files[name] = json.loads(file)
    cliff = an_evening(open_store(f"sqlite:///{folder}/cliff.db"))
    (file,) = cliff.export(cliff.bo)
    return {**files, "the_cliff": json.loads(file)}


def test_an_honest_export_is_sound_in_all_three_verifiers(
    verifiers: dict[str, Verifier], evenings: dict[str, Document]
) -> None:
    for name, document in evenings.items():
        assert set(verdicts(verifiers, document).values()) == {Verdict.SOUND}, name


@pytest.mark.parametrize("game", [*OURS, "the_cliff"])
def test_no_forgery_passes_in_any_of_the_three_verifiers(
    game: str, verifiers: dict[str, Verifier], evenings: dict[str, Document]
) -> None:
    made: Counter[str] = Counter()
    for name, forged in forgeries(evenings[game]):
        made[name.partition(":")[0]] += 1
        found = verdicts(verifiers, forged)
        assert Verdict.SOUND not in found.values(), (name, found)
        assert len(set(found.values())) == 1 or name.startswith("formats"), (name, found)
    assert made.total() >= 300
    assert len(made) >= 14, made
