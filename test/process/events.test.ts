/** A server that is killed between the save of a turn and its delivery: nobody misses an event. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, expect, test } from "vitest"
import { eventually } from "../support/waiting.ts"
import { call, launch, productCopy, tokenIn } from "./product.ts"

type Event = { type: string; data: { sequence: number } }

const received: Event[] = []
let isTaking = false
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const event = JSON.parse(Buffer.concat(chunks).toString())
  if (!isTaking) return response.destroy()
  received.push(event)
  return response.writeHead(200).end()
})
receiver.listen(0, "127.0.0.1")
await once(receiver, "listening")
afterAll(() => receiver.close())
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

test("events of acknowledged turns are delivered by the next process, without gaps", async () => {
  const folder = await productCopy()
  const environment = { PARLEY_ALLOW_HOSTS: "127.0.0.1" }
  const first = launch(folder, environment)
  const before = await first.ready()
  const token = tokenIn(first)
  const { body: listed } = await call(`${before}/api/v1/workspaces`, { token })
  const [workspace] = listed.workspaces as { id: string }[]
  const types = ["conversation.started", "answer.submitted"]
  const made = await call(`${before}/api/v1/workspaces/${workspace?.id}/webhookEndpoints`, {
    body: { url: hook, types },
    token,
  })
  expect(made.status).toBe(200)
  const started = await call(`${before}/api/v1/bots/demo/startChat`, { body: {} })
  const path = `/api/v1/sessions/${started.body.sessionId}/continueChat`
  const answered = await call(before + path, { body: { message: "I am just looking" } })
  expect(answered.status).toBe(200)
  first.child.kill("SIGKILL")
  await first.ended()
  expect(received).toEqual([])

  isTaking = true
  const second = launch(folder, environment)
  await second.ready()
  const wanted = types.map((type, index) => `${type} ${index + 1}`)
  const told = () => new Set(received.map(({ type, data }) => `${type} ${data.sequence}`))
  // The claim of the killed process runs out first.
  await eventually(() => expect(told()).toEqual(new Set(wanted)))
})
