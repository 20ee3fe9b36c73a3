"""HTTP API fuzzing by its own OpenAPI document: every operation with generated arguments, to a real server."""

from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from requests import Session
from schemathesis import Case, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from astragal.surfaces.shared.rate_limit import Pace
from benchmarks.soak.clients import Figures, folder
from tests.patience import LONG
from tests.surfaces.web.served import Served, served

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
STREAMS = "/events"
UNHURRIED = Pace(burst=1_000_000, per_second=1_000)
"""No rate limit: a request that has to wait shows nothing of the operation."""


def api(seed: int) -> Figures:
    """Send requests from each kind of seat: each has to be answered as documented."""
    with folder() as place, served(f"sqlite:///{place}/tables.db", UNHURRIED) as table:
        done = fuzz(table, ("Ada", "Bo", "Di"), each=10, seed=seed)
    return {"requests": done.total(), **dict(sorted(done.items()))}


def fuzz(table: Served, names: Sequence[str], *, each: int, seed: int | None = None) -> Counter[str]:
    """Send `each` requests to each operation, on average, with every token; returns the count by status."""
    programs = [table.program_at(name) for name in names]
    schema = openapi.from_dict(programs[0].get("/api/openapi.json"))
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    asked = [one.as_strategy() for one in operations if not one.path.endswith(STREAMS)]
    assert len(asked) > 50
    done: Counter[str] = Counter()

    @settings(max_examples=each * len(asked), suppress_health_check=list(HealthCheck), database=None, deadline=None)
    @given(case=st.one_of(asked))
    def send(case: Case[Any]) -> None:
        case.path_parameters["table"] = table.seated.table
        for program in programs:
            table.seated.dice.faces[:] = [3] * 20
            response = case.call(f"http://127.0.0.1:{table.port}", session, program.headers, timeout=LONG)
            assert response.status_code != HTTPStatus.TOO_MANY_REQUESTS
            case.validate_response(response, checks=CHECKS)
            done[f"{response.status_code // 100}xx"] += 1

    with Session() as session:
        session.trust_env = False
        (send if seed is None else seeded(seed)(send))()
    return done
