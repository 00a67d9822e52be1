"""What an exception of a client says about its request: refused, perhaps applied, or not sent.

Clients are known by shape: an answered error has `.response["Error"]["Code"]`, the others are told apart by
the names of their classes, so that neither boto3 nor aiobotocore needs to be imported (or installed).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from partita.model.flows.flow import NoAnswer, NotSent, Refused

_NOT_SENT = frozenset({"EndpointConnectionError", "ConnectTimeoutError", "ProxyConnectionError"})
_NO_ANSWER = frozenset(
    {"HTTPClientError", "ConnectionError", "ResponseParserError", "ChecksumError", "TimeoutError"}
)
_FAULTS = frozenset(
    {"InternalServerError", "InternalFailure", "ServiceUnavailable", "ServiceUnavailableException"}
)


def failure_of(error: Exception) -> Refused | NoAnswer | NotSent | None:
    """What `error` means to the flow that sent the request; None: a mistake of the caller's.

    Errors before sending (a parameter of the wrong type, no credentials, no region) are such mistakes. So is
    whatever is not known.
    """
    if isinstance(error, (Refused, NoAnswer, NotSent)):
        return error
    response = getattr(error, "response", None)
    if isinstance(response, Mapping) and "Error" in response:
        return refusal_of(response)
    names = {cls.__name__ for cls in type(error).__mro__}
    if names & _NOT_SENT:
        return NotSent(str(error))
    if names & _NO_ANSWER:
        return NoAnswer(str(error))
    return None


def refusal_of(response: Mapping[str, Any]) -> Refused | NoAnswer:
    """What an answer with an error means; `response` as botocore parses it.

    A fault of the service (5xx) does not say whether the write was applied:
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
    """
    error = response["Error"]
    code = str(error.get("Code", "Unknown"))
    message = str(error.get("Message") or error.get("message") or "")
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 400)
    if status >= 500 or code in _FAULTS:
        return NoAnswer(f"{code}: {message}")
    return Refused(
        code,
        message,
        reasons=tuple(response.get("CancellationReasons", ())),
        item=response.get("Item"),
    )
