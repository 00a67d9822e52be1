"""ClientRequestTokens of transactions, remembered for ten minutes after the transaction finished."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from partita.engine.agenda import drive
from partita.engine.keys import Place
from partita.engine.table import Scope
from partita.storage import WRITE, Decision, Put, Row, Touch

if TYPE_CHECKING:
    from partita.engine.engine import Engine

SPACE = 1
"""The space of the tokens: partition a digest of scope and token, the row's size its expiry in µs."""

SLICE_TOKENS = 200

_DIGEST_BYTES = 16


class Token(NamedTuple):
    """A token of a request: where it is remembered, and a digest of what the request asks for."""

    partition: bytes
    digest: bytes

    @classmethod
    def of(cls, scope: Scope, token: str, transact_items: Any) -> Token:
        """`transact_items` is the request's own: the order of members makes no other request."""
        place = "\0".join((*scope, token)).encode("utf-8", "surrogatepass")
        content = orjson.dumps(transact_items, option=orjson.OPT_SORT_KEYS)
        return cls(
            blake2b(place, digest_size=16).digest(), blake2b(content, digest_size=_DIGEST_BYTES).digest()
        )

    @property
    def touch(self) -> Touch:
        return (SPACE, self.partition, b"", WRITE)

    @staticmethod
    def remembered(row: Row) -> tuple[bytes, list[float]]:
        """The digest in a token's row, and what each action costs when the request is sent again."""
        return row.value[:_DIGEST_BYTES], orjson.loads(row.value[_DIGEST_BYTES:])


class Tokens:
    """What is past its time counts as forgotten at once; sweeps take it out of the store later.

    SDKs send a token with every transaction, so nothing is kept in memory for each.
    """

    def __init__(self, remembered_us: int) -> None:
        self._remembered_us = remembered_us
        self._is_waiting = False

    def put(self, token: Token, now_us: int, read_units: Sequence[float]) -> Put:
        """The row that remembers a token whose transaction finishes now; `read_units`: see `remembered`."""
        value = token.digest + orjson.dumps(read_units)
        return (SPACE, token.partition, b"", value, now_us + self._remembered_us)

    def wake(self, engine: Engine) -> None:
        """Puts a sweep on the agenda, if none is."""
        if not self._is_waiting:
            self._is_waiting = True
            due_us = engine.clock.now_us() + self._remembered_us + 1
            engine.agenda.add(due_us, partial(self._sweep, engine, None, False))

    def load(self, engine: Engine) -> None:
        if not engine.store.has_space(SPACE):
            engine.store.create_space(SPACE)
        self._is_waiting = False
        if drive(engine.store.walk(SPACE, None, b"", None, limit=1)):
            self.wake(engine)

    async def _sweep(self, engine: Engine, after: Place | None, some_are_left: bool) -> None:
        """A slice of a sweep over all tokens; sweeps go on while there are any."""
        now_us = engine.clock.now_us()
        entries = await engine.store.walk(SPACE, after, b"", None, limit=SLICE_TOKENS)
        touches = [(SPACE, entry[0], entry[1], WRITE) for entry in entries if entry[3] <= now_us]

        def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
            return Decision((), [touch[:3] for touch in touches], (), None)

        if touches:
            await engine.store.transact(touches, decide)
        some_are_left = some_are_left or len(touches) < len(entries)
        if len(entries) == SLICE_TOKENS:
            last = (entries[-1][0], entries[-1][1])
            engine.agenda.add(now_us, partial(self._sweep, engine, last, some_are_left))
            return
        self._is_waiting = False
        if some_are_left:
            self.wake(engine)
