import assert from "node:assert/strict";
import test from "node:test";

import { BatchGetCommand, BatchWriteCommand, paginateScan } from "@aws-sdk/lib-dynamodb";

import { connect, createApp, sleep } from "./database.js";

const put = (i) => ({ PutRequest: { Item: { PK: `B#${i}`, SK: "X" } } });
const puts = (length, first = 0) => Array.from({ length }, (_, i) => put(first + i));

async function count(client) {
  let total = 0;
  for await (const page of paginateScan({ client }, { TableName: "app", Select: "COUNT", ConsistentRead: true })) {
    total += page.Count;
  }
  return total;
}

// Behaviour 12.3; what stands between the brackets cannot be reproduced.
const TOO_MANY =
  /^1 validation error detected: Value '\{app=\[.*\]\}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length greater than or equal to 1\]$/s;

test("26 items are too many", async () => {
  const { client, ddb } = connect();
  await createApp(client);
  await assert.rejects(ddb.send(new BatchWriteCommand({ RequestItems: { app: puts(26) } })), {
    name: "ValidationException",
    message: TOO_MANY,
  });
  assert.equal(await count(ddb), 0);
  const { UnprocessedItems } = await ddb.send(new BatchWriteCommand({ RequestItems: { app: puts(25) } }));
  assert.deepEqual(UnprocessedItems, {});
  assert.equal(await count(ddb), 25);
});

test("the least retry loop writes everything", async () => {
  const { client, ddb } = connect("hostile");
  await createApp(client);
  let retries = 0;
  for (let first = 0; first < 250; first += 25) {
    let pending = { app: puts(25, first) };
    for (let attempt = 0; Object.keys(pending).length > 0; attempt++) {
      const r = await ddb.send(new BatchWriteCommand({ RequestItems: pending }));
      pending = r.UnprocessedItems ?? {};
      if (Object.keys(pending).length) {
        retries++;
        await sleep(Math.min(2 ** attempt * 5, 200) + Math.random() * 10);
      }
    }
  }
  assert.ok(retries > 0);
  assert.equal(await count(ddb), 250);
});

test("what a batch read leaves over is asked again", async () => {
  const { client, ddb } = connect("hostile");
  await createApp(client);
  let pending = { app: puts(25) };
  while (Object.keys(pending).length > 0) {
    pending = (await ddb.send(new BatchWriteCommand({ RequestItems: pending }))).UnprocessedItems;
  }
  const found = [];
  let keys = { app: { Keys: puts(25).map((request) => request.PutRequest.Item), ConsistentRead: true } };
  while (Object.keys(keys).length > 0) {
    const { Responses, UnprocessedKeys } = await ddb.send(new BatchGetCommand({ RequestItems: keys }));
    found.push(...(Responses.app ?? []).map((item) => item.PK));
    keys = UnprocessedKeys;
  }
  assert.deepEqual(found.sort(), puts(25).map((request) => request.PutRequest.Item.PK).sort());
});
