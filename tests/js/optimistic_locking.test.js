import assert from "node:assert/strict";
import test from "node:test";

import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createApp, profiles } from "./database.js";

const Key = { PK: "TENANT#42#PRODUCT#9", SK: "STOCK" };

async function stock(profile) {
  const { client, ddb } = connect(profile);
  await createApp(client);
  await ddb.send(new PutCommand({ TableName: "app", Item: { ...Key, qty: 10, version: 17 } }));

  const reserve = (expected, n = 2, others = {}) =>
    ddb.send(
      new UpdateCommand({
        TableName: "app",
        Key,
        UpdateExpression: "SET qty = qty - :n, version = version + :one",
        ConditionExpression: "qty >= :n AND version = :v",
        ExpressionAttributeValues: { ":n": n, ":one": 1, ":v": expected },
        ReturnValues: "ALL_NEW",
        ...others,
      }),
    );
  const read = async () => (await ddb.send(new GetCommand({ TableName: "app", Key, ConsistentRead: true }))).Item;
  return { reserve, read };
}

for (const profile of profiles) {
  test(`the second writer with a stale version is refused: ${profile}`, async () => {
    const { reserve, read } = await stock(profile);
    assert.deepEqual((await reserve(17)).Attributes, { ...Key, version: 18, qty: 8 });
    await assert.rejects(reserve(17), {
      name: "ConditionalCheckFailedException",
      message: "The conditional request failed",
    });
    assert.deepEqual(await read(), { ...Key, version: 18, qty: 8 });
  });

  test(`of writers at once with one version one succeeds: ${profile}`, async () => {
    const { reserve, read } = await stock(profile);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => reserve(17, 1)));
    const failures = outcomes.filter(({ status }) => status === "rejected").map(({ reason }) => reason.name);
    assert.deepEqual(failures, Array(9).fill("ConditionalCheckFailedException"));
    assert.deepEqual(await read(), { ...Key, version: 18, qty: 9 });
  });
}

test("more than there is cannot be reserved", async () => {
  const { reserve, read } = await stock();
  await assert.rejects(reserve(17, 11), { name: "ConditionalCheckFailedException" });
  assert.equal((await read()).qty, 10);
});

test("the refusal shows what is there now", async () => {
  const { reserve } = await stock();
  await reserve(17);
  await assert.rejects(reserve(17, 2, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }), (error) => {
    assert.deepEqual(error.Item.version, { N: "18" });
    assert.deepEqual(error.Item.qty, { N: "8" });
    return true;
  });
});
