"""Blobs of recordings are zstd frames. Frames are written here, uncompressed; to read them takes the program zstd."""

import shutil
import struct
import subprocess

MAGIC = 0xFD2FB528
BLOCK = 128 << 10  # bytes
RAW, REPEATED = 0, 1  # kinds of blocks


def can_unpack():
    return shutil.which("zstd") is not None


def unpacked(blob):
    """Nothing when it is none, or holds more than 64 MB."""
    done = subprocess.run(["zstd", "-dcq", "-M64MB"], input=blob, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def header(size):
    return struct.pack("<IBQ", MAGIC, 0xE0, size)  # one segment, its size in eight bytes


def block(kind, size, content, last):
    return struct.pack("<I", size << 3 | kind << 1 | last)[:3] + content


def packed(data):
    """A frame that holds these bytes as they are."""
    parts = [data[i : i + BLOCK] for i in range(0, len(data), BLOCK)] or [b""]
    blocks = (block(RAW, len(part), part, i == len(parts) - 1) for i, part in enumerate(parts))
    return header(len(data)) + b"".join(blocks)


def repeated(byte, blocks):
    """A frame of so many times 128 kB of one byte: four bytes for each."""
    return header(BLOCK * blocks) + b"".join(block(REPEATED, BLOCK, bytes([byte]), i == blocks - 1) for i in range(blocks))


def claim(size):
    """A frame that says it holds so much, and holds a byte."""
    return header(size) + block(RAW, 1, b"\0", True)
