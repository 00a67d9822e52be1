import assert from "node:assert/strict";
import http from "node:http";
import { Readable } from "node:stream";
import test from "node:test";

import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

import { connect, createPlain } from "./database.js";

const TableName = "things";

class CountingAgent extends http.Agent {
  opened = 0;

  createConnection(...parameters) {
    this.opened += 1;
    return super.createConnection(...parameters);
  }
}

test("64 requests at once, again and again, over connections that are kept", async () => {
  const agent = new CountingAgent({ keepAlive: true, maxSockets: 64 });
  const { client, ddb } = connect("instant", { requestHandler: { httpAgent: agent } });
  await createPlain(client, TableName);
  const numbers = Array.from({ length: 64 }, (_, n) => n);

  for (let round = 0; round < 4; round++) {
    await Promise.all(
      numbers.map((n) => ddb.send(new PutCommand({ TableName, Item: { PK: `p${n}`, SK: `${round}`, n, round } }))),
    );
    const read = await Promise.all(
      numbers.map((n) => ddb.send(new GetCommand({ TableName, Key: { PK: `p${n}`, SK: `${round}` } }))),
    );
    assert.deepEqual(read.map(({ Item }) => [Item.n, Item.round]), numbers.map((n) => [n, round]));
  }
  assert.ok(agent.opened <= 64, `${agent.opened} connections`);
  client.destroy();
});

test("of 64 increments at once none is lost", async () => {
  const { client, ddb } = connect("instant", { requestHandler: { httpAgent: { keepAlive: true, maxSockets: 64 } } });
  await createPlain(client, TableName);
  const increment = new UpdateCommand({
    TableName,
    Key: { PK: "counter", SK: "0" },
    UpdateExpression: "ADD hits :one",
    ExpressionAttributeValues: { ":one": 1 },
    ReturnValues: "UPDATED_NEW",
  });
  const answers = await Promise.all(Array.from({ length: 64 }, () => ddb.send(increment)));
  const seen = answers.map(({ Attributes }) => Attributes.hits).sort((a, b) => a - b);
  assert.deepEqual(seen, Array.from({ length: 64 }, (_, n) => n + 1));
});

test("answers and errors carry the checksum of their bytes and a request id", async () => {
  const { client, ddb } = connect();
  await createPlain(client, TableName);
  const seen = [];
  // The SDK for JavaScript leaves the check to whoever wants it.
  const note = (next) => async (parameters) => {
    const answer = await next(parameters);
    const chunks = [];
    for await (const chunk of answer.response.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { "x-amz-crc32": sent, "x-amzn-requestid": id } = answer.response.headers;
    seen.push([Number(sent), crc32(bytes), id]);
    answer.response.body = Readable.from([bytes]);
    return answer;
  };
  ddb.middlewareStack.add(note, { step: "deserialize", priority: "low" });

  await ddb.send(new PutCommand({ TableName, Item: { PK: "a", SK: "b", text: "Nguyễn" } }));
  await ddb.send(new ScanCommand({ TableName }));
  await assert.rejects(ddb.send(new ScanCommand({ TableName: "none" })), { name: "ResourceNotFoundException" });
  assert.equal(seen.length, 3);
  for (const [sent, computed, id] of seen) {
    assert.equal(sent, computed);
    assert.match(id, /^[0-9A-Z]{52}$/);
  }
});

test("the endpoint of the environment", async () => {
  const { client } = connect("instant", { endpoint: undefined });
  assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, []);
});

function crc32(bytes) {
  let rest = ~0;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}
