"""Errors of the wire: signatures, targets, hosts, and what goes wrong inside the server."""

from __future__ import annotations

from collections.abc import Sequence

from partita.errors.base import (
    AccessDeniedException,
    IncompleteSignatureException,
    InternalServerError,
    InvalidSignatureException,
    MissingAuthenticationTokenException,
    SerializationException,
    UnknownOperationException,
    UnrecognizedClientException,
    ValidationException,
)

UNKNOWN_PAGE = b"<UnknownOperationException/>\n"
"""The body of the 404 that answers what is no API call at all (fact 1.2)."""


def not_json() -> SerializationException:
    """Fact 1.14."""
    return SerializationException()


def unknown_operation() -> UnknownOperationException:
    """Fact 1.16."""
    return UnknownOperationException()


def internal_error() -> InternalServerError:
    return InternalServerError("Internal server error")


def missing_token() -> MissingAuthenticationTokenException:
    """Fact 1.17."""
    return MissingAuthenticationTokenException("Request is missing Authentication Token")


def signed_twice() -> InvalidSignatureException:
    """Fact 1.18."""
    return InvalidSignatureException(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."
    )


def incomplete_header(missing: Sequence[str], has_date: bool, header: str) -> IncompleteSignatureException:
    """Fact 1.19. `missing` are the absent parts of the Authorization header `header`."""
    text = "".join(f"Authorization header requires '{part}' parameter. " for part in missing)
    if not has_date:
        text += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    return IncompleteSignatureException(f"{text}Authorization={header}")


def incomplete_query(missing: Sequence[str]) -> IncompleteSignatureException:
    """As fact 1.19, for a signature in the query string."""
    text = "".join(f"AWS query-string parameters must include '{part}'. " for part in missing)
    return IncompleteSignatureException(f"{text}Re-examine the query-string parameters.")


def malformed_credential(credential: str) -> IncompleteSignatureException:
    return IncompleteSignatureException(
        "Credential must have exactly 5 slash-delimited elements, e.g. "
        f"keyid/date/region/service/term, got '{credential}'"
    )


def malformed_date(date: str) -> IncompleteSignatureException:
    return IncompleteSignatureException(
        f"Date must be in ISO-8601 'basic format'. Got '{date}'. See http://en.wikipedia.org/wiki/ISO_8601"
    )


def unknown_access_key() -> UnrecognizedClientException:
    return UnrecognizedClientException("The security token included in the request is invalid.")


def wrong_signature() -> InvalidSignatureException:
    return InvalidSignatureException(
        "The request signature we calculated does not match the signature you provided. Check your AWS "
        "Secret Access Key and signing method. Consult the service documentation for details."
    )


def signature_expired(signed: str, earliest: str, now: str) -> InvalidSignatureException:
    """The three times are in the form of X-Amz-Date."""
    return InvalidSignatureException(
        f"Signature expired: {signed} is now earlier than {earliest} ({now} - 5 min.)"
    )


def signature_of_the_future(signed: str, latest: str, now: str) -> InvalidSignatureException:
    return InvalidSignatureException(
        f"Signature not yet current: {signed} is still later than {latest} ({now} + 5 min.)"
    )


def wrong_scope_date(scope_date: str, signed: str) -> InvalidSignatureException:
    return InvalidSignatureException(
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
        f"'{scope_date}' != '{signed[:8]}', from '{signed}'."
    )


def wrong_scope_service() -> InvalidSignatureException:
    return InvalidSignatureException("Credential should be scoped to correct service: 'dynamodb'. ")


def wrong_scope_end(end: str) -> InvalidSignatureException:
    return InvalidSignatureException(
        f"Credential should be scoped with a valid terminator: 'aws4_request', not '{end}'."
    )


def host_not_signed() -> InvalidSignatureException:
    return InvalidSignatureException("'Host' must be a 'SignedHeader' in the AWS Authorization.")


def host_refused(header: str, name: str) -> AccessDeniedException:
    """Our own: the Host header names neither this machine nor what `--allow-host` lists. `name` is the
    header without its port, or empty if no name can be had of it."""
    if not header:
        return AccessDeniedException("The Host header is missing")
    advice = f"; start partita with --allow-host {name} to serve it" if name else ""
    return AccessDeniedException(f"Host '{header}' is not this machine{advice}")


def wrong_secret() -> AccessDeniedException:
    """Our own: who asks is not the command line of the server's own user."""
    return AccessDeniedException("The secret of this server is missing or wrong")


def backup_path_missing() -> ValidationException:
    """Our own."""
    return ValidationException("The path of the backup is missing")


def backup_refused(reason: str) -> ValidationException:
    """Our own: `reason` is the store's, in one line."""
    return ValidationException(reason)


def backup_failed(reason: str) -> InternalServerError:
    """Our own: `reason` is the store's, in one line."""
    return InternalServerError(reason)


def origin_refused(origin: str, *, can_be_listed: bool) -> AccessDeniedException:
    """Our own: a page of a foreign origin may not use this database."""
    advice = f"; start partita with --cors {origin} to allow it" if can_be_listed else ""
    return AccessDeniedException(f"Origin '{origin}' is not allowed{advice}")
