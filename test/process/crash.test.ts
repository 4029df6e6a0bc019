/** A server that is killed in the middle of a chat: the chat goes on, and no PostgreSQL is left. */
import { chown, stat } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { isGone, untilGone } from "../support/waiting.ts"
import {
  call,
  canBecomeOrdinary,
  launch,
  nobody,
  ordinaryCopy,
  postmasterOf,
  productCopy,
} from "./product.ts"

const product = await productCopy()

test("a chat goes on after its server was killed, and no PostgreSQL outlives it", async () => {
  await killAndGoOn(product)
})

if (canBecomeOrdinary) {
  test("the same holds for an ordinary user, with nothing but what runs", async () => {
    const folder = await ordinaryCopy(product)
    await killAndGoOn(folder, nobody)
    expect((await stat(join(folder, ".parley/postgres"))).uid).toBe(nobody.uid)
  })

  test("a data folder that can no longer be written to is in the way of no stop", async () => {
    const folder = await ordinaryCopy(product)
    const run = launch(folder, {}, nobody)
    await run.ready()
    await chown(join(folder, ".parley"), 0, 0)
    run.child.kill("SIGTERM")
    expect(await run.ended()).toEqual({ code: 0, signal: null })
    expect(run.stderr()).toContain('"msg":"Stopped"')
  })
}

async function killAndGoOn(folder: string, account = {}): Promise<void> {
  const data = join(folder, ".parley")
  const first = launch(folder, {}, account)
  const before = await first.ready()
  const started = await call(`${before}/api/v1/bots/demo/startChat`, { body: {} })
  const { sessionId } = started.body
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  const asked = await call(before + path, { body: { message: "I want to build a bot" } })
  expect(asked.body).toHaveProperty("input.type", "text input")
  const postmaster = postmasterOf(data)
  first.child.kill("SIGKILL")
  expect(await first.ended()).toEqual({ code: null, signal: "SIGKILL" })
  await untilGone(postmaster)

  const second = launch(folder, {}, account)
  const after = await second.ready()
  const named = await call(after + path, {
    body: { message: "Ann", textBubbleContentFormat: "markdown" },
  })
  expect(named.status).toBe(200)
  expect(JSON.stringify(named.body.messages)).toContain("Nice to meet you, Ann.")
  const done = await call(after + path, { body: { message: "ann@example.com" } })
  expect(done.body.input).toBeUndefined()
  expect(await call(after + path, { body: { message: "more" } })).toMatchObject({ status: 404 })
  const heir = postmasterOf(data)
  second.child.kill("SIGTERM")
  expect(await second.ended()).toEqual({ code: 0, signal: null })
  expect(isGone(heir)).toBe(true)
}

test("a start that comes before the killed server's PostgreSQL is gone waits for it", async () => {
  const data = join(product, ".parley")
  const first = launch(product)
  await first.ready()
  const postmaster = postmasterOf(data)
  first.child.kill("SIGKILL")
  const second = launch(product)
  const address = await second.ready()
  expect((await call(`${address}/readyz`)).status).toBe(200)
  expect(postmasterOf(data) === postmaster).toBe(false)
  await untilGone(postmaster)
  second.child.kill("SIGTERM")
  await second.ended()
})
