"""ClientRequestTokens of transactions, remembered for ten minutes after the transaction finished."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from partita.engine.agenda import drive
from partita.engine.table import Scope
from partita.storage import WRITE, Decision, Put, Row, Touch

if TYPE_CHECKING:
    from partita.engine.engine import Engine

SPACE = 1
"""The space of the tokens: partition a digest of scope and token, the row's size its expiry in µs."""


class Token(NamedTuple):
    """A token of a request: where it is remembered, and a digest of what the request asks for."""

    partition: bytes
    digest: bytes

    @classmethod
    def of(cls, scope: Scope, token: str, transact_items: Any) -> Token:
        place = "\0".join((*scope, token)).encode("utf-8", "surrogatepass")
        content = orjson.dumps(transact_items, option=orjson.OPT_SORT_KEYS)
        return cls(blake2b(place, digest_size=16).digest(), blake2b(content, digest_size=16).digest())

    @property
    def touch(self) -> Touch:
        return (SPACE, self.partition, b"", WRITE)


class Tokens:
    def __init__(self, remembered_us: int) -> None:
        self._remembered_us = remembered_us

    def put(self, token: Token, now_us: int) -> Put:
        """The row that remembers a token whose transaction finishes now."""
        return (SPACE, token.partition, b"", token.digest, now_us + self._remembered_us)

    def forget_later(self, engine: Engine, token: Token) -> None:
        engine.agenda.add(
            engine.clock.now_us() + self._remembered_us, partial(self._forget, engine, token.partition)
        )

    async def _forget(self, engine: Engine, partition: bytes) -> None:
        now_us = engine.clock.now_us()

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            is_due = rows[0] is not None and rows[0].size <= now_us
            return Decision((), ((SPACE, partition, b""),) if is_due else (), (), None)

        await engine.store.transact(((SPACE, partition, b"", WRITE),), decide)

    def load(self, engine: Engine) -> None:
        """Puts the forgetting of the remembered tokens on the agenda."""
        if not engine.store.has_space(SPACE):
            engine.store.create_space(SPACE)
        after = None
        while entries := drive(engine.store.walk(SPACE, after, b"", None, limit=1000)):
            for partition, _, _, expires_us, _ in entries:
                engine.agenda.add(expires_us, partial(self._forget, engine, partition))
            after = (entries[-1][0], entries[-1][1])
