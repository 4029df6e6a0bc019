/** What the service needs decides whether it is ready; what it can do without is named. */
import { expect, test, vi } from "vitest"
import { readConfig } from "../../src/app/config.ts"
import { startService } from "../../src/app/service.ts"
import { ensureFirstUser } from "../../src/people/createAccount.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { startPeer } from "../effects/peer.ts"
import { testDatabase } from "../support/database.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"
import { whenOver } from "../support/whenOver.ts"

test("a process is ready once the first user exists, whichever process creates it", async () => {
  const database = await testDatabase()
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: database.url,
    PARLEY_SECRET: "a secret that only tests know of",
  })
  const { address, stop } = await startService(config, silentLog(), { welcomes: false })
  whenOver(stop)
  const ready = async () => await fetch(`${address}/readyz`)
  const early = await ready()
  expect(early.status).toBe(503)
  expect(await early.json()).toMatchObject({ message: "The first user is being created" })
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  await ensureFirstUser(database)
  expect((await ready()).status).toBe(200)
})

test("an object store that is away is named by readiness, metrics and the log, until it answers", async () => {
  const peer = await startPeer()
  peer.answers((response) => void response.writeHead(507).end())
  const log = silentLog()
  const lines = vi.spyOn(log, "warn")
  const server = await testServer(
    {
      PARLEY_S3_ENDPOINT: peer.url,
      PARLEY_S3_BUCKET: "bucket",
      PARLEY_S3_ACCESS_KEY_ID: "key",
      PARLEY_S3_SECRET_ACCESS_KEY: "secret",
    },
    log,
  )
  const ready = () => server.send("GET", "/readyz")
  const metric = async () => {
    const text = await (await fetch(`${server.address}/metrics`)).text()
    return /^parley_unavailable\{what="object store"\} \d/m.exec(text)?.[0].at(-1)
  }
  // Noticed without a request for a file.
  await eventually(async () =>
    expect((await ready()).body).toEqual({ status: "degraded", unavailable: ["object store"] }),
  )
  expect((await ready()).status).toBe(200)
  expect(await metric()).toBe("1")
  const { body: listed } = await server.send("GET", "/api/v1/workspaces")
  const [{ id = "" } = {}] = listed.workspaces as { id: string }[]
  const upload = async () => {
    const announced = { body: { fileName: "a.png", fileSize: 1 } }
    const { body: form } = await server.send("POST", `/api/v1/workspaces/${id}/files`, announced)
    const data = new FormData()
    for (const [name, value] of Object.entries(form.formData as object)) data.append(name, value)
    data.append("file", new Blob(["x"]), "a.png")
    const { pathname, search } = new URL(String(form.presignedUrl))
    const sent = { method: "POST", body: data }
    return (await fetch(`${server.address}${pathname}${search}`, sent)).status
  }
  expect(await upload()).toBe(503)
  const words = lines.mock.calls.map(([, line]) => line)
  expect(words.filter((line) => line === "The object store does not answer")).toHaveLength(1)
  peer.answers((response, { method }) => {
    response.writeHead(method === "PUT" ? 200 : 404).end()
  })
  expect(await upload()).toBe(204)
  expect((await ready()).body).toEqual({ status: "ok" })
  expect(await metric()).toBe("0")
})
