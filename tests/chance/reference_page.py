"""The reference of `astragal.chance`, written from types and docstrings: `python -m tests.chance.reference_page`."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from astragal import chance
from astragal.chance import notation

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "python.md"
HEAD = """# Dice in Python: reference

Every name of `from astragal import …`, and of `astragal.chance.notation`. Written from the types and docstrings of the
code; every example is run by our tests.
"""


def page() -> str:
    parts = [HEAD, "\n## `astragal`\n"]
    parts += [entry(name, getattr(chance, name)) for name in sorted(chance.__all__, key=str.casefold)]
    parts += ["\n## `astragal.chance.notation`\n"]
    parts += [entry(name, getattr(notation, name)) for name in notation.__all__ if name not in chance.__all__]
    return "\n".join(parts)


def entry(name: str, value: Any) -> str:
    if inspect.isclass(value):
        methods = (
            "\n".join(map(method, *zip(*public_methods(value), strict=True))) if any(public_methods(value)) else ""
        )
        bases = ", ".join(f"`{base.__name__}`" for base in value.__bases__ if base.__name__ in chance.__all__)
        kind = f"class, a {bases}" if bases else "class"
        return f"\n### `{name}`\n\n*{kind}*\n\n{text_of(value)}\n{methods}"
    if callable(value) and hasattr(inspect.unwrap(value), "__code__"):
        return f"\n### `{name}`\n\n`{name}{signature(value)}`\n\n{text_of(value)}\n"
    return f"\n### `{name}`\n\n{alias(value)}\n"


def alias(value: Any) -> str:
    said = re.sub(r"astragal\.chance\.\w+\.|typing\.|collections\.abc\.", "", repr(value))
    return f"`{said}`" + (", a die" if isinstance(value, chance.Die) else ", a type")


def method(name: str, value: Any) -> str:
    said = "" if isinstance(value, property) else signature(inspect.unwrap(getattr(value, "__func__", value)))
    return f"\n**`.{name}{said}`**\n\n{text_of(value)}\n"


def public_methods(kind: type) -> Iterator[tuple[str, Any]]:
    """Those that the class itself has, and says something of."""
    for name, value in vars(kind).items():
        known = isinstance(value, FunctionType | classmethod | property)
        if known and not name.startswith("_") and inspect.getdoc(value) and value.__doc__:
            yield name, value


def signature(function: Any) -> str:
    said = str(inspect.signature(inspect.unwrap(function)))
    said = re.sub(r"\b(self|cls)(: '[^']*')?(, )?", "", said, count=1)
    said = re.sub(r"(: |-> )'([^']*)'", r"\1\2", said)  # annotations are texts
    said = re.sub(r"astragal\.chance\.(\w+\.)+|collections\.abc\.|typing\.|fractions\.", "", said)
    return re.sub(r"<function (\w+) at 0x\w+>", r"\1", said)


def text_of(value: Any) -> str:
    """The docstring, its examples as blocks that are run."""
    lines: list[str] = []
    for paragraph in (inspect.getdoc(value) or "").split("\n\n"):
        is_example = paragraph.startswith(">>>")
        lines.append(f"```python\n{paragraph}\n```" if is_example else paragraph)
    return "\n\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
