import assert from "node:assert/strict";
import test from "node:test";

import { GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createApp, profiles } from "./database.js";

const TableName = "app";
const ConditionExpression = "attribute_not_exists(PK)";

async function users(profile) {
  const { client, ddb } = connect(profile);
  await createApp(client);

  const register = (email, userId) =>
    ddb.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName, Item: { PK: `USER#${userId}`, SK: "PROFILE", email }, ConditionExpression } },
          { Put: { TableName, Item: { PK: `EMAIL#${email}`, SK: "UNIQUE", userId }, ConditionExpression } },
        ],
      }),
    );

  const changeEmail = (userId, old, email) =>
    ddb.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Delete: {
              TableName,
              Key: { PK: `EMAIL#${old}`, SK: "UNIQUE" },
              ConditionExpression: "userId = :user",
              ExpressionAttributeValues: { ":user": userId },
            },
          },
          { Put: { TableName, Item: { PK: `EMAIL#${email}`, SK: "UNIQUE", userId }, ConditionExpression } },
          {
            Update: {
              TableName,
              Key: { PK: `USER#${userId}`, SK: "PROFILE" },
              UpdateExpression: "SET email = :new",
              ExpressionAttributeValues: { ":new": email },
            },
          },
        ],
      }),
    );

  const read = async (PK, SK) =>
    (await ddb.send(new GetCommand({ TableName, Key: { PK, SK }, ConsistentRead: true }))).Item;
  return { register, changeEmail, read };
}

const codes = (error) => error.CancellationReasons.map((reason) => reason.Code);

for (const profile of profiles) {
  test(`the second user of an address is refused and has no profile: ${profile}`, async () => {
    const { register, read } = await users(profile);
    await register("a@b.com", "u1");
    await assert.rejects(register("a@b.com", "u2"), (error) => {
      assert.equal(error.name, "TransactionCanceledException");
      assert.equal(
        error.message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
      );
      assert.deepEqual(codes(error), ["None", "ConditionalCheckFailed"]);
      return true;
    });
    assert.equal(await read("USER#u2", "PROFILE"), undefined);
    assert.equal((await read("EMAIL#a@b.com", "UNIQUE")).userId, "u1");
  });

  test(`a change of address is three actions: ${profile}`, async () => {
    const { register, changeEmail, read } = await users(profile);
    await register("a@b.com", "u1");
    await changeEmail("u1", "a@b.com", "new@b.com");
    assert.equal((await read("USER#u1", "PROFILE")).email, "new@b.com");
    assert.equal(await read("EMAIL#a@b.com", "UNIQUE"), undefined);

    await register("a@b.com", "u2");
    await assert.rejects(changeEmail("u2", "a@b.com", "new@b.com"), (error) => {
      assert.deepEqual(codes(error), ["None", "ConditionalCheckFailed", "None"]);
      return true;
    });
    assert.equal((await read("USER#u2", "PROFILE")).email, "a@b.com");
    assert.equal((await read("EMAIL#a@b.com", "UNIQUE")).userId, "u2");
  });

  test(`of registrations at once one succeeds: ${profile}`, async () => {
    const { register, read } = await users(profile);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => register("a@b.com", `u${n}`)));
    const winners = outcomes.flatMap(({ status }, n) => (status === "fulfilled" ? [`u${n}`] : []));
    assert.equal(winners.length, 1);
    assert.equal((await read("EMAIL#a@b.com", "UNIQUE")).userId, winners[0]);
    for (const { reason } of outcomes.filter(({ status }) => status === "rejected")) {
      assert.match(codes(reason)[1], /^(ConditionalCheckFailed|TransactionConflict)$/);
    }
    for (let n = 0; n < 8; n++) {
      assert.equal((await read(`USER#u${n}`, "PROFILE")) !== undefined, winners.includes(`u${n}`));
    }
  });
}
