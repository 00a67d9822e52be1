import assert from "node:assert/strict";
import test from "node:test";

import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { GetCommand, NumberValue, PutCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createPlain } from "./database.js";

const TableName = "things";
const Key = { PK: "a", SK: "b" };

async function things(translation) {
  const connection = connect("instant", { translation });
  await createPlain(connection.client, TableName);
  return connection;
}

const read = async (ddb) => (await ddb.send(new GetCommand({ TableName, Key }))).Item;

test("every type comes back as it went", async () => {
  const { client, ddb } = await things();
  const Item = {
    ...Key,
    text: "Nguyễn 𝄞 \u0000",
    empty: "",
    integer: 42,
    negative: -0.5,
    large: Number.MAX_SAFE_INTEGER,
    small: 1e-7,
    flag: true,
    nothing: null,
    binary: new Uint8Array([0, 127, 255]),
    noBytes: new Uint8Array(),
    texts: new Set(["a", "b", ""]),
    numbers: new Set([1, 2.5, -3]),
    list: [1, "two", [3], { four: 4 }, null, false],
    map: { deep: { deeper: [] }, none: {} },
  };
  await ddb.send(new PutCommand({ TableName, Item }));
  assert.deepEqual(await read(ddb), Item);

  const { Item: wire } = await client.send(
    new GetItemCommand({ TableName, Key: { PK: { S: "a" }, SK: { S: "b" } } }),
  );
  assert.deepEqual(wire.large, { N: "9007199254740991" });
  assert.deepEqual(wire.small, { N: "0.0000001" });
  assert.deepEqual(new Set(wire.numbers.NS), new Set(["1", "2.5", "-3"]));
  assert.deepEqual(wire.nothing, { NULL: true });
});

test("sets of binary values", async () => {
  const { ddb } = await things();
  const members = [new Uint8Array([255]), new Uint8Array([0, 1]), new Uint8Array()];
  await ddb.send(new PutCommand({ TableName, Item: { ...Key, binaries: new Set(members) } }));
  const { binaries } = await read(ddb);
  const plain = (values) => [...values].map((value) => Buffer.from(value).toString("hex")).sort();
  assert.deepEqual(plain(binaries), plain(members));
});

test("numbers of 38 digits", async () => {
  const { ddb } = await things({ unmarshallOptions: { wrapNumbers: true } });
  const digits = "1234567890123456789012345678901234567.8";
  await ddb.send(new PutCommand({ TableName, Item: { ...Key, exact: NumberValue.from(digits), n: 12n ** 30n } }));
  const item = await read(ddb);
  assert.equal(item.exact.toString(), digits);
  assert.equal(item.n.toString(), String(12n ** 30n));
  await ddb.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "SET exact = exact + :tenth",
      ExpressionAttributeValues: { ":tenth": 0.1 },
    }),
  );
  assert.equal((await read(ddb)).exact.toString(), "1234567890123456789012345678901234567.9");
});

test("undefined values are left out, class instances become maps, where asked for", async () => {
  class Money {
    amount = 5;
    currency = "VND";
  }
  const { ddb } = await things({ marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true } });
  await ddb.send(new PutCommand({ TableName, Item: { ...Key, gone: undefined, price: new Money() } }));
  assert.deepEqual(await read(ddb), { ...Key, price: { amount: 5, currency: "VND" } });
});

test("sets grow and shrink", async () => {
  const { ddb } = await things();
  const update = (UpdateExpression, values) =>
    ddb.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression,
        ExpressionAttributeValues: { ":s": new Set(values) },
        ReturnValues: "UPDATED_NEW",
      }),
    );
  await update("ADD tags :s", ["a", "b"]);
  assert.deepEqual((await update("ADD tags :s", ["b", "c"])).Attributes, { tags: new Set(["a", "b", "c"]) });
  assert.deepEqual((await update("DELETE tags :s", ["a", "z"])).Attributes, { tags: new Set(["b", "c"]) });
  assert.equal((await update("DELETE tags :s", ["b", "c"])).Attributes, undefined);
});

test("projections, filters and capacity come through", async () => {
  const { ddb } = await things();
  for (const [SK, n] of [["1", 1], ["2", 2], ["3", 3]]) {
    await ddb.send(new PutCommand({ TableName, Item: { PK: "a", SK, n, map: { deep: [n, -n] } } }));
  }
  const { Items, Count, ScannedCount, ConsumedCapacity } = await ddb.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "PK = :a",
      FilterExpression: "n > :one",
      ProjectionExpression: "#m.deep[1]",
      ExpressionAttributeNames: { "#m": "map" },
      ExpressionAttributeValues: { ":a": "a", ":one": 1 },
      ReturnConsumedCapacity: "TOTAL",
    }),
  );
  assert.deepEqual(Items, [{ map: { deep: [-2] } }, { map: { deep: [-3] } }]);
  assert.deepEqual([Count, ScannedCount], [2, 3]);
  assert.deepEqual(ConsumedCapacity, { TableName, CapacityUnits: 0.5 });
});
