/** Several processes behind one address: they share the work, outlive each other and stop in order. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { link, rename } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { expect, test } from "vitest"
import { eventually, until, untilGone } from "../support/waiting.ts"
import { call, launch, postmasterOf, productCopy, type Run, sendHalf } from "./product.ts"

const product = await productCopy()
const data = join(product, ".parley")
const two = { PARLEY_WORKERS: "2" }

/** The numbers of the processes that serve or have served, in the order in which they came up. */
function workersOf(run: Run): number[] {
  const lines = [...run.stderr().matchAll(/^\{.*"msg":"A worker serves".*\}$/gm)]
  return lines.map(([line]) => (JSON.parse(line) as { pid: number }).pid)
}

async function startChat(address: string): Promise<string> {
  const { status, body } = await call(`${address}/api/v1/bots/demo/startChat`, { body: {} })
  expect(status).toBe(200)
  return String(body.sessionId)
}

async function countedStarts(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/parley_turns_total\{kind="start",outcome="done"\} (\d+)/.exec(text)?.[1] ?? 0)
}

test("workers share one address and one database, and are counted together", async () => {
  const run = launch(product, two)
  const address = await run.ready()
  expect(workersOf(run)).toHaveLength(2)
  expect(run.stdout().match(/Parley is ready/g)).toHaveLength(1)
  expect(run.stdout()).toMatch(/Token +parley_pat_/)
  const sessions = await Promise.all(Array.from({ length: 12 }, () => startChat(address)))
  const replies = await Promise.all(
    sessions.map((id) =>
      call(`${address}/api/v1/sessions/${id}/continueChat`, {
        body: { message: "I am just looking" },
      }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(sessions.map(() => 200))
  expect(await countedStarts(address)).toBe(12)

  const postmaster = postmasterOf(data)
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
  for (const pid of [...workersOf(run), postmaster]) await untilGone(pid)
})

test("a stop that is asked for during the start leaves no address behind", async () => {
  const run = launch(product, two)
  await until(() => workersOf(run).length > 0)
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
  expect(existsSync(join(data, "address"))).toBe(false)
})

test("a worker that dies is replaced while the others serve", async () => {
  const run = launch(product, two)
  const address = await run.ready()
  const sessionId = await startChat(address)
  const [victim = 0] = workersOf(run)
  process.kill(victim, "SIGKILL")
  await untilGone(victim)
  const url = `${address}/api/v1/sessions/${sessionId}/continueChat`
  expect((await call(url, { body: { message: "I am just looking" } })).status).toBe(200)
  await until(() => workersOf(run).length === 3)
  for (let count = 0; count < 4; count++) await startChat(address)
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
})

test("a signal to all of them, as from a terminal, is one stop; a second one ends them at once", async () => {
  const run = launch(product, two)
  await run.ready()
  const workers = workersOf(run)
  for (const pid of [...workers, run.child.pid ?? 0]) process.kill(pid, "SIGINT")
  expect(await run.ended()).toEqual({ code: 0, signal: null })

  const other = launch(product, { ...two, PARLEY_STOP_TIMEOUT_MS: "60000" })
  const address = await other.ready()
  const stuck = await sendHalf(address)
  other.child.kill("SIGTERM")
  // The stop has begun. A connection that came just then is taken by nobody.
  await eventually(() => {
    const signal = AbortSignal.timeout(2_000)
    return expect(fetch(`${address}/healthz`, { signal })).rejects.toThrow()
  })
  expect(other.child.exitCode).toBeNull()
  other.child.kill("SIGTERM")
  expect(await other.ended()).toEqual({ code: 1, signal: null })
  for (const pid of workersOf(other)) await untilGone(pid)
  stuck.destroy()
})

test("workers listen where a killed service has left its socket, unless another process listens there", async () => {
  const socketPath = join(product, "http.sock")
  const former = createServer().listen(socketPath)
  await once(former, "listening")
  const variables = { ...two, PARLEY_SOCKET: socketPath }
  const refused = launch(product, variables)
  expect((await refused.ended()).code).toBe(1)
  expect(refused.stderr()).toContain("http.sock failed (EADDRINUSE): set PARLEY_SOCKET to another")
  // Whoever closes a socket removes it under its own name.
  await link(socketPath, `${socketPath}.left`)
  former.close()
  await once(former, "close")
  await rename(`${socketPath}.left`, socketPath)
  const run = launch(product, variables)
  await run.ready()
  expect(workersOf(run)).toHaveLength(2)
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
})

test("what keeps workers from starting is reported once, as a sentence", async () => {
  const first = launch(product, two)
  const port = new URL(await first.ready()).port
  const second = launch(product, { ...two, PORT: port })
  expect((await second.ended()).code).toBe(1)
  expect(second.stderr()).toContain(`Parley could not start. Port ${port} is in use`)
  first.child.kill("SIGTERM")
  expect((await first.ended()).code).toBe(0)
})
