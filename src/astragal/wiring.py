"""The program's entry: joins what is needed to answer a call, and sees to a decent end."""

import os
import sys

INTERRUPTED = 130


def main() -> None:
    """What `astragal` and `python -m astragal` start."""
    from astragal.surfaces import cli

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = cli.run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = cli.FINE
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)
