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
    remembers its credentials, and with one that makes clients fast.
    """
    added: dict[str, str] = {}
    if not any(name in os.environ for name in _CREDENTIALS):
        added |= _CREDENTIALS
    if region is not None and "AWS_DEFAULT_REGION" not in os.environ:
        added["AWS_DEFAULT_REGION"] = region
    os.environ.update(added)
    boto3: Any = sys.modules.get("boto3")
    session = None
    if boto3 is not None:
        from partita.local.boto import new_session

        session, boto3.DEFAULT_SESSION = boto3.DEFAULT_SESSION, new_session()
    try:
        yield
    finally:
        boto3 = sys.modules.get("boto3")
        if boto3 is not None:
            boto3.DEFAULT_SESSION = session
        for name in added:
            os.environ.pop(name, None)
