// A reporter for node's test runner: one line of JSON for each test, for the test in Python that started it.

export default async function* results(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const outcome = { name: data.name, passed: type === "test:pass", skipped: Boolean(data.skip ?? data.todo) };
    if (data.details?.error) outcome.error = String(data.details.error.cause?.stack ?? data.details.error);
    yield `${JSON.stringify(outcome)}\n`;
  }
}
