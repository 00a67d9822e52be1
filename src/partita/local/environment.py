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
    """Meanwhile code finds credentials in the environment and, with `region`, that default region.

    Credentials that the environment has already stay: what else the code uses may need them.
    `boto3.client` works with a new default session, since one remembers its credentials, and with one
    that makes clients fast.
    """
    set_here: dict[str, str] = {}
    if not any(name in os.environ for name in _CREDENTIALS):
        set_here |= _CREDENTIALS
    if region is not None:
        set_here["AWS_DEFAULT_REGION"] = region
    before = {name: os.environ.get(name) for name in set_here}
    os.environ.update(set_here)
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
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
