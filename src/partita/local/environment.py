"""What boto3 finds around it while a database of ours answers: credentials, region, a session of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_CREDENTIALS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}


@contextmanager
def prepared(region: str | None = None) -> Iterator[None]:
    """Meanwhile code finds credentials in the environment and, with `region`, a default region.

    What the environment has already stays. `boto3.client` works with a new default session, since one
    remembers its credentials.
    """
    added: dict[str, str] = {}
    if not any(name in os.environ for name in _CREDENTIALS):
        added |= _CREDENTIALS
    if region is not None and "AWS_DEFAULT_REGION" not in os.environ:
        added["AWS_DEFAULT_REGION"] = region
    os.environ.update(added)
    session = _swap_default_session(None)
    try:
        yield
    finally:
        _swap_default_session(session)
        for name in added:
            os.environ.pop(name, None)


def _swap_default_session(session: object) -> object:
    """Replaces boto3's default session and gives the one that was there; None where boto3 is not in use."""
    boto3: Any = sys.modules.get("boto3")
    if boto3 is None:
        return None
    before: object = boto3.DEFAULT_SESSION
    boto3.DEFAULT_SESSION = session
    return before
