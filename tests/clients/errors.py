"""What a client was told when it was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError


def answer_of(call: Callable[..., Any], **parameters: Any) -> dict[str, Any]:
    """The answer that made boto3 raise."""
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    return dict(caught.value.response)


def error_of(call: Callable[..., Any], **parameters: Any) -> tuple[str, str]:
    """Name and text of the error."""
    error = answer_of(call, **parameters)["Error"]
    return error["Code"], error["Message"]


def codes_of(call: Callable[..., Any], **parameters: Any) -> list[str]:
    """Why each action of a transaction did not happen, by position."""
    answer = answer_of(call, **parameters)
    assert answer["Error"]["Code"] == "TransactionCanceledException"
    return [reason["Code"] for reason in answer["CancellationReasons"]]
