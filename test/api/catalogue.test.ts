/** The catalogue and the schema of bot files, as editors get them. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { lintCommand } from "../../src/cli/lint.ts"
import { schemaCommand } from "../../src/cli/schema.ts"
import { bot, group, say } from "../support/bots.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const server = await testServer()

type Entry = { type: string; credentials?: string }
type Form = { type: string; schema: unknown }
const inCatalogue = (body: object) => body as { blocks: Entry[]; credentials: Form[] }

describe("GET /blocks", () => {
  test("lists all types of blocks and events, and their credentials, publicly", async () => {
    const { status, body } = await server.send("GET", "/api/v1/blocks", { token: null })
    expect(status).toBe(200)
    const { blocks, credentials } = inCatalogue(body)
    expect(blocks.map(({ type }) => type)).toEqual(expect.arrayContaining(["text", "idle"]))
    const needed = blocks.flatMap(({ credentials }) => credentials ?? [])
    expect(credentials.map(({ type }) => type)).toEqual(expect.arrayContaining(needed))
  })

  test("returns one type with its credential", async () => {
    const { body } = await server.send("GET", "/api/v1/blocks?type=Email")
    const { blocks, credentials } = inCatalogue(body)
    expect(blocks.map(({ type }) => type)).toEqual(["Email"])
    expect(credentials.map(({ type }) => type)).toEqual(["smtp"])
    const { body: none } = await server.send("GET", "/api/v1/blocks?type=hologram")
    expect(none).toEqual({ blocks: [], credentials: [] })
  })

  test("says which members of a credential are secret", async () => {
    const { body } = await server.send("GET", "/api/v1/blocks")
    const forms = new Map(inCatalogue(body).credentials.map(({ type, schema }) => [type, schema]))
    const secret = { "x-parley": { secret: true } }
    expect(forms.get("smtp")).toMatchObject({
      properties: { password: secret, from: { properties: { email: { title: "Email" } } } },
    })
    expect(forms.get("stripe")).toMatchObject({
      properties: { live: { properties: { secretKey: secret, publicKey: { type: "string" } } } },
    })
    expect(JSON.stringify(forms.get("stripe"))).not.toMatch(/"publicKey":\{[^}]*secret/)
    expect(forms.get("google sheets")).toMatchObject({
      anyOf: [{ properties: { private_key: secret } }, { properties: { refresh_token: secret } }],
    })
  })
})

describe.each(["/api/v1/blocks", "/schemas/bot.json"])("GET %s", (path) => {
  test("is sent once to those who keep it", async () => {
    const first = await fetch(server.address + path)
    expect(first.status).toBe(200)
    expect(first.headers.get("cache-control")).toBe("public, max-age=300")
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[\w-]{12}"$/)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(server.address + path, { headers: { "if-none-match": tag } })
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""])
      // What a cache keeps of the first answer, it replaces by what is in this one.
      for (const name of ["vary", "cache-control"]) {
        expect(again.headers.get(name)).toBe(first.headers.get(name))
      }
    }
    const other = await fetch(server.address + path, { headers: { "if-none-match": '"other"' } })
    expect([other.status, await other.json()]).toEqual([200, await first.json()])
  })
})

describe("the schema of bot files", () => {
  test("is a page that editors of every origin may read, and what `parley schema` prints", async () => {
    const page = await fetch(`${server.address}/schemas/bot.json`)
    expect(page.headers.get("content-type")).toBe("application/schema+json; charset=utf-8")
    expect(page.headers.get("access-control-allow-origin")).toBe("*")
    const { out, err, code } = await run(schemaCommand)
    expect({ err, code }).toEqual({ err: "", code: 0 })
    expect(JSON.parse(out)).toEqual(await page.json())
  })

  test("may be named by a file: import, change and lint ignore the name, and it is not stored", async () => {
    const $schema = `${server.address}/schemas/bot.json`
    const { body } = await server.send("GET", "/api/v1/workspaces")
    const [workspace] = body.workspaces as { id: string }[]
    const file = { $schema, ...bot(group("A", say("Hi"))) }
    const made = await server.send("POST", "/api/v1/bots/import", {
      body: { workspaceId: workspace?.id, bot: file },
    })
    expect(made.status).toBe(200)
    expect(made.body.warnings).toBeUndefined()
    const { id } = made.body.bot as { id: string }
    const changed = await server.send("PATCH", `/api/v1/bots/${id}`, { body: { bot: file } })
    expect(changed.status).toBe(200)
    expect(JSON.stringify([made.body, changed.body])).not.toContain("$schema")

    const folder = await testFolder()
    const path = join(folder, "bot.json")
    await writeFile(path, JSON.stringify(file))
    expect(await run(lintCommand, path)).toMatchObject({
      out: "0 errors and 0 warnings in 1 file.\n",
      code: 0,
    })
  })
})
