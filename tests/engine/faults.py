"""A store that fails when it is told to, as one does whose disk is full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from partita.storage import StoreFailed, Touch
from partita.storage.protocol import Decide
from partita.storage.sqlite import SqliteStore


class FaultyStore(SqliteStore):
    writes_until_fault: int | None = None
    """So many decisions are still taken."""
    is_commit_faulty = False
    faulty_turns = 0
    """So many turns cannot even begin."""

    def _begin(self) -> None:
        if self.faulty_turns:
            self.faulty_turns -= 1
            self._fail(apsw.FullError("a test's fault"))
        super()._begin()

    def _transact(self, touches: Sequence[Touch], decide: Decide) -> Any:
        if self.writes_until_fault is not None:
            self.writes_until_fault -= 1
            if self.writes_until_fault < 0:
                self.writes_until_fault = None
                self._fail(apsw.FullError("a test's fault"))
        return super()._transact(touches, decide)

    def commit(self) -> None:
        if self.is_commit_faulty and self.in_turn:
            self.is_commit_faulty = False
            self.rollback()
            raise StoreFailed("a test's fault")
        super().commit()
