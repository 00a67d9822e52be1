"""A day of an application, through an asynchronous session."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.model.writing.shop import App, Draft, Order, Stock, order

from partita.model import AlreadyExists, AsyncSession, ConditionFailed, F, StaleVersion, WriteRefused


async def story(session: AsyncSession) -> None:
    """Every write once, and what goes wrong with it."""
    ref, nine = Order.key(tenant="42", id="991"), Stock.key(sku="9")
    await session.create_table(App)
    await session.ensure_table(App)
    with session.pattern("stock up"), session.measuring() as total:
        await session.batch_write(put=[Stock(sku=str(number), qty=10) for number in range(30)])
        await session.put(Stock(sku="9", qty=3))
    assert session.consumed["stock up"] == total.consumed
    assert total.consumed.requests == 3
    assert total.consumed.write_units == 31

    mine = order()
    async with session.transaction("place-991", remember=timedelta(days=1)) as tx:
        tx.create(mine)
        tx.change(nine, F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
    assert tx.committed is not None
    assert not tx.committed.already_applied
    assert (await session.commit(tx.freeze())).already_applied
    async with session.transaction("place-991", remember=timedelta(days=2)) as again:
        again.create(order())
        again.change(nine, F(Stock).qty.add(-2))
    assert again.committed is not None
    assert again.committed.already_applied
    assert await session.transact_get([nine, Stock.key(sku="no")]) == [Stock(sku="9", qty=1), None]
    with pytest.raises(ConditionFailed):
        await session.change(nine, F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
    with pytest.raises(AlreadyExists):
        await session.create(order())

    changed = await session.change(ref, F(Order).note.set("x"))
    assert changed.version == 2
    mine.note = "y"
    with pytest.raises(StaleVersion) as stale:
        await session.update(mine)
    assert stale.value.current == changed
    changed.note = "z"
    assert await session.update(changed)
    await session.check(changed)
    await session.delete(changed)
    with pytest.raises(WriteRefused):
        await session.batch_write(put=[Draft(id="1", text="has a version")])
    with pytest.raises(KeyError):
        await _fail(session)
    await session.create(order())


async def _fail(session: AsyncSession) -> None:
    async with session.transaction() as tx:
        tx.create(order())
        raise KeyError
