// The server's addresses, and a fresh account in it for each test.

import { DynamoDBClient, waitUntilTableExists, CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

export const profiles = ["instant", "aws", "hostile"];

const addresses = JSON.parse(process.env.PARTITA_ADDRESSES);
let account = Number(process.env.PARTITA_FIRST_ACCOUNT);

/** Clients of an account of its own; `profile` is one of `profiles`. */
export function connect(profile = "instant", options = {}) {
  const { translation, ...others } = options;
  const client = new DynamoDBClient({
    endpoint: addresses[profile],
    region: "eu-west-1",
    credentials: { accessKeyId: String(account++), secretAccessKey: "local" },
    ...others,
  });
  return { client, ddb: DynamoDBDocumentClient.from(client, translation) };
}

const key = (hash, range) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

const index = (name, hash, range) => ({
  IndexName: name,
  KeySchema: key(hash, range),
  Projection: { ProjectionType: "ALL" },
});

/** The table `app` of the order service: one for all entities, with two global indexes and a local one. */
export async function createApp(client, changes = {}) {
  await create(client, {
    TableName: "app",
    KeySchema: key("PK", "SK"),
    AttributeDefinitions: [
      ...["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      { AttributeName: "total", AttributeType: "N" },
    ],
    GlobalSecondaryIndexes: [index("GSI1", "GSI1PK", "GSI1SK"), index("GSI2", "GSI2PK", "GSI2SK")],
    LocalSecondaryIndexes: [index("LSI1", "PK", "total")],
    ...changes,
  });
}

/** A table of PK and SK, both strings. */
export async function createPlain(client, name) {
  await create(client, {
    TableName: name,
    KeySchema: key("PK", "SK"),
    AttributeDefinitions: ["PK", "SK"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  });
}

async function create(client, table) {
  await client.send(new CreateTableCommand({ BillingMode: "PAY_PER_REQUEST", ...table }));
  await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 0.05, maxDelay: 0.2 }, { TableName: table.TableName });
}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
