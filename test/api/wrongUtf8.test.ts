/** Bytes that are no UTF-8 are refused at every door, with their position. */
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { backupLines } from "../../src/cli/backup/lines.ts"
import { readStoredBot } from "../../src/cli/botFile.ts"
import { readTextFile } from "../../src/cli/testing/testFiles.ts"
import { operations } from "../security/operations.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

/** JSON whose ninth byte begins no character. */
const wrong = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')])
const words = "is not UTF-8: byte 9 (counted from 0)"

const post = async (path: string, method = "POST") => {
  const response = await fetch(`${server.address}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${server.token}`,
    },
    body: wrong,
  })
  return { status: response.status, text: await response.text() }
}

const withBody = operations.filter(({ body }) => body !== undefined)

test("every operation with a body is tried", () => {
  expect(withBody.length).toBeGreaterThan(40)
})

test.each(
  withBody.map(({ id, method, path }) => [id, method, path]),
)("the body of %s is refused", async (_id, method, path) => {
  const reply = await post(path.replaceAll(/\{\w+\}/g, "x"), method.toUpperCase())
  expect(reply).toMatchObject({ status: 400, text: expect.stringContaining(words) })
})

test.each([
  "/api/trpc/workspace.create",
  "/api/trpc/workspace.create?batch=1",
  "/mcp",
])("the body of %s is refused", async (path) => {
  expect(await post(path)).toMatchObject({ status: 400, text: expect.stringContaining(words) })
})

test("a query is refused", async () => {
  const { status, body } = await server.send("GET", "/api/v1/bots?workspaceId=%C3%A4%FF")
  expect({ status, detail: body.detail }).toMatchObject({
    status: 400,
    detail: expect.stringContaining("The query is not UTF-8: byte 18"),
  })
})

test("files of the command line are refused: bots, tests, backups", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-utf8-"))
  const at = join(folder, "bot.json")
  await writeFile(at, wrong)
  await expect(readStoredBot(at)).rejects.toThrow(words)
  await expect(readTextFile(at)).rejects.toThrow(words)
  await writeFile(at, gzipSync(Buffer.concat([wrong, Buffer.from("\n")])))
  await expect(backupLines(at).next()).rejects.toThrow(words)
})
