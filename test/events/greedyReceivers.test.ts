/** Receivers of one user hang, more than there are slots: those of others get their events meanwhile. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, expect, test } from "vitest"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { newEndpointSecret } from "../../src/effects/webhooks/webhookSignature.ts"
import { newId, newUuid } from "../../src/lib/ids.ts"
import { caps } from "../../src/lib/shares.ts"
import { eventually } from "../support/waiting.ts"
import { database, openDeliveries, operatorSecret, workspaceId } from "./scene.ts"

const hung = new Set<ServerResponse>()
const taken: string[] = []
const receiver = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.url === "/hang") hung.add(response)
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
const cipher = createCipher([operatorSecret])

/** Stores endpoints of a workspace, each with a delivery that has been due for so long. */
async function store(workspace: string, path: string, count: number, dueSeconds: number) {
  const nextAt = new Date(Date.now() - dueSeconds * 1_000)
  const endpoints = Array.from({ length: count }, () => {
    const id = newId()
    const url = `http://127.0.0.1:${port}${path}`
    const sealed = cipher.seal(id, { secret: newEndpointSecret() })
    return { id, workspaceId: workspace, url, types: [], ...sealed }
  })
  const deliveries = endpoints.map(({ id: endpointId }) => {
    const ids = { id: newUuid(), eventId: newUuid(), resultId: newUuid() }
    return { ...ids, endpointId, type: "answer.submitted", body: "{}", nextAt }
  })
  await database.kysely.insertInto("webhookEndpoints").values(endpoints).execute()
  await database.kysely.insertInto("deliveries").values(deliveries).execute()
}

test("endpoints of a user who hangs in twelve workspaces leave slots to others", async () => {
  const each = Math.ceil((caps.deliveries.places + 1) / 12)
  for (let nth = 0; nth < 12; nth++) {
    const id = `greedy${nth}`
    await database.pool.query(
      "insert into workspaces (id, name, creator_id) values ($1, $1, 'greedy')",
      [id],
    )
    await store(id, "/hang", each, 3_600)
  }
  const deliveries = openDeliveries({ timeoutMs: 600_000 })
  const running = deliveries.runDue()
  await eventually(() => expect(hung.size).toBe((3 * caps.deliveries.places) / 4))
  await store(workspaceId, "/take", 8, 1)
  const again = deliveries.runDue()
  await eventually(() => expect(taken).toHaveLength(8))
  await deliveries.stop()
  await Promise.all([running, again])
})
