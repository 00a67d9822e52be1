"""Paging: the pages of any read, joined, are the unpaged result (facts 11.18–11.21, 4.13, 11.40)."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.paging_data import (
    DOMAIN,
    Condition,
    Read,
    conditions_of,
    create,
    items_of,
    key_of,
    matching,
    order_of,
    put_all,
    query_of,
    range_order,
    reads_of,
    scan_of,
)
from tests.engine.support import ROWS_AT_ONCE, Answer, Item, Request, World, reading, runs

from partita.attributes import item_size
from partita.errors import DynamoDBError

UNPAGED_BYTES = 1 << 30

shapes = st.tuples(st.sampled_from("SNB"), st.sampled_from(["sk", None]), st.sampled_from("SNB"))
limits = st.one_of(st.none(), st.integers(1, 9))
rows_at_once = st.sampled_from(ROWS_AT_ONCE)
page_sizes = st.sampled_from([0, 1, 300, 1000, 4000, UNPAGED_BYTES])
"""0: as many bytes as some of the first items have, so that a page ends exactly there."""


def world_with(data: st.DataObject) -> tuple[World, dict[str, str], list[Item], Read]:
    """A table with drawn items, and one thing of it to read."""
    pk_type, range_name, sk_type = data.draw(shapes, label="shape")
    world = World()
    types = create(world, pk_type, range_name, sk_type)
    items = data.draw(items_of(types), label="items")
    put_all(world, items)
    return world, types, items, data.draw(st.sampled_from(reads_of(range_name)), label="read")


def options_of(data: st.DataObject, read: Read) -> Request:
    """Limit, direction, filter, consistency: what changes how a read is paged."""
    options: Request = {}
    limit = data.draw(limits, label="limit")
    if limit is not None:
        options["Limit"] = limit
    if data.draw(st.booleans(), label="has filter") and read.index_name != "hash_only":
        options["FilterExpression"] = "x >= :f"
        options["ExpressionAttributeValues"] = {":f": {"N": data.draw(st.sampled_from("0123"), label="f")}}
    if read.index_name is None or read.is_local:
        options["ConsistentRead"] = data.draw(st.booleans(), label="consistent")
    return options


def set_page_bytes(world: World, page_bytes: int, items: list[Item]) -> None:
    """`items` are those that the read evaluates, in order."""
    world.configure(page_bytes=page_bytes or sum(map(item_size, items[: 1 + len(items) // 2])) or 1)


def with_options(request: Request, options: Request) -> Request:
    values = {**request.get("ExpressionAttributeValues", {}), **options.get("ExpressionAttributeValues", {})}
    joined = {**request, **options}
    return {**joined, "ExpressionAttributeValues": values} if values else joined


def unpaged(world: World, operation: str, request: Request) -> list[Item]:
    """The result in one page, from the same rows."""
    numbers = world.settings
    world.configure(page_bytes=UNPAGED_BYTES)
    answer = world.call(operation, {name: value for name, value in request.items() if name != "Limit"})
    assert "LastEvaluatedKey" not in answer
    world.configure(page_bytes=numbers.page_bytes)
    items: list[Item] = answer["Items"]
    return items


def check_page(page: Answer, read: Read, types: dict[str, str], request: Request, page_bytes: int) -> None:
    """Counts, the page's end and its LastEvaluatedKey."""
    assert page["Count"] == len(page["Items"])
    limit = request.get("Limit", 1 << 60)
    assert page["Count"] <= page["ScannedCount"] <= limit
    names = {"pk", *(["sk"] if "sk" in types else []), *read.hashes, *read.ranges}
    if "LastEvaluatedKey" in page:
        assert {n: next(iter(v)) for n, v in page["LastEvaluatedKey"].items()} == {n: types[n] for n in names}
    if "FilterExpression" not in request:
        sizes = [item_size(item) for item in page["Items"]]
        assert sum(sizes[:-1]) < page_bytes
        is_full = len(sizes) == limit or sum(sizes) >= page_bytes
        assert ("LastEvaluatedKey" in page) is is_full
        if is_full:
            assert page["LastEvaluatedKey"] == {n: page["Items"][-1][n] for n in names}


def check_joined(
    world: World, operation: str, request: Request, read: Read, types: dict[str, str]
) -> list[Item]:
    whole = unpaged(world, operation, request)
    pages = world.pages(operation, request)
    for page in pages:
        check_page(page, read, types, request, world.settings.page_bytes)
    joined = [item for page in pages for item in page["Items"]]
    assert joined == whole
    counted = [world.call(operation, {**request, "Select": "COUNT"})]
    assert "Items" not in counted[0]
    assert counted[0]["Count"] == pages[0]["Count"]
    assert counted[0].get("LastEvaluatedKey") == pages[0].get("LastEvaluatedKey")
    return joined


def projected(world: World, read: Read, item: Item) -> Item:
    names = world.table("stock").indexes[read.index_name].projected if read.index_name else None
    return item if names is None else {name: value for name, value in item.items() if name in names}


@given(data=st.data(), page_bytes=page_sizes, rows=rows_at_once)
@runs(counts.PAGED_READS)
def test_pages_of_a_query_joined_are_the_unpaged_result(
    data: st.DataObject, page_bytes: int, rows: tuple[int, int, int]
) -> None:
    with reading(rows):
        check_query(data, page_bytes)


def check_query(data: st.DataObject, page_bytes: int) -> None:
    world, types, items, read = world_with(data)
    for _ in range(2):
        conditions: list[Condition] = data.draw(conditions_of(read, types, items), label="conditions")
        options = options_of(data, read)
        if data.draw(st.booleans(), label="backward"):
            options["ScanIndexForward"] = False
        request = with_options(query_of(read, conditions), options)
        expected = matching(read, conditions, items)
        if request.get("ScanIndexForward") is False:
            expected.reverse()
        set_page_bytes(world, page_bytes, [projected(world, read, item) for item in expected])
        joined = check_joined(world, "Query", request, read, types)
        if "FilterExpression" in request:
            least = int(request["ExpressionAttributeValues"][":f"]["N"])
            expected = [item for item in expected if int(item["x"]["N"]) >= least]
        assert [range_order(read, item) for item in joined] == [range_order(read, i) for i in expected]
        assert sorted(map(orjson.dumps, joined), key=str) == sorted(
            (orjson.dumps(projected(world, read, item)) for item in expected), key=str
        )


@given(data=st.data(), page_bytes=page_sizes, rows=rows_at_once)
@runs(counts.PAGED_READS)
def test_pages_of_a_scan_joined_are_the_unpaged_result(
    data: st.DataObject, page_bytes: int, rows: tuple[int, int, int]
) -> None:
    with reading(rows):
        check_scan(data, page_bytes)


def check_scan(data: st.DataObject, page_bytes: int) -> None:
    world, types, items, read = world_with(data)
    request = scan_of(read)
    set_page_bytes(world, page_bytes, unpaged(world, "Scan", request))
    request = with_options(request, options_of(data, read))
    joined = check_joined(world, "Scan", request, read, types)
    expected = matching(read, [], items)
    if "FilterExpression" in request:
        least = int(request["ExpressionAttributeValues"][":f"]["N"])
        expected = [item for item in expected if int(item["x"]["N"]) >= least]
    assert sorted(map(key_of, joined)) == sorted(map(key_of, expected))
    check_partitions(read, joined)


def check_partitions(read: Read, joined: list[Item]) -> None:
    """Items of one partition come together, in order of the range attributes (fact 11.40)."""
    partitions = [tuple(order_of(item[name]) for name in read.hashes) for item in joined]
    seen = [key for at, key in enumerate(partitions) if at == 0 or partitions[at - 1] != key]
    assert len(seen) == len(set(seen))
    for key in set(seen):
        orders = [range_order(read, item) for item, of in zip(joined, partitions, strict=True) if of == key]
        assert orders == sorted(orders)


_change = st.tuples(
    st.sampled_from(["put", "delete", "update"]), st.integers(0, 99), st.integers(0, 8), st.integers(0, 8)
)


@given(data=st.data(), page_bytes=page_sizes, rows=rows_at_once, operation=st.sampled_from(["Query", "Scan"]))
@runs(counts.PAGED_READS_UNDER_WRITES)
def test_what_stays_is_read_exactly_once_while_other_items_are_written(
    data: st.DataObject, page_bytes: int, rows: tuple[int, int, int], operation: str
) -> None:
    """Between pages and within one. The start key's own item may go meanwhile, too (fact 11.21)."""
    with reading(rows):
        check_amid_writes(data, page_bytes, operation)


def check_amid_writes(data: st.DataObject, page_bytes: int, operation: str) -> None:
    world, types, items, read = world_with(data)
    moving = items[::2]
    stay = items[1::2]
    options = options_of(data, read)
    options.setdefault("Limit", 3)
    if operation == "Query":
        conditions = data.draw(conditions_of(read, types, items), label="conditions")
        if data.draw(st.booleans(), label="backward"):
            options["ScanIndexForward"] = False
        request = with_options(query_of(read, conditions), options)
    else:
        conditions = []
        request = with_options(
            {"TableName": "stock", **({"IndexName": read.index_name} if read.index_name else {})}, options
        )
    set_page_bytes(world, page_bytes, items)
    expected = [item for item in unpaged(world, operation, request) if item_in(item, stay)]
    versions = {orjson.dumps(projected(world, read, item), option=orjson.OPT_SORT_KEYS) for item in items}
    joined: list[Item] = []

    def write_something() -> None:
        for change in data.draw(st.lists(_change, max_size=3), label="changes"):
            written = apply(world, types, moving, stay, change)
            if written is not None:
                versions.add(orjson.dumps(projected(world, read, written), option=orjson.OPT_SORT_KEYS))

    while True:
        running = world.start(operation, request)
        while not running.step():
            write_something()
        page = running.outcome()
        assert not isinstance(page, DynamoDBError)
        joined += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}
        write_something()
    assert [item for item in joined if item_in(item, stay)] == expected
    assert {orjson.dumps(item, option=orjson.OPT_SORT_KEYS) for item in joined} <= versions


def item_in(item: Item, items: list[Item]) -> bool:
    return key_of(item) in {key_of(other) for other in items}


def apply(
    world: World,
    types: dict[str, str],
    moving: list[Item],
    stay: list[Item],
    change: tuple[str, int, int, int],
) -> Item | None:
    """Writes one of the items that do not stay; gives its new state."""
    action, at, sk, value = change
    if not moving:
        return None
    item = dict(moving[at % len(moving)])
    key = {name: item[name] for name in ("pk", "sk") if name in item}
    if action == "delete":
        world.call("DeleteItem", {"TableName": "stock", "Key": key})
        return None
    if action == "put" and "sk" in types:
        item["sk"] = {types["sk"]: DOMAIN[types["sk"]][sk]}
        if item_in(item, stay):
            return None
        moving.append(item)
    name = ("h1", "h2", "r1", "r2", "r3")[at % 5]
    item[name] = {types[name]: DOMAIN[types[name]][value]}
    world.call("PutItem", {"TableName": "stock", "Item": item})
    return item
