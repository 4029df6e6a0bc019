/** Every way in which the world may answer a call, the unpleasant ones included. */
import type { Call, CallKind, Failure, Outcome } from "../../src/engine/calls.ts"

const failures: Failure[] = [
  { failed: true, description: "failed" },
  { failed: true, description: "refused", details: "{", reason: "credentials", status: 400 },
  { failed: true, description: "late", reason: "timeout" },
  { failed: true, description: "blocked", reason: "blocked" },
  { failed: true, description: "too many", reason: "limit", status: 503 },
]

const bodies = [
  "",
  "{",
  "null",
  "[]",
  "5",
  '{"a":{"b":[1,"x"]},"data":[{"id":"1"}],"values":[["h"],["x"]]}',
]

const sheetBody = '{"valueRanges":[{"valueRange":{"range":"T!A1","values":[["h",5],["x"]]}}]}'

const values: unknown[] = [
  undefined,
  null,
  "",
  "x",
  5,
  true,
  ["a", null, 3],
  { a: { b: [] } },
  [[1]],
]

const answers: { [K in CallKind]: (call: Call<K>) => Outcome<K>[] } = {
  script: ({ scripts }) => [
    { results: [] },
    { results: scripts.map((_, index) => failures[index % failures.length] ?? {}) },
    ...values.map((value) => ({
      results: scripts.map(() => ({
        value,
        assigned: { Plain: value, Gone: value, __proto__: 1 },
      })),
    })),
  ],
  bot: ({ botId }) => [{ version: `version of ${botId}` }, ...failures],
  history: () => [{ lines: [{ from: "person", text: "Hi" }] }, ...failures],
  paymentIntent: () => [{ intentId: "pi_1", clientSecret: "s", publicKey: "p" }, ...failures],
  paymentCheck: () => [{ succeeded: true }, { succeeded: false }, ...failures],
  http: () => [
    ...bodies.flatMap((text) => [200, 404, 503].map((status) => ({ status, text }))),
    { status: 200, text: "", fileUrl: "https://example.com/f" },
    ...failures,
  ],
  sheet: () => [
    ...[...bodies, sheetBody].flatMap((text) =>
      [200, 404, 503].map((status) => ({ status, text })),
    ),
    ...failures,
  ],
  email: () => [{}, { messageId: "m", threadId: "t" }, ...failures],
  model: () => [
    { text: "" },
    { text: "Hi", usage: { total: 1 }, conversationId: "c", assigned: { Plain: "p", Gone: {} } },
    { text: '{"Plain":"x"}' },
    ...failures,
  ],
  mcpTool: () => [
    ...bodies.map((text) => ({ text })),
    { text: "Hi", data: { a: { b: [1, "x"] } } },
    ...failures,
  ],
  qrCode: () => [{ url: "https://example.com/q.png" }, ...failures],
  inboundCall: () => [
    {},
    ...bodies.map((body) => ({ body })),
    { body: '{"a":{"b":[1,"x"]},"statusCode":500}' },
    ...failures,
  ],
  jwt: () => [{ token: "t" }, ...failures],
}

/** The answers that a call may get. */
export function outcomes(call: Call): Outcome[] {
  const own = answers[call.kind] as (call: Call) => Outcome[]
  return own(call)
}
