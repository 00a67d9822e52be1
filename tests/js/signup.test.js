import assert from "node:assert/strict";
import test from "node:test";

import { TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { ScanCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createPlain, profiles } from "./database.js";

const TableName = "accounts";
const SLOTS = ["account", "email", "username"];
const ADA = { account: "a1f9c3", email: "ada@lovelace.io", username: "ada" };

const keys = ({ account, email, username }) => [
  { PK: `ACCT#${account}`, SK: "PROFILE" },
  { PK: `UNIQ#EMAIL#${email}`, SK: "LOCK" },
  { PK: `UNIQ#HANDLE#${username}`, SK: "LOCK" },
];

async function accounts(profile) {
  const { client, ddb } = connect(profile);
  await createPlain(client, TableName);

  const signUp = ({ account, email, username }, others = {}) => {
    const [profileKey, ...locks] = keys({ account, email, username });
    const items = [{ ...profileKey, email, username }, ...locks];
    return ddb.send(
      new TransactWriteCommand({
        TransactItems: items.map((Item) => ({
          Put: { TableName, Item, ConditionExpression: "attribute_not_exists(PK)" },
        })),
        ...others,
      }),
    );
  };

  const remove = (signup) =>
    ddb.send(
      new TransactWriteCommand({
        TransactItems: keys(signup).map((Key) => ({
          Delete: { TableName, Key, ConditionExpression: "attribute_exists(PK)" },
        })),
      }),
    );

  const partitions = async () => {
    const { Items } = await ddb.send(new ScanCommand({ TableName, ConsistentRead: true }));
    return Items.map((item) => item.PK).sort();
  };
  return { client, signUp, remove, partitions };
}

/** The fields that a signup is refused for, by the positions of the reasons. */
async function taken(attempt) {
  try {
    await attempt;
  } catch (error) {
    assert.equal(error.name, "TransactionCanceledException");
    return SLOTS.filter((_, slot) => error.CancellationReasons[slot].Code === "ConditionalCheckFailed");
  }
  return [];
}

for (const profile of profiles) {
  test(`slot 1 is the email, slot 2 the username: ${profile}`, async () => {
    const { signUp, partitions } = await accounts(profile);
    await signUp(ADA);
    const before = await partitions();
    assert.deepEqual(before, ["ACCT#a1f9c3", "UNIQ#EMAIL#ada@lovelace.io", "UNIQ#HANDLE#ada"]);

    const byron = { account: "b2", email: "byron@lovelace.io", username: "byron" };
    assert.deepEqual(await taken(signUp({ ...byron, email: ADA.email })), ["email"]);
    assert.deepEqual(await taken(signUp({ ...byron, username: "ada" })), ["username"]);
    assert.deepEqual(await taken(signUp({ ...ADA, account: "b2" })), ["email", "username"]);
    assert.deepEqual(await taken(signUp({ ...byron, account: "a1f9c3" })), ["account"]);
    assert.deepEqual(await partitions(), before);
    assert.deepEqual(await taken(signUp(byron)), []);
  });

  test(`a deleted account frees both locks: ${profile}`, async () => {
    const { signUp, remove, partitions } = await accounts(profile);
    await signUp(ADA);
    await assert.rejects(remove({ ...ADA, username: "lovelace" }), { name: "TransactionCanceledException" });
    assert.equal((await partitions()).length, 3);
    await remove(ADA);
    assert.deepEqual(await partitions(), []);
    await signUp(ADA);
  });

  test(`a signup sent again with its token succeeds once: ${profile}`, async () => {
    const { signUp, partitions } = await accounts(profile);
    await signUp(ADA, { ClientRequestToken: "signup-1" });
    await signUp(ADA, { ClientRequestToken: "signup-1" });
    assert.equal((await partitions()).length, 3);
    await assert.rejects(signUp({ ...ADA, username: "lovelace" }, { ClientRequestToken: "signup-1" }), {
      name: "IdempotentParameterMismatchException",
    });
    assert.deepEqual(await taken(signUp(ADA)), SLOTS);
  });
}

test("the request as printed, in wire form", async () => {
  const { client, partitions } = await accounts();
  const put = (Item) => ({ Put: { TableName, Item, ConditionExpression: "attribute_not_exists(PK)" } });
  const request = {
    TransactItems: [
      put({
        PK: { S: "ACCT#a1f9c3" },
        SK: { S: "PROFILE" },
        email: { S: "ada@lovelace.io" },
        username: { S: "ada" },
      }),
      put({ PK: { S: "UNIQ#EMAIL#ada@lovelace.io" }, SK: { S: "LOCK" } }),
      put({ PK: { S: "UNIQ#HANDLE#ada" }, SK: { S: "LOCK" } }),
    ],
  };
  await client.send(new TransactWriteItemsCommand(request));
  assert.equal((await partitions()).length, 3);
  await assert.rejects(client.send(new TransactWriteItemsCommand(request)), (error) => {
    const reason = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };
    assert.deepEqual(error.CancellationReasons, [reason, reason, reason]);
    return true;
  });
});
