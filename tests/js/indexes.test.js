import assert from "node:assert/strict";
import test from "node:test";

import { DescribeTableCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createApp, profiles } from "./database.js";

// Behaviour 16.1.
const NOTHING_TO_UPDATE =
  "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, " +
  "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, " +
  "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";

test("a strong read of a global index is refused", async () => {
  const { client, ddb } = connect();
  await createApp(client);
  const read = new QueryCommand({
    TableName: "app",
    IndexName: "GSI1",
    ConsistentRead: true,
    KeyConditionExpression: "GSI1PK = :c",
    ExpressionAttributeValues: { ":c": "TENANT#42#CUST#7" },
  });
  await assert.rejects(ddb.send(read), {
    name: "ValidationException",
    message: "Consistent reads are not supported on global secondary indexes",
  });
});

test("a strong read of a local index is served", async () => {
  const { client, ddb } = connect();
  await createApp(client);
  const read = new QueryCommand({
    TableName: "app",
    IndexName: "LSI1",
    ConsistentRead: true,
    KeyConditionExpression: "PK = :c",
    ExpressionAttributeValues: { ":c": "TENANT#42#CUST#7" },
  });
  const { Items, Count } = await ddb.send(read);
  assert.deepEqual([Items, Count], [[], 0]);
});

for (const profile of profiles) {
  test(`a local index shows what was just written, by value: ${profile}`, async () => {
    const { client, ddb } = connect(profile);
    await createApp(client);
    let last;
    for (const [order, total] of [["a", 95], ["b", 1200], ["c", 300]]) {
      await ddb.send(new PutCommand({ TableName: "app", Item: { PK: "CUST#7", SK: `ORDER#${order}`, total } }));
      last = await ddb.send(
        new QueryCommand({
          TableName: "app",
          IndexName: "LSI1",
          ConsistentRead: true,
          KeyConditionExpression: "PK = :c",
          ExpressionAttributeValues: { ":c": "CUST#7" },
          ScanIndexForward: false,
        }),
      );
      assert.ok(last.Items.some((item) => item.total === total));
    }
    assert.deepEqual(last.Items.map((item) => item.total), [1200, 300, 95]);
  });
}

test("a local index cannot be added: the API has no parameter for it and the SDK leaves it out", async () => {
  const { client } = connect();
  await createApp(client);
  const update = new UpdateTableCommand({
    TableName: "app",
    LocalSecondaryIndexUpdates: [{ Create: { IndexName: "LSI2" } }],
  });
  await assert.rejects(client.send(update), { name: "ValidationException", message: NOTHING_TO_UPDATE });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "app" }));
  assert.deepEqual(Table.LocalSecondaryIndexes.map((local) => local.IndexName), ["LSI1"]);
});

test("a global index is added to a table with items", async () => {
  const { client, ddb } = connect();
  await createApp(client);
  for (let order = 0; order < 10; order++) {
    await ddb.send(
      new PutCommand({
        TableName: "app",
        Item: { PK: `ORDER#${order}`, SK: "META", GSI3PK: `DAY#${order % 2}`, total: order * 100 },
      }),
    );
  }
  await client.send(
    new UpdateTableCommand({
      TableName: "app",
      AttributeDefinitions: [
        { AttributeName: "GSI3PK", AttributeType: "S" },
        { AttributeName: "total", AttributeType: "N" },
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: "GSI3",
            KeySchema: [
              { AttributeName: "GSI3PK", KeyType: "HASH" },
              { AttributeName: "total", KeyType: "RANGE" },
            ],
            Projection: { ProjectionType: "ALL" },
          },
        },
      ],
    }),
  );
  for (let status = "CREATING"; status !== "ACTIVE"; ) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: "app" }));
    status = Table.GlobalSecondaryIndexes.find((each) => each.IndexName === "GSI3").IndexStatus;
  }
  const { Items } = await ddb.send(
    new QueryCommand({
      TableName: "app",
      IndexName: "GSI3",
      KeyConditionExpression: "GSI3PK = :day AND #t >= :least",
      ExpressionAttributeNames: { "#t": "total" },
      ExpressionAttributeValues: { ":day": "DAY#1", ":least": 500 },
    }),
  );
  assert.deepEqual(Items.map((item) => item.total), [500, 700, 900]);
});

test("an item without the key of an index is on the table only", async () => {
  const { client, ddb } = connect();
  await createApp(client);
  const Item = { PK: "ORDER#1", SK: "META", GSI1PK: "CUST#7" };
  await ddb.send(new PutCommand({ TableName: "app", Item }));
  const { Items } = await ddb.send(
    new QueryCommand({
      TableName: "app",
      IndexName: "GSI1",
      KeyConditionExpression: "GSI1PK = :c",
      ExpressionAttributeValues: { ":c": "CUST#7" },
    }),
  );
  assert.deepEqual(Items, []);
  const read = new GetCommand({ TableName: "app", Key: { PK: "ORDER#1", SK: "META" } });
  assert.deepEqual((await ddb.send(read)).Item, Item);
});
