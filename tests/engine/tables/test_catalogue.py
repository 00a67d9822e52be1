"""The catalogue: rows and their cache."""

from __future__ import annotations

import pytest

from partita.engine import table_row
from partita.engine.agenda import drive
from partita.engine.catalogue import FIRST_SPACE, Catalogue
from partita.engine.table import Index, KeyAttribute, Scope, Table
from partita.errors import AccessDeniedException, ResourceNotFoundException, ValidationException
from partita.storage import Store
from partita.storage.sqlite import SqliteStore

SCOPE = Scope("000000000000", "eu-west-1")
NOT_FOUND = "Requested resource not found"


@pytest.fixture
def store() -> Store:
    return SqliteStore(":memory:", lambda: 1_700_000_000_000_000)


@pytest.fixture
def catalogue(store: Store) -> Catalogue:
    catalogue = Catalogue(store)
    catalogue.reload()
    return catalogue


def make_table(catalogue: Catalogue, name: str = "music", scope: Scope = SCOPE) -> Table:
    pk, sk = KeyAttribute("pk", "S"), KeyAttribute("sk", "N")
    space = drive(catalogue.new_space())
    index = Index("by_sk", drive(catalogue.new_space()), True, (sk,), (pk,), "INCLUDE", ("a", "b"))
    table = Table(scope, name, f"id-{space}", space, pk, sk, (pk, sk), {"by_sk": index}, 1_000_000)
    drive(catalogue.save(table))
    return table


def test_a_table_is_found_by_name_and_by_arn(catalogue: Catalogue) -> None:
    table = make_table(catalogue)
    assert catalogue.table(SCOPE, "music") is table
    assert catalogue.table(SCOPE, "arn:aws:dynamodb:eu-west-1:000000000000:table/music") is table
    assert catalogue.describe(SCOPE, table.arn) is table
    assert catalogue.by_space(table.space) is table


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("other", "other"),
        ("arn:aws:dynamodb:eu-west-1:000000000000:table/other", "other"),
    ],
)
def test_what_names_no_table_here_is_not_found(catalogue: Catalogue, name: str, shown: str) -> None:
    make_table(catalogue)
    with pytest.raises(ResourceNotFoundException) as data:
        catalogue.table(SCOPE, name)
    with pytest.raises(ResourceNotFoundException) as control:
        catalogue.describe(SCOPE, name)
    assert data.value.message == NOT_FOUND
    assert control.value.message == f"{NOT_FOUND}: Table: {shown} not found"


@pytest.mark.parametrize(
    ("arn", "part"),
    [
        ("arn:aws:dynamodb:us-east-1:000000000000:table/music", "AWS region"),
        ("arn:aws-cn:dynamodb:eu-west-1:000000000000:table/music", "AWS partition"),
        ("arn:aws:dynamodb:eu-west-1:000000000000:backup/music", "resource type"),
    ],
)
def test_fact_15_40_an_arn_that_is_not_of_here(catalogue: Catalogue, arn: str, part: str) -> None:
    make_table(catalogue)
    for look_up in (catalogue.table, catalogue.describe):
        with pytest.raises(
            ValidationException, match=f"1 validation error detected: Invalid {part} in '{arn}'"
        ):
            look_up(SCOPE, arn)


def test_an_arn_of_another_account_is_not_authorized(catalogue: Catalogue) -> None:
    arn = "arn:aws:dynamodb:eu-west-1:111111111111:table/music"
    with pytest.raises(AccessDeniedException, match="Access is denied"):
        catalogue.describe(SCOPE, arn)
    with pytest.raises(AccessDeniedException) as denied:
        catalogue.table(SCOPE, arn)
    assert denied.value.body("GetItem") == {
        "__type": "com.amazon.coral.service#AccessDeniedException",
        "Message": (
            "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:GetItem on resource:"
            f" {arn} because no resource-based policy allows the dynamodb:GetItem action"
        ),
    }


def test_tables_are_per_account_and_region(catalogue: Catalogue) -> None:
    here, there = make_table(catalogue), make_table(catalogue, scope=Scope("111111111111", "local"))
    assert catalogue.table(SCOPE, "music") is here
    assert catalogue.table(there.scope, "music") is there
    assert list(catalogue.tables(SCOPE)) == [here]


@pytest.mark.parametrize(("status", "serves"), [("CREATING", False), ("UPDATING", True), ("DELETING", False)])
def test_fact_15_3_only_data_operations_miss_a_table_that_does_not_serve(
    catalogue: Catalogue, status: str, serves: bool
) -> None:
    table = make_table(catalogue)
    table.status = status  # type: ignore[assignment]
    drive(catalogue.save(table))
    assert catalogue.describe(SCOPE, "music") is table
    if serves:
        assert catalogue.table(SCOPE, "music") is table
    else:
        with pytest.raises(ResourceNotFoundException, match=NOT_FOUND):
            catalogue.table(SCOPE, "music")


def test_rows_give_the_same_tables_back(catalogue: Catalogue, store: Store) -> None:
    tables = [make_table(catalogue, f"table-{n}") for n in range(3)]
    store.commit()
    again = Catalogue(store)
    again.reload()
    assert sorted(again.all_tables(), key=lambda t: t.name) == tables


def test_a_failed_turn_is_forgotten_and_tables_keep_their_identity(
    catalogue: Catalogue, store: Store
) -> None:
    kept, removed = make_table(catalogue, "kept"), make_table(catalogue, "removed")
    store.commit()
    index = kept.indexes["by_sk"]
    index.status = "DELETING"
    kept.tags["a"] = "b"
    drive(catalogue.save(kept))
    drive(catalogue.remove(removed))
    lost = make_table(catalogue, "lost")
    store.rollback()
    catalogue.reload()
    assert catalogue.table(SCOPE, "kept") is kept
    assert kept.tags == {}
    assert kept.indexes["by_sk"] is index
    assert index.status == "ACTIVE"
    assert catalogue.table(SCOPE, "removed").id == removed.id
    assert not catalogue.holds(lost)
    assert catalogue.by_space(lost.space) is None


def test_space_numbers_are_never_given_twice(catalogue: Catalogue, store: Store) -> None:
    first = make_table(catalogue)
    assert first.space == FIRST_SPACE
    drive(catalogue.remove(first))
    store.commit()
    again = Catalogue(store)
    again.reload()
    assert drive(again.new_space()) == FIRST_SPACE + 2


def test_spaces_of_a_removed_table_wait_until_they_are_cleared(catalogue: Catalogue, store: Store) -> None:
    table = make_table(catalogue)
    drive(catalogue.remove(table))
    assert catalogue.discarded_spaces() == list(table.spaces)
    for space in table.spaces:
        assert drive(catalogue.clear_discarded(space, 10))
        assert not store.has_space(space)
    assert catalogue.discarded_spaces() == []


def test_counts_are_not_part_of_the_row() -> None:
    pk = KeyAttribute("pk", "S")
    table = Table(SCOPE, "t", "id", 16, pk, None, (pk,), {}, 0, item_count=5, size_bytes=6).derive()
    row = table_row.encode(table)
    assert (table_row.decode(row).item_count, b"item_count" in row) == (0, False)
