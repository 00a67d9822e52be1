"""Section 21: PartiQL; it comes later."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.table import later, section

SECTION = section(
    21,
    "PartiQL",
    later(
        "21.1",
        "A",
        "ExecuteStatement INSERT of an existing key: DuplicateItemException `Duplicate primary key exists in table`.",
    ),
    later(
        "21.2",
        "A",
        "UPDATE of an absent item: ConditionalCheckFailedException `The conditional request failed` (never an upsert).",
    ),
    later("21.3", "A", "DELETE of an absent item succeeds silently."),
    later(
        "21.4",
        "A",
        "UPDATE/DELETE need all key attributes by equality: `Where clause does not contain a mandatory equality on all key attributes`.",
    ),
    later("21.5", "A", "Parse errors: `Statement wasn't well formed, can't be processed: <detail>`."),
    later(
        "21.6",
        "D",
        "A table name with special characters goes in double quotes; strings in single quotes, doubled for a quote.",
    ),
    later("21.7", "D", "SELECT without a key equality scans; with it queries."),
    later("21.8", "A", 'An index is named as `"table"."index"`.'),
    later("21.9", "A", "Limit counts evaluated rows; NextToken may come with few or no rows."),
    later(
        "21.10",
        "A",
        "A garbled NextToken: ValidationException `Invalid NextToken`; one from another statement: `NextToken does not match request`.",
    ),
    later("21.11", "A", "RETURNING is allowed on UPDATE (ALL/MODIFIED OLD/NEW) and DELETE (ALL OLD)."),
    later("21.12", "A", "`DELETE … RETURNING ALL OLD *` on an absent item gives `Items: []`."),
    later("21.13", "A", "IN accepts both round and square brackets; NOT may stand before a function."),
    later("21.14", "D", "IS MISSING / IS NOT MISSING test presence; IS NULL tests the NULL type."),
    later("21.15", "D", "Set literals are `<<'a','b'>>`."),
    later("21.16", "A", "Ordering operators refuse literals that are not S, N or B."),
    later(
        "21.17",
        "A",
        "BatchExecuteStatement: up to 25, all reads or all writes: `Read and write requests together in the same batch is not supported.`",
    ),
    later(
        "21.18",
        "A",
        "Batch errors are per statement with short codes: ConditionalCheckFailed, DuplicateItem, ValidationError, ResourceNotFound; the call itself is 200.",
    ),
    later(
        "21.19",
        "A",
        "ExecuteTransaction mixing reads and writes: `ExecuteTransaction API does not support both read and write operations in the same request.`",
    ),
    later("21.20", "A", "The item size limit also holds for INSERT/UPDATE."),
    later("21.21", "A", "NOT a = 'x' is true for a row without a; a <> 'x' is not."),
    later("21.22", "A", "UPDATE SET list index at or past the end appends."),
    later("21.23", "A", "PartiQL reads are charged on rows walked."),
)
