"""Batches for tests."""

from astragal.table.log.store import Answer, Batch, Entry, Text


def entry(number: int, data: bytes = b"{}") -> Entry:
    return Entry(number, "tests.happened", 1, 1_700_000_000_000 + number, data)


def entries(first: int, count: int = 1) -> Batch:
    return Batch(tuple(entry(number) for number in range(first, first + count)))


def answered(number: int, command: str, data: bytes = b"{}") -> Batch:
    """One entry, the command's answer, and something of all that can come with them."""
    digest = f"digest of {command}"
    return Batch(
        (entry(number, data),),
        Answer(command, b"asked " + data, b"answer " + data),
        (Text(digest, b"salt", f"words of {command}"),),
        {f"key of {command}": data},
    )
