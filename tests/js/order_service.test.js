import assert from "node:assert/strict";
import test from "node:test";

import { GetCommand, PutCommand, QueryCommand, ScanCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createApp } from "./database.js";

const TableName = "app";
const TENANT = "TENANT#42";
const SHARDS = 4;
const ORDERS = [
  ["990", "7", "2026-09-20T08:00:00Z", 120],
  ["991", "7", "2026-09-28T10:15:00Z", 640],
  ["992", "7", "2026-09-30T23:59:59Z", 75],
  ["993", "8", "2026-09-29T12:00:00Z", 510],
  ["994", "8", "2026-10-01T00:00:00Z", 499],
  ["995", "7", "2026-10-02T09:30:00Z", 500],
];

const shardOf = (order) => Number(order) % SHARDS;
const idsOf = (items) => items.map((item) => item.PK.split("#").at(-1));

async function service() {
  const { client, ddb } = connect();
  await createApp(client);

  const place = (order, customer, time, total, others = {}) => {
    const PK = `${TENANT}#ORDER#${order}`;
    const items = [
      {
        PK,
        SK: "META",
        total,
        status: "pending",
        GSI1PK: `${TENANT}#CUST#${customer}`,
        GSI1SK: `ORDER#${time}#${order}`,
        GSI2PK: `${TENANT}#PENDING#${shardOf(order)}`,
        GSI2SK: time,
      },
      { PK, SK: "ITEM#001", sku: `${order}-a` },
      { PK, SK: "ITEM#002", sku: `${order}-b` },
    ];
    return ddb.send(
      new TransactWriteCommand({
        TransactItems: items.map((Item) => ({
          Put: { TableName, Item, ConditionExpression: "attribute_not_exists(PK)" },
        })),
        ...others,
      }),
    );
  };

  const query = async (KeyConditionExpression, ExpressionAttributeValues, others = {}) =>
    (await ddb.send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues, ...others }))).Items;

  const orderWithItems = (order) => query("PK = :order", { ":order": `${TENANT}#ORDER#${order}` });

  const ordersOf = (customer, first, last) =>
    query(
      "GSI1PK = :c AND GSI1SK BETWEEN :first AND :last",
      { ":c": `${TENANT}#CUST#${customer}`, ":first": `ORDER#${first}`, ":last": `ORDER#${last}~` },
      { IndexName: "GSI1", ScanIndexForward: false },
    );

  const pending = async () => {
    const shards = Array.from({ length: SHARDS }, (_, shard) =>
      query("GSI2PK = :shard", { ":shard": `${TENANT}#PENDING#${shard}` }, { IndexName: "GSI2" }),
    );
    return (await Promise.all(shards)).flat();
  };

  const ship = (order) =>
    ddb.send(
      new UpdateCommand({
        TableName,
        Key: { PK: `${TENANT}#ORDER#${order}`, SK: "META" },
        UpdateExpression: "SET #s = :shipped REMOVE GSI2PK, GSI2SK",
        ConditionExpression: "#s = :pending",
        ExpressionAttributeNames: { "#s": "status" },
        ExpressionAttributeValues: { ":shipped": "shipped", ":pending": "pending" },
      }),
    );

  await Promise.all(ORDERS.map((order) => place(...order)));
  return { ddb, place, orderWithItems, ordersOf, pending, ship };
}

test("one query reads an order with its items", async () => {
  const { orderWithItems } = await service();
  const items = await orderWithItems("991");
  assert.deepEqual(items.map((item) => item.SK), ["ITEM#001", "ITEM#002", "META"]);
  assert.deepEqual(items[2], {
    PK: "TENANT#42#ORDER#991",
    SK: "META",
    total: 640,
    status: "pending",
    GSI1PK: "TENANT#42#CUST#7",
    GSI1SK: "ORDER#2026-09-28T10:15:00Z#991",
    GSI2PK: "TENANT#42#PENDING#3",
    GSI2SK: "2026-09-28T10:15:00Z",
  });
});

test("one query reads the orders of a customer, newest first, within days", async () => {
  const { ordersOf } = await service();
  assert.deepEqual(idsOf(await ordersOf("7", "2026-09-01", "2026-12-31")), ["995", "992", "991", "990"]);
  assert.deepEqual(idsOf(await ordersOf("7", "2026-09-28", "2026-09-30")), ["992", "991"]);
  assert.deepEqual(idsOf(await ordersOf("8", "2026-10-02", "2026-12-31")), []);
});

test("pending orders are found over four shards, and leave the index when they are shipped", async () => {
  const { ddb, pending, ship, ordersOf } = await service();
  assert.deepEqual(idsOf(await pending()).sort(), ["990", "991", "992", "993", "994", "995"]);
  await ship("991");
  await ship("994");
  assert.deepEqual(idsOf(await pending()).sort(), ["990", "992", "993", "995"]);
  await assert.rejects(ship("991"), { name: "ConditionalCheckFailedException" });
  const { ScannedCount } = await ddb.send(new ScanCommand({ TableName, IndexName: "GSI2" }));
  assert.equal(ScannedCount, 4);
  assert.deepEqual(idsOf(await ordersOf("8", "2026-09-01", "2026-12-31")), ["994", "993"]);
});

test("a customer is read by id", async () => {
  const { ddb } = await service();
  const Key = { PK: `${TENANT}#CUST#7`, SK: "PROFILE" };
  assert.equal((await ddb.send(new GetCommand({ TableName, Key }))).Item, undefined);
  await ddb.send(new PutCommand({ TableName, Item: { ...Key, name: "Mai" } }));
  assert.deepEqual((await ddb.send(new GetCommand({ TableName, Key }))).Item, { ...Key, name: "Mai" });
});

test("a retried order with the same token is placed once", async () => {
  const { place, ordersOf } = await service();
  const order = ["1000", "7", "2026-11-01T08:00:00Z", 5];
  await place(...order, { ClientRequestToken: "intention-1" });
  await place(...order, { ClientRequestToken: "intention-1" });
  assert.deepEqual(idsOf(await ordersOf("7", "2026-11-01", "2026-11-01")), ["1000"]);
  await assert.rejects(place(...order, { ClientRequestToken: "intention-2" }), {
    name: "TransactionCanceledException",
  });
  await assert.rejects(place("1000", "7", "2026-11-01T08:00:00Z", 6, { ClientRequestToken: "intention-1" }), {
    name: "IdempotentParameterMismatchException",
  });
});
