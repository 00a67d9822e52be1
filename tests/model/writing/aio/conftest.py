"""The tests here run in aiobotocore's own environment, started by `test_aiobotocore.py` above."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("aiobotocore") is None:
    collect_ignore_glob = ["test_*.py"]
