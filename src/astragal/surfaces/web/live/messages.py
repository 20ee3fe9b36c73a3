"""Server-sent events as bytes."""

from __future__ import annotations


def message(data: str, *, event: str = "", id: str = "") -> bytes:  # noqa: A002 - the field's own name
    """One event. Lines of its data may end as they like; its name and id are the program's own words."""
    if "\r" in data:
        data = data.replace("\r\n", "\n").replace("\r", "\n")
    head = (f"id: {id}\n" if id else "") + (f"event: {event}\n" if event else "")
    return f"{head}data: {data.replace(chr(10), chr(10) + 'data: ')}\n\n".encode()
