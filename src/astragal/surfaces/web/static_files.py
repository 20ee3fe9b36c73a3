"""Static files with a version in their address, which browsers may cache for ever.

The version is a digest of all of them, so that new files are never mixed with old ones.
"""

from __future__ import annotations

import hashlib

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from astragal.surfaces.web.rendering import HERE

FOLDER = HERE / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


def version_of_files() -> str:
    found = hashlib.sha256()
    for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
        found.update(path.relative_to(FOLDER).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:12]


class VersionedFiles(StaticFiles):
    """Mounted under a path with a `version`. Pages from before an update still get files, but don't cache them."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)
        self.version = version_of_files()

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = await super().get_response(path, scope)
        is_current = scope["path_params"].get("version") == self.version
        found.headers["Cache-Control"] = FOR_GOOD if is_current else ASK_AGAIN
        return found
