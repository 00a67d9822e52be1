"""Parallel scan: segments are disjoint, complete and stable (facts 11.36–11.39, 11.44)."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st
from tests import counts
from tests.engine.paging_data import (
    Read,
    create,
    items_of,
    key_of,
    matching,
    order_of,
    put_all,
    reads_of,
    scan_of,
)
from tests.engine.support import Item, World, runs

shapes = st.tuples(st.sampled_from("SNB"), st.sampled_from(["sk", None]), st.sampled_from("SNB"))


def segments_of(world: World, read: Read, total: int, limit: int | None = None) -> list[list[Item]]:
    request = {**scan_of(read), "TotalSegments": total, **({"Limit": limit} if limit else {})}
    return [world.items("Scan", {**request, "Segment": segment}) for segment in range(total)]


def partitions(read: Read, items: list[Item]) -> set[str]:
    return {str([order_of(item[name]) for name in read.hashes]) for item in items}


@given(
    data=st.data(),
    shape=shapes,
    total=st.integers(1, 9),
    limit=st.one_of(st.none(), st.integers(1, 4)),
    page_bytes=st.sampled_from([1, 500, 1 << 20]),
)
@runs(counts.SEGMENTED_SCANS)
def test_segments_are_disjoint_complete_and_stable(
    data: st.DataObject,
    shape: tuple[str, str | None, str],
    total: int,
    limit: int | None,
    page_bytes: int,
) -> None:
    pk_type, range_name, sk_type = shape
    world = World(page_bytes=page_bytes)
    types = create(world, pk_type, range_name, sk_type)
    items = data.draw(items_of(types), label="items")
    put_all(world, items)
    read = data.draw(st.sampled_from(reads_of(range_name)), label="read")

    segments = segments_of(world, read, total, limit)
    expected = sorted(key_of(item) for item in matching(read, [], items))
    assert sorted(key_of(item) for segment in segments for item in segment) == expected
    in_segments = [partitions(read, segment) for segment in segments]
    assert sum(map(len, in_segments)) == len(set().union(*in_segments))
    # The segments in their order are the scan without segments.
    whole = world.items("Scan", scan_of(read))
    assert [item for segment in segments for item in segment] == whole

    # Others come and go, the process ends, and every item that stayed is in the segment where it was.
    for item in items[::2]:
        key = {name: item[name] for name in ("pk", "sk") if name in item}
        world.call("DeleteItem", {"TableName": "stock", "Key": key})
    stay = {key_of(item) for item in items[1::2]}
    put_all(world, [item for item in data.draw(items_of(types, most=12)) if key_of(item) not in stay])
    world.reopen()
    assert [
        [orjson.dumps(item) for item in segment if key_of(item) in stay]
        for segment in segments_of(world, read, total)
    ] == [[orjson.dumps(item) for item in segment if key_of(item) in stay] for segment in segments]


def test_segments_of_the_greatest_number_hold_every_item_once() -> None:
    """Where there are more segments than partitions, nothing falls between them (fact 11.38)."""
    world = World()
    types = create(world, "N", "sk", "N")
    put_all(world, [{"pk": {"N": str(n)}, "sk": {"N": "1"}, "x": {"N": "1"}} for n in range(40)])
    assert types["pk"] == "N"
    total = 1_000_000
    read = Read(None, ("pk",), ("sk",))
    found = []
    partition_of = {
        int(item["pk"]["N"]): entry[0]
        for entry in world.rows(world.table("stock").space)
        for item in [orjson.loads(entry[2])]
    }
    for number, partition in partition_of.items():
        at = int.from_bytes(partition, "big") * total >> 128
        near = {segment for segment in (at - 1, at, at + 1, 0, total - 1) if 0 <= segment < total}
        for segment in near:
            request = {**scan_of(read), "TotalSegments": total, "Segment": segment}
            items = world.items("Scan", request)
            found += [number for item in items if item["pk"]["N"] == str(number)]
    assert sorted(found) == list(range(40))


def test_a_start_key_belongs_to_its_segment() -> None:
    world = World()
    create(world, "N", "sk", "N")
    put_all(world, [{"pk": {"N": str(n)}, "sk": {"N": "1"}, "h1": {"S": str(n % 7)}} for n in range(40)])
    for read in (Read(None, ("pk",), ("sk",)), Read("hash_only", ("h1",), ())):
        keys = {}
        for segment in range(4):
            request = {**scan_of(read), "TotalSegments": 4, "Segment": segment, "Limit": 1}
            page = world.call("Scan", request)
            if "LastEvaluatedKey" in page:
                keys[segment] = page["LastEvaluatedKey"]
        assert len(keys) > 1
        for of, key in keys.items():
            for segment in range(4):
                request = {**scan_of(read), "TotalSegments": 4, "Segment": segment, "ExclusiveStartKey": key}
                if of == segment:
                    world.call("Scan", request)
                else:
                    assert world.error("Scan", request)["__type"].endswith("#ValidationException")
