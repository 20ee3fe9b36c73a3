"""Decoder of untrusted pictures: a program of its own, which may crash or be killed without harm.

It reads bytes and writes a small WebP picture, or exits with status 2 and one sentence on what is wrong with them. It
checks the format by the first bytes and the size by the header before it decodes anything. Only the pixels are copied.
"""

import sys
from contextlib import suppress
from io import BytesIO

SIGNS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF87a": "GIF", b"GIF89a": "GIF"}
MOST_PIXELS = 30_000_000
LONGEST_SIDE = 12_000
MOST_MEMORY = 1024 * 1024 * 1024
MOST_SECONDS = 10
QUALITIES = (82, 66, 50, 34)
REFUSED = 2


class NotAPicture(Exception):
    """The picture is refused; the message is a sentence that says why."""


def kind_of(data: bytes) -> str | None:
    """Detect the format of a picture by its first bytes; None if it is not accepted."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    return next((kind for sign, kind in SIGNS.items() if data.startswith(sign)), None)


def reencoded(data: bytes, side: int, most: int) -> bytes:
    """Re-encode the first frame of a picture as WebP: at most `side` pixels wide and high, at most `most` bytes."""
    from PIL import Image, ImageOps

    kind = kind_of(data)
    if kind is None:
        raise NotAPicture("This is no PNG, JPEG, WebP or GIF picture.")
    Image.MAX_IMAGE_PIXELS = None  # the limit below is lower, and not just a warning
    try:
        picture: Image.Image = Image.open(BytesIO(data), formats=[kind])
        _check_size(*picture.size)
        picture.draft("RGB", (2 * side, 2 * side))  # a large JPEG is decoded small
        picture.load()
        picture = ImageOps.exif_transpose(picture)
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    except NotAPicture:
        raise
    except Exception as fault:  # a decoder may fail in any way on forged input
        raise NotAPicture("This picture is damaged: it can't be read.") from fault
    picture.thumbnail((side, side))
    pixels = Image.new(picture.mode, picture.size)
    pixels.paste(picture)
    for quality in QUALITIES:
        pixels.save(output := BytesIO(), "WEBP", quality=quality, method=2)
        if output.tell() <= most:
            return output.getvalue()
    raise NotAPicture("This picture can't be made small enough.")


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        most = MOST_PIXELS // 10**6
        raise NotAPicture(f"The picture has {width} × {height} pixels, and {most} million are the most.")


def main() -> int:
    with suppress(ImportError, ValueError, OSError):  # limits of this process, where the system has them
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    side, most = map(int, sys.argv[1:])
    try:
        sys.stdout.buffer.write(reencoded(sys.stdin.buffer.read(), side, most))
    except NotAPicture as wrong:
        sys.stdout.buffer.write(str(wrong).encode())
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main())
