"""Decoder of pictures that strangers send: a program of its own, which may fail or be killed and harms nobody.

Bytes come in, a small WebP picture goes out, or one sentence on what is wrong with them, and status 2. The first bytes
tell what it is, its header how large it is, before any of it is decoded. Nothing but its pixels is taken over.
"""

import sys
from contextlib import suppress
from io import BytesIO

SIGNS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF87a": "GIF", b"GIF89a": "GIF"}
MOST_PIXELS, LONGEST_SIDE = 30_000_000, 12_000
MOST_MEMORY, MOST_SECONDS = 1024 * 1024 * 1024, 10
QUALITIES = (82, 66, 50, 34)
REFUSED = 2


class NotAPicture(Exception):
    """What is wrong, in a sentence."""


def kind_of(data: bytes) -> str | None:
    """The format of a picture by its first bytes, where it is one that is taken."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    return next((kind for sign, kind in SIGNS.items() if data.startswith(sign)), None)


def reencoded(data: bytes, side: int, most: int) -> bytes:
    """The first frame of a picture as WebP: at most `side` pixels wide and high, at most `most` bytes, nothing else."""
    from PIL import Image, ImageOps

    kind = kind_of(data)
    if kind is None:
        raise NotAPicture("This is no PNG, JPEG, WebP or GIF picture.")
    Image.MAX_IMAGE_PIXELS = None  # the limit below is lower, and is no warning
    try:
        picture: Image.Image = Image.open(BytesIO(data), formats=[kind])
        _check_size(*picture.size)
        picture.draft("RGB", (2 * side, 2 * side))  # a large JPEG is decoded small
        picture.load()
        picture = ImageOps.exif_transpose(picture)
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    except NotAPicture:
        raise
    except Exception as fault:  # a decoder may fail in any way at what is forged
        raise NotAPicture("This picture is damaged: it can't be read.") from fault
    picture.thumbnail((side, side))
    bare = Image.new(picture.mode, picture.size)
    bare.paste(picture)
    for quality in QUALITIES:
        bare.save(made := BytesIO(), "WEBP", quality=quality, method=2)
        if made.tell() <= most:
            return made.getvalue()
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
