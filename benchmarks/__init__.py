"""Benchmarks, compared with other libraries in the same run: `python -m benchmarks [name …] [--json FILE]`.

Each module here registers its benchmarks with `harness.benchmark`; a new file needs nothing else.
"""
