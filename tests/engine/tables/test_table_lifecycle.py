"""From CREATING to gone, by the clock and across restarts (sections 15 and 16)."""

from __future__ import annotations

from tests.engine.tables.harness import ARN, SCOPE, Bench, defined, index, table

from partita.engine.agenda import drive
from partita.storage import Decision

IN_USE = "ResourceInUseException: Attempt to change a resource which is still in use: "
MISSING = "ResourceNotFoundException: Requested resource not found: Table: music not found"


def test_instant_a_table_is_active_at_the_next_request_and_gone_after_its_deletion() -> None:
    bench = Bench()
    bench.call(
        "CreateTable",
        table(AttributeDefinitions=defined("pk", "gk"), GlobalSecondaryIndexes=[index("gsi", "gk")]),
    )
    described = bench.describe()
    assert described["TableStatus"] == "ACTIVE"
    assert described["GlobalSecondaryIndexes"][0]["IndexStatus"] == "ACTIVE"
    assert "Backfilling" not in described["GlobalSecondaryIndexes"][0]
    bench.call("DeleteTable", {"TableName": "music"})
    assert bench.error("DescribeTable", {"TableName": "music"}) == MISSING
    bench.call("CreateTable", table())
    assert bench.describe()["ItemCount"] == 0


def test_fact_15_5_the_answer_of_delete_table() -> None:
    bench = Bench()
    bench.call("CreateTable", table())
    table_id = bench.describe()["TableId"]
    answer = bench.call("DeleteTable", {"TableName": ARN + "music"})
    answer["TableDescription"].pop("BillingModeSummary")
    assert answer == {
        "TableDescription": {
            "TableName": "music",
            "TableStatus": "DELETING",
            "TableId": table_id,
            "TableArn": ARN + "music",
            "TableSizeBytes": 0,
            "ItemCount": 0,
            "ProvisionedThroughput": {
                "NumberOfDecreasesToday": 0,
                "ReadCapacityUnits": 0,
                "WriteCapacityUnits": 0,
            },
            "DeletionProtectionEnabled": False,
        }
    }


def test_transitions_take_their_time_under_other_profiles() -> None:
    bench = Bench(table_transition_ms=50)
    bench.call(
        "CreateTable",
        table(AttributeDefinitions=defined("pk", "gk"), GlobalSecondaryIndexes=[index("gsi", "gk")]),
    )
    bench.clock.advance(0.049)
    described = bench.describe()
    assert (described["TableStatus"], described["GlobalSecondaryIndexes"][0]["IndexStatus"]) == (
        "CREATING",
        "CREATING",
    )
    bench.clock.advance(0.001)
    assert bench.describe()["TableStatus"] == "ACTIVE"
    bench.call("DeleteTable", {"TableName": "music"})
    assert bench.describe()["TableStatus"] == "DELETING"
    bench.clock.advance(0.05)
    assert bench.error("DescribeTable", {"TableName": "music"}) == MISSING


def test_fact_15_4_a_table_in_transition_is_in_use() -> None:
    bench = Bench(table_transition_ms=50)
    bench.call("CreateTable", table())
    assert bench.error("DeleteTable", {"TableName": "music"}) == IN_USE + "Table is being created: music"
    assert bench.error("CreateTable", table()) == IN_USE + "Table is being created: music"
    bench.clock.advance(1)
    bench.call("DeleteTable", {"TableName": "music"})
    assert bench.error("CreateTable", table()) == "ResourceInUseException: Table already exists: music"
    assert bench.error("DeleteTable", {"TableName": "music"}) == IN_USE + "Table is being deleted: music"
    update = {"TableName": "music", "TableClass": "STANDARD"}
    assert bench.error("UpdateTable", update) == IN_USE + "Table is being deleted: music"


def test_fact_15_14_a_protected_table_stays() -> None:
    bench = Bench()
    bench.call("CreateTable", table(DeletionProtectionEnabled=True))
    assert bench.error("DeleteTable", {"TableName": "music"}) == (
        "ValidationException: Resource cannot be deleted as it is currently protected against deletion."
        " Disable deletion protection first."
    )
    assert bench.describe()["TableStatus"] == "ACTIVE"


def test_fact_2_26_a_missing_table() -> None:
    assert Bench().error("DeleteTable", {"TableName": "music"}) == MISSING


def test_a_restart_goes_on_with_what_was_due() -> None:
    bench = Bench(table_transition_ms=50)
    bench.call("CreateTable", table())
    bench.start()
    assert bench.describe()["TableStatus"] == "CREATING"
    bench.clock.advance(0.05)
    assert bench.describe()["TableStatus"] == "ACTIVE"
    bench.call("DeleteTable", {"TableName": "music"})
    bench.start()
    bench.clock.advance(0.05)
    assert bench.error("DescribeTable", {"TableName": "music"}) == MISSING


def test_rows_of_a_deleted_table_go_in_slices_across_a_restart() -> None:
    bench = Bench()
    bench.call("CreateTable", table())
    bench.call("DescribeTable", {"TableName": "music"})
    space = bench.engine.catalogue.describe(SCOPE, "music").space
    puts = [(space, n.to_bytes(16, "big"), b"", b"{}", 2) for n in range(10_000)]
    drive(bench.store.transact([], lambda rows, stamp: Decision(puts, (), (), None)))
    bench.call("DeleteTable", {"TableName": "music"})
    bench.run_due(3)
    bench.store.commit()
    assert bench.error("DescribeTable", {"TableName": "music"}) == MISSING
    assert bench.store.has_space(space)
    bench.start()
    for _ in range(20):
        bench.run_due()
    assert not bench.store.has_space(space)
    assert bench.engine.catalogue.discarded_spaces() == []
    assert bench.engine.agenda.next_due_us is None


def test_list_tables_facts_15_37_and_15_38() -> None:
    bench = Bench()
    for name in ("ccc", "aaa", "bbb"):
        bench.call("CreateTable", table(name=name))
    assert bench.call("ListTables") == {"TableNames": ["aaa", "bbb", "ccc"]}
    assert bench.call("ListTables", {"Limit": 2}) == {
        "TableNames": ["aaa", "bbb"],
        "LastEvaluatedTableName": "bbb",
    }
    assert bench.call("ListTables", {"Limit": 3}) == {"TableNames": ["aaa", "bbb", "ccc"]}
    assert bench.call("ListTables", {"ExclusiveStartTableName": "bbb"}) == {"TableNames": ["ccc"]}
    assert bench.call("ListTables", {"ExclusiveStartTableName": "bba"}) == {"TableNames": ["bbb", "ccc"]}
