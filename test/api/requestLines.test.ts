/** The line that the log has for each request: what was called and how it went, never what was said. */
import { expect, test } from "vitest"
import { createLog } from "../../src/telemetry/log.ts"
import { testServer } from "../support/server.ts"

function recorded(level: "info" | "debug") {
  const lines: Record<string, unknown>[] = []
  return { lines, log: createLog(level, { write: (line) => void lines.push(JSON.parse(line)) }) }
}

const asked = recorded("info")
const loud = await testServer({ PARLEY_LOG_REQUESTS: "on" }, asked.log)
const quiet = recorded("info")
const usual = await testServer({}, quiet.log)
const debugged = recorded("debug")
const debugging = await testServer({}, debugged.log)

const start = (server: typeof loud) =>
  server.send("POST", "/api/v1/bots/demo/startChat?hidden=1", {
    body: { message: "a secret" },
    headers: { "x-request-id": "r-1" },
  })

const requestsIn = ({ lines }: typeof asked) => lines.filter(({ msg }) => msg === "A request")

test("with PARLEY_LOG_REQUESTS=on it has id, operation, status and milliseconds", async () => {
  expect((await start(loud)).status).toBe(200)
  const [line] = requestsIn(asked)
  expect(line).toEqual({
    level: "info",
    time: expect.any(String),
    requestId: "r-1",
    method: "POST",
    operation: "chat.start",
    status: 200,
    ms: expect.any(Number),
    msg: "A request",
  })
  expect(JSON.stringify(asked.lines)).not.toMatch(/a secret|hidden/)
})

test("without it, the line is one for debugging", async () => {
  await start(usual)
  expect(requestsIn(quiet)).toEqual([])
  await start(debugging)
  expect(requestsIn(debugged)).toMatchObject([{ level: "debug", operation: "chat.start" }])
})
