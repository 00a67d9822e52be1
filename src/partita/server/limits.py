"""What one client may cost: every limit of the server in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds."""

    header_bytes: int = 16 * 1024
    """Of the URL, and of one header with its name; more is a 400 (fact 1.20)."""
    head_bytes: int = 64 * 1024
    """Of all headers of a request together."""
    body_bytes: int = 16 * 1024 * 1024
    """Of a request body, as sent and after decompression; more is a 413 (facts 1.20, 1.21)."""
    message_bytes: int = 2 * 16 * 1024 * 1024
    """Of a whole request as it is sent, with what chunks and trailers add to it."""
    connections: int = 4096
    idle_s: float = 300.0
    """How long a connection may stay open between requests."""
    request_s: float = 30.0
    """How long a request may take to arrive, and its answer to be read by the client."""
    linger_s: float = 2.0
    """How long a refused client may go on sending before its connection is closed."""
    handshake_s: float = 10.0
    """How long a TLS handshake may take."""
    drain_s: float = 3.0
    """How long requests in flight may take to finish once the server is told to stop."""
    turn_requests: int = 256
    """Requests that share one commit at most."""
    turn_bytes: int = 8 * 1024 * 1024
    """Request bytes that share one commit at most."""
    pipeline: int = 32
    """Requests of one connection that run in one turn; the others wait for the next."""
    answer_bytes: int = 1024 * 1024
    """Answers of one connection that wait for the end of a turn; from then on the next request waits."""
    gzip_bytes: int = 4096
    """Answers smaller than this are never compressed (fact 1.22)."""
