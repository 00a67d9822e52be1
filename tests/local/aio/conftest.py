"""These tests run in aiobotocore's own environment, started by `tests/local/test_aiobotocore.py`."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("aiobotocore") is None:
    collect_ignore_glob = ["test_*.py"]
