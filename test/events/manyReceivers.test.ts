/** A thousand endpoints of which ten hang: all others get their events meanwhile. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, expect, test } from "vitest"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { newEndpointSecret } from "../../src/effects/webhooks/webhookSignature.ts"
import { newId } from "../../src/lib/ids.ts"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import {
  database,
  forgetEndpoints,
  newEndpoint,
  openDeliveries,
  operatorSecret,
  server,
  workspaceId,
} from "./scene.ts"

const endpoints = 1_000
const hanging = 10

const hung = new Set<ServerResponse>()
const taken: string[] = []
const receiver = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.url?.startsWith("/hang")) hung.add(response)
    else {
      taken.push(request.url ?? "")
      response.end()
    }
  })
})
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const { port } = receiver.address() as AddressInfo

test("ten that hang delay no others", async () => {
  const { publicId } = await publishBot(server, bot(group("A", ask.text(), ask.text())))
  await forgetEndpoints()
  const types = ["conversation.started", "answer.submitted"]
  // Through the service, which then writes events; a workspace has fewer than the others are.
  await newEndpoint(`http://127.0.0.1:${port}/take/first`, { types })
  const cipher = createCipher([operatorSecret])
  const rows = Array.from({ length: endpoints }, (_, index) => {
    const id = newId()
    const kind = index % (endpoints / hanging) === 0 ? "hang" : "take"
    const url = `http://127.0.0.1:${port}/${kind}/${index}`
    return { id, workspaceId, url, types, ...cipher.seal(id, { secret: newEndpointSecret() }) }
  })
  await database.kysely.insertInto("webhookEndpoints").values(rows).execute()
  const { say: reply } = await chatOver(server, publicId)
  await reply("Ann")
  const deliveries = openDeliveries({ timeoutMs: 600_000 })
  const running = deliveries.runDue()
  const all = 2 * (endpoints - hanging + 1)
  await eventually(() => expect(taken).toHaveLength(all))
  expect(new Set(taken).size).toBe(endpoints - hanging + 1)
  // One each: the second event of the conversation waits for the first.
  expect(hung.size).toBe(hanging)
  await deliveries.stop()
  await running
})
