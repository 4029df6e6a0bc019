/** HEAD works wherever GET does: the same status and headers, and no body. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { createDocs } from "../../src/http/openapi/docs.ts"
import { createEmbedPages } from "../../src/http/pages/embedEndpoint.ts"
import { appRouter } from "../../src/routers/app.ts"
import type { Services } from "../../src/routers/context.ts"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
// Its first use is stored some time later, which would lengthen the list of tokens between two requests.
await database.pool.query("update api_tokens set last_used_at = now()")
const { botId, publicId } = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))
const { sessionId, resultId } = (await chatOver(server, publicId)).step
await server.send("POST", `/api/v1/bots/${botId}/conversations/ann/messages`, { body: {} })
const { workspaceId } = server

const ids: Record<string, string> = {
  ...{ workspaceId, botId, resultId, sessionId, publicId },
  ...{ key: "ann", number: "1", folder: "0".repeat(32), fileName: "a.txt" },
}

type Parameter = { name?: string; in?: string; required?: boolean; $ref?: string }

const document = JSON.parse(readFileSync("openapi.json", "utf8")) as {
  paths: Record<string, { get?: { parameters: Parameter[] } }>
  components: { parameters: Record<string, Parameter> }
}

const operations = Object.entries(document.paths).flatMap(([path, { get }]) => {
  if (!get) return []
  const { parameters: named } = document.components
  const required = get.parameters
    .map((each) => (each.$ref ? (named[each.$ref.split("/").at(-1) ?? ""] ?? {}) : each))
    .filter((each) => each.in === "query" && each.required)
  const query = required.map(({ name = "" }) => `${name}=${ids[name] ?? "0"}`).join("&")
  // Without a thing of that name, both are the same 404.
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "0")
  return [query === "" ? filled : `${filled}?${query}`]
})

const pages = [
  ...["/", "/healthz", "/api/healthz", "/readyz", "/metrics"],
  ...["/chat/nobody", `/chat/${publicId}`, "/unknown"],
  ...Object.keys(
    createDocs({
      documents: { document, webhooks: {} },
      bundleFolder: "",
      guideFolder: "",
      router: appRouter,
      services: { settings: {} } as Services,
    }),
  ),
  ...Object.keys(createEmbedPages("").pages),
]

/** What differs from request to request, and how the connection goes on. */
const passing = [
  "date",
  "x-request-id",
  "server-timing",
  "transfer-encoding",
  "connection",
  "keep-alive",
]

async function answerTo(method: string, path: string) {
  const leaving = new AbortController()
  const response = await fetch(server.address + path, {
    method,
    redirect: "manual",
    signal: leaving.signal,
    headers: { authorization: `Bearer ${server.token}`, "accept-encoding": "identity" },
  })
  const headers = [...response.headers]
    .filter(([name]) => !passing.includes(name))
    // Addresses of files are signed for a time.
    .map(([name, value]) => [name, name === "location" ? value.split("?")[0] : value])
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream")
  const text = isStream && method === "GET" ? "" : await response.text()
  leaving.abort()
  return { status: response.status, headers: Object.fromEntries(headers), text }
}

test.each([...operations, ...pages])("%s", async (path) => {
  const [got, head] = [await answerTo("GET", path), await answerTo("HEAD", path)]
  expect(head.text).toBe("")
  // Metrics count the request before.
  if (path === "/metrics") for (const { headers } of [got, head]) delete headers["content-length"]
  expect([head.status, head.headers]).toEqual([got.status, got.headers])
  expect(got.status).toBeLessThan(500)
})
