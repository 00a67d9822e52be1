"""What HTTP carries of the API beside JSON, wherever requests are written or read."""

from __future__ import annotations

import re
from typing import Final

TARGET_PREFIX: Final = "DynamoDB_20120810."
"""Of the header X-Amz-Target; the operation follows."""
CONTENT_TYPE: Final = "application/x-amz-json-1.0"
BODILESS: Final = frozenset({"TagResource", "UntagResource"})
"""Operations whose answer is not even `{}` (fact 1.32)."""

_is_account = re.compile(r"[0-9]{12}").fullmatch


def account_of(access_key: str) -> str | None:
    """An access key of 12 digits is its account; every other key leaves the account open."""
    return access_key if _is_account(access_key) else None
