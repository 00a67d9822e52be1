import assert from "node:assert/strict";
import test from "node:test";

import {
  CreateTableCommand,
  DeleteTableCommand,
  ListTablesCommand,
  paginateListTables,
  paginateQuery as paginateWireQuery,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, paginateQuery, paginateScan, PutCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createPlain, profiles } from "./database.js";

const TableName = "things";
const waiting = { maxWaitTime: 20, minDelay: 0.05, maxDelay: 0.2 };

async function hundredThings() {
  const connection = connect();
  await createPlain(connection.client, TableName);
  for (let first = 0; first < 100; first += 25) {
    const things = Array.from({ length: 25 }, (_, i) => ({
      PutRequest: { Item: { PK: first < 75 ? "one" : `other-${i}`, SK: String(first + i).padStart(3, "0") } },
    }));
    await connection.ddb.send(new BatchWriteCommand({ RequestItems: { [TableName]: things } }));
  }
  return connection;
}

async function collect(pages) {
  const found = [];
  for await (const page of pages) found.push(page);
  return found;
}

const query = {
  TableName,
  KeyConditionExpression: "PK = :one",
  ScanIndexForward: false,
};

test("paginateQuery of documents", async () => {
  const { ddb } = await hundredThings();
  const pages = await collect(
    paginateQuery({ client: ddb, pageSize: 20 }, { ...query, ExpressionAttributeValues: { ":one": "one" } }),
  );
  assert.deepEqual(pages.map((page) => page.Count), [20, 20, 20, 15]);
  const keys = pages.flatMap((page) => page.Items.map((item) => Number(item.SK)));
  assert.deepEqual(keys, Array.from({ length: 75 }, (_, i) => 74 - i));
});

test("paginateQuery in wire form", async () => {
  const { client } = await hundredThings();
  const pages = await collect(
    paginateWireQuery({ client, pageSize: 25 }, { ...query, ExpressionAttributeValues: { ":one": { S: "one" } } }),
  );
  // Stopped by its limit exactly at the last item, a page still says where to go on (11.19).
  assert.deepEqual(pages.map((page) => page.Count), [25, 25, 25, 0]);
});

test("paginateScan, and of segments", async () => {
  const { ddb } = await hundredThings();
  const all = await collect(paginateScan({ client: ddb, pageSize: 7 }, { TableName }));
  const keys = all.flatMap((page) => page.Items.map((item) => item.SK));
  assert.deepEqual([keys.length, new Set(keys).size], [100, 100]);

  const segments = await Promise.all(
    [0, 1, 2].map((Segment) =>
      collect(paginateScan({ client: ddb, pageSize: 9 }, { TableName, Segment, TotalSegments: 3 })),
    ),
  );
  const parts = segments.flat().flatMap((page) => page.Items.map((item) => item.SK));
  assert.deepEqual(parts.sort(), keys.sort());
});

test("pages of a scan end at a megabyte", async () => {
  const { client, ddb } = connect();
  await createPlain(client, TableName);
  for (let i = 0; i < 30; i++) {
    const Item = { PK: "large", SK: String(i).padStart(3, "0"), text: "x".repeat(100_000) };
    await ddb.send(new PutCommand({ TableName, Item }));
  }
  const pages = await collect(paginateScan({ client: ddb }, { TableName }));
  assert.deepEqual(pages.map((page) => page.Count), [11, 11, 8]);
});

test("paginateListTables", async () => {
  const { client } = connect();
  for (const name of ["t-1", "t-2", "t-3", "t-4", "t-5"]) await createPlain(client, name);
  const pages = await collect(paginateListTables({ client, pageSize: 2 }, {}));
  assert.deepEqual(pages.map((page) => page.TableNames), [["t-1", "t-2"], ["t-3", "t-4"], ["t-5"]]);
});

for (const profile of profiles) {
  test(`waiters see a table come and go: ${profile}`, async () => {
    const { client, ddb } = connect(profile);
    const { TableDescription } = await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "PK", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "PK", AttributeType: "S" }],
      }),
    );
    assert.equal(TableDescription.TableStatus, "CREATING");
    assert.ok(TableDescription.CreationDateTime instanceof Date);
    const exists = await waitUntilTableExists({ client, ...waiting }, { TableName });
    assert.equal(exists.state, "SUCCESS");
    await ddb.send(new PutCommand({ TableName, Item: { PK: "a" } }));

    await client.send(new DeleteTableCommand({ TableName }));
    const gone = await waitUntilTableNotExists({ client, ...waiting }, { TableName });
    assert.equal(gone.state, "SUCCESS");
    assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, []);
    await assert.rejects(ddb.send(new PutCommand({ TableName, Item: { PK: "a" } })), {
      name: "ResourceNotFoundException",
      message: "Requested resource not found",
    });
  });
}
