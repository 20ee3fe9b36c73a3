"""Render pages and parts of pages: Jinja, which escapes everything; Markdown; static files; QR codes."""

import hashlib
import re
import sys
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib.util import cache_from_source
from mimetypes import guess_type
from pathlib import Path
from threading import Lock
from typing import Any

import jinja2
import segno
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2.bccache import Bucket
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from astragal.surfaces.web import sanitizing
from astragal.table.visibility.redact import WITHHELD
from astragal.wording import in_words, signed

HERE = Path(__file__).parent


HUES = 6


def hue(name: str) -> int:
    """Return a number that is always the same for a name, for the colour of its face."""
    return sum(map(ord, name)) % HUES


def initials(name: str) -> str:
    parts = name.split()
    if len(parts) < 2:
        return name[:2].title()
    return "".join(part[:1] for part in parts[:2]).upper()


class Environment(jinja2.Environment):
    """Jinja with a single dictionary of globals. Jinja's own chain of them is walked name by name at each import."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **d} if d else self.globals


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Cache of compiled templates, in the folder of this module's own bytecode. Like Python's, it is optional."""

    def __init__(self) -> None:
        super().__init__(str(Path(cache_from_source(__file__)).parent))
        self._compiler = f"{jinja2.__version__} {digest_of_files(Path(__file__))}"  # this module sets the options

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(f"{self._compiler} {source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - a file that was cut short may fail in any way
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


@cache
def environment(path: str, version: str, *, in_page: bool = False) -> jinja2.Environment:
    """Jinja environment for a base path: `url('/t/…')` gives an address below it, with a version for static files.

    Templates leave out what there can't be `in_page`, inside a page of one browser: the lab, links for other devices.

    Compiling a template takes longer than rendering it, so compiled templates are cached, and shared by all apps of a
    process.
    """

    def url(address: str) -> str:
        if address.startswith("/static/"):
            return f"{path}/static/{version}/{address.removeprefix('/static/')}"
        return path + address

    templates = Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        auto_reload=False,
        bytecode_cache=CompiledTemplates(),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["url"] = url
    templates.globals["in_page"] = in_page
    templates.tests["withheld"] = lambda part: part is WITHHELD
    templates.filters["markdown"] = markdown
    templates.filters["in_words"] = in_words
    templates.filters["signed"] = signed
    templates.filters["hue"] = hue
    templates.filters["initials"] = initials
    return templates


def rendered(request: Request, template: str, **context: Any) -> str:
    """Render a template for a page, a part of one, or a message of a stream."""
    templates: jinja2.Environment = request.app.state.templates
    return templates.get_template(template).render(**context)


def is_part(request: Request) -> bool:
    """Return whether a page asks for a part of itself, by htmx."""
    return request.headers.get("HX-Request") == "true"


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    return HTMLResponse(rendered(request, template, **context), status_code=status)


def alone_or_part(request: Request, part: str, title: str, status: int = 200, **context: Any) -> HTMLResponse:
    """Render a form for the page that asked for it; or, without scripts, on a page of its own.

    <noscript> parts are on that page only: in a part, the page's scripts would activate them.
    """
    if is_part(request):
        return page(request, part, status, **context)
    return page(request, "forms/form_page.html", status, part=part, title=title, alone=True, **context)


# ---------------------------------------------------------------- Markdown
#
# A subset, with nothing that could run, load or mislead. Two safeguards, each sufficient by itself: the parser knows no
# HTML and no images, and its output is cut down to a short list of tags. Parsing one mark costs about as much as a page
# of plain words. So texts have a limit of marks; one that is over it is shown as it was written.

SMALLEST_HEADING = 6
"""The smallest level of a heading. Headings in a text are below those of the page."""
LOWERED = 3
REMEMBERED = 512

MARK = re.compile(r"[$%&*+\-:<=>@\[\\\]^_`{}~!#|\n]")
"""Characters at which the parser stops and looks."""
DEAR = re.compile(r"[\[\n]")
"""Expensive characters: the parser looks ahead at them, repeatedly."""
TIMES_DEARER = 5
MOST_WORK = 800
"""Limit of `work`. It allows a list of a hundred lines; the worst text within it costs the parser 20 ms."""


class _Parser(MarkdownIt):
    """Commonmark without HTML, images or references; links lead to web pages alone."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "linkify": False, "breaks": True})
        self.enable("strikethrough").disable(["image", "html_block", "html_inline", "reference", "entity"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name
        return url.partition(":")[0].lower() in sanitizing.SCHEMES


_PARSER = _Parser()


def work(words: str) -> int:
    """Cost of parsing the text, in marks."""
    return len(MARK.findall(words)) + (TIMES_DEARER - 1) * len(DEAR.findall(words))


def plain(words: str) -> Markup:
    """Format a text as it was written, line by line."""
    return Markup("<p>{}</p>\n").format(escape(words).replace("\n", Markup("<br>\n")))


def markdown(words: str) -> Markup:
    """Render a text as HTML that is safe to show."""
    return plain(words) if work(words) > MOST_WORK else _formatted(words)


@lru_cache(REMEMBERED)
def _formatted(words: str) -> Markup:
    """Parse and clean a text. The newest texts are cached: panels and cards show the same ones again and again."""
    tokens = _PARSER.parse(words)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            level = int(token.tag.removeprefix("h")) + LOWERED
            token.tag = f"h{min(level, SMALLEST_HEADING)}"
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return Markup(sanitizing.clean(html))  # noqa: S704 - this is the place that makes it safe


# ---------------------------------------------------------------- static files
#
# Their URLs have a version, a digest of all of them. So browsers may cache them forever, and new files are never mixed
# with old ones.

FOLDER = HERE / "static"
CACHED = "__pycache__"
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
JOINED = re.compile(r"(css|js|lib)/([\w-]+(?:\+[\w-]+){0,19})(\.css|\.js)")
"""URL of several files joined into one, so that a page needs one request for all of them."""
IMPORT = re.compile(r'^import (?:(\{.+\}) from )?"\./(\S+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)
"""Imports and exports as our modules write them. An exported name is never assigned another value."""


class VersionedFiles(StaticFiles):
    """Static files, mounted under a path with a `version`. Pages from before an update get files, but don't cache them.

    `css/base+form.css` is `css/base.css` and `css/form.css` in one answer; `js/live+table.js` is two modules, and all
    that they import.
    """

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)
        self.version = _version()

    async def get_response(self, path: str, scope: Scope) -> Response:
        joined = JOINED.fullmatch(path)
        if joined:
            response = _joined(*joined.groups())
        else:
            response = await super().get_response(path, scope)
        is_current = scope["path_params"].get("version") == self.version
        response.headers["Cache-Control"] = FOR_GOOD if is_current else ASK_AGAIN
        return response


def _joined(folder: str, names: str, suffix: str) -> Response:
    paths = [FOLDER / folder / f"{name}{suffix}" for name in names.split("+")]
    if not all(path.is_file() for path in paths):
        return Response(status_code=404)
    text = _joined_modules(paths) if folder == "js" else "\n".join(map(_read, paths))
    return Response(text, media_type=guess_type(paths[0])[0])


def _joined_modules(paths: Sequence[Path]) -> str:
    """Bundle modules: each becomes a function that returns its exports, and comes after those that it imports."""
    text_by_path: dict[Path, str] = {}

    def add(path: Path) -> None:
        if path not in text_by_path:
            text = _read(path)
            for _, name in IMPORT.findall(text):
                add(path.parent / name)
            text_by_path[path] = text

    for path in paths:
        add(path)
    lines = [_as_function(path, text) for path, text in text_by_path.items()]
    for path in paths:
        names = _exports(text_by_path[path])
        if names:
            lines.append(f"export const {{ {names} }} = {path.stem}_js;")
    return "\n".join(lines)


def _as_function(path: Path, text: str) -> str:
    """Wrap a module in a function that returns its exports, which is called at once."""
    body = EXPORT.sub("", IMPORT.sub(_as_constant, text))
    return f"const {path.stem}_js = (() => {{\n{body}\nreturn {{ {_exports(text)} }};\n}})();"


def _as_constant(import_line: re.Match[str]) -> str:
    """Replace an import by a constant; nothing is left of one that imports no names."""
    names, file = import_line.groups()
    return f"const {names} = {Path(file).stem}_js;" if names else ""


def _exports(text: str) -> str:
    return ", ".join(EXPORT.findall(text))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _version() -> str:
    """Digest of all static files. Cached for the life of the process, to read them once."""
    return digest_of_files(FOLDER)


_one_at_a_time = Lock()


def program_version(game: str) -> str:
    """Digest of all code that draws a game's pages: this program, and the package or file that the game is in."""
    with _one_at_a_time:  # after a start all tables ask for it at once
        return _program_version(game)


@cache
def _program_version(game: str) -> str:
    """Cached for the life of the process: reading all files takes a tenth of a second, and each page asks for it."""
    file = Path(str(sys.modules[game].__file__))
    packages = {HERE.parents[1], file.parent if file.name == "__init__.py" else file}
    digests = sorted(digest_of_files(package) for package in packages)
    return " ".join([game, *digests])


def digest_of_files(root: Path) -> str:
    """Digest of a file, or of all files in a folder except Python's bytecode."""
    digest = hashlib.sha256()
    for path in sorted((root, *root.rglob("*"))):
        if path.is_file() and path.parent.name != CACHED:
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


# ---------------------------------------------------------------- QR codes


def qr_svg(link: str, label: str) -> Markup:
    """Draw a QR code, dark on light in either theme and with the margin that cameras need; without inline style."""
    svg = segno.make(link, micro=False).svg_inline(
        omitsize=True, dark="#1b1309", light="#fffdf7", border=4, svgclass="qr", lineclass=None, title=label
    )
    return Markup(svg)  # noqa: S704 - segno escapes the title, and the rest is drawn
