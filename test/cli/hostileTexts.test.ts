/** No text of a bot, a visitor or a server reaches a terminal with what could command it. */
import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { chatCommand } from "../../src/cli/chat.ts"
import { diffCommand } from "../../src/cli/diff.ts"
import { drawCommand } from "../../src/cli/draw.ts"
import { exportCommand } from "../../src/cli/export.ts"
import { importCommand } from "../../src/cli/import.ts"
import { lintCommand } from "../../src/cli/lint.ts"
import { listCommand } from "../../src/cli/list.ts"
import { listenCommand } from "../../src/cli/listen.ts"
import { openCommand } from "../../src/cli/open.ts"
import { publishCommand, unpublishCommand } from "../../src/cli/publish.ts"
import { pushCommand } from "../../src/cli/push.ts"
import { restoreCommand } from "../../src/cli/restore.ts"
import { resultsCommand } from "../../src/cli/results.ts"
import { createTokenCommand, listTokensCommand, revokeTokensCommand } from "../../src/cli/tokens.ts"
import { typesCommand } from "../../src/cli/types.ts"
import { historyCommand, rollbackCommand } from "../../src/cli/versions.ts"
import { listWorkspacesCommand, setPlanCommand } from "../../src/cli/workspaces.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const hostile = "\u001b]0;x\u0007\u001b[2J\u009b\u007f\r\u202e\u2066\u200f\u061c\u2028"
const commanding = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
/** One of the escapes, for control characters are taken out of some texts before. */
const shown = "\\u202e"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const folder = await testFolder()

const isTerminal = { out: process.stdout.isTTY, err: process.stderr.isTTY }
beforeAll(() => {
  vi.stubEnv("PARLEY_PUBLIC_URL", server.address)
  vi.stubEnv("PARLEY_TOKEN", server.token)
  vi.stubEnv("PARLEY_DATA", join(folder, "data"))
  vi.stubEnv("DATABASE_URL", databaseUrl)
  vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")
  // Our own colours would be the only escapes.
  vi.stubEnv("NO_COLOR", "1")
  Object.assign(process.stdout, { isTTY: true })
  Object.assign(process.stderr, { isTTY: true })
})
afterAll(() => {
  Object.assign(process.stdout, { isTTY: isTerminal.out })
  Object.assign(process.stderr, { isTTY: isTerminal.err })
})

type Command = Parameters<typeof run>[0]

async function clean(command: Command, ...words: string[]): Promise<string> {
  const { out, err } = await run(command, ...words)
  // How much of an export has come is told in place.
  const written = out + err.replace(/\r(?=[\d.]+ MB)/g, "")
  expect(commanding.exec(written)?.[0]).toBeUndefined()
  return written
}

const name = `Bot ${hostile}`
const flow = (text: string) => ({
  ...bot(
    group(
      `Group ${hostile}`,
      say(`${text} ${hostile}`),
      ask.choice([`Red ${hostile}`, `Blue ${hostile}`]),
    ),
    group(`Lost ${hostile}`, ask.text({ saves: `Variable ${hostile}` })),
  ),
  name,
})
const files = { old: join(folder, "old.json"), new: join(folder, "new.json") }
await writeFile(files.old, JSON.stringify(flow("old")))
await writeFile(files.new, JSON.stringify(flow("new")))

test("files with bots: their texts are seen, and command nothing", async () => {
  expect(await clean(lintCommand, files.old)).toContain(shown)
  expect(await clean(lintCommand, files.old, "--json")).toContain(shown)
  expect(await clean(lintCommand, files.old, "--sarif")).toContain(shown)
  expect(await clean(lintCommand, join(folder, hostile))).toContain(shown)
  expect(await clean(diffCommand, files.old, files.new)).toContain(shown)
  expect(await clean(diffCommand, files.old, files.new, "--markdown")).toContain(shown)
  expect(await clean(diffCommand, files.old, files.new, "--json")).toContain(shown)
  await clean(drawCommand, files.old)
  await clean(typesCommand, files.old)
  expect(await clean(lintCommand, `--${hostile}`)).toContain("There is no option")
})

test("bots of a service: names, notes, answers and conversations", async () => {
  const imported = await clean(importCommand, files.old, "--public-id", "hostile", "--publish")
  expect(imported).toContain(shown)
  expect(await clean(listCommand)).toContain(shown)
  expect(await clean(listCommand, "--json")).toContain(shown)
  expect(await clean(pushCommand, files.new, "--bot", "hostile")).toContain(shown)
  await clean(publishCommand, "hostile", "--note", hostile)
  await clean(rollbackCommand, "hostile", "1", "--note", hostile)
  expect(await clean(historyCommand, "hostile")).toContain(shown)
  await clean(restoreCommand, "hostile", "1")
  expect(await clean(diffCommand, "hostile", "--from", "1", "--to", "2")).toContain(shown)
  expect(await clean(exportCommand, "hostile")).toContain(shown)
  expect(await clean(exportCommand, "hostile", "-o", join(folder, "out.json"))).toContain(shown)
  const body = { message: `Red ${hostile}` }
  const started = await server.send("POST", "/api/v1/bots/hostile/startChat", { body: {} })
  await server.send("POST", `/api/v1/sessions/${started.body.sessionId}/continueChat`, { body })
  expect(await clean(resultsCommand, "hostile")).toContain(shown)
  expect(await clean(resultsCommand, "hostile", "--json")).toContain(shown)
  expect(await clean(resultsCommand, "hostile", "--csv")).toContain(shown)
  await clean(openCommand, hostile, "--print")
  await clean(unpublishCommand, hostile)
})

test("accounts: names of workspaces and tokens", async () => {
  const database = await openDatabase({ url: databaseUrl, poolSize: 1 })
  await database.kysely.updateTable("workspaces").set({ name }).execute()
  await database.close()
  await clean(createTokenCommand, "--name", name, "--email", "ann@example.com")
  expect(await clean(listTokensCommand, "--email", "ann@example.com")).toContain(shown)
  expect(await clean(revokeTokensCommand, "--id", hostile)).toContain(shown)
  expect(await clean(listWorkspacesCommand)).toContain(shown)
  expect(await clean(setPlanCommand, name, "FREE")).toContain(shown)
  expect(await clean(setPlanCommand, hostile, "FREE")).toContain(shown)
})

test("what a hostile server says: refusals, events and chats", async () => {
  const error = { message: hostile, code: -32_600, data: { code: hostile, httpStatus: 400 } }
  const step = {
    sessionId: "s",
    messages: [
      { id: "m", type: "text", content: { type: "markdown", markdown: `**${hostile}**` } },
      { id: "n", type: "image", content: { url: hostile } },
    ],
    clientSideActions: [{ type: hostile }, { type: "redirect", redirect: { url: hostile } }],
  }
  const peer = createServer((request, response) => {
    const isChat = request.url?.startsWith("/api/v1/bots/well/") === true
    response.statusCode = isChat ? 200 : 400
    response.setHeader("content-type", "application/json")
    const problem = { message: hostile, detail: hostile, error: { json: error } }
    response.end(JSON.stringify(isChat ? step : problem))
  })
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
  const calls: [Command, ...string[]][] = [
    [listCommand],
    [importCommand, files.old],
    [exportCommand, "b"],
    [pushCommand, files.old, "--bot", "b", "--force"],
    [publishCommand, "b"],
    [historyCommand, "b"],
    [resultsCommand, "b"],
    [diffCommand, "b"],
    [listenCommand, "--forward", "http://127.0.0.1:1"],
    [chatCommand, "badly"],
    [chatCommand, "well"],
  ]
  try {
    for (const [command, ...words] of calls) {
      expect(await clean(command, ...words, "--url", url)).toContain(shown)
    }
    vi.stubEnv("NO_COLOR", "")
    const { out } = await run(chatCommand, "well", "--url", url)
    expect(
      commanding.exec(out.replaceAll("\u001b[1m", "").replaceAll("\u001b[22m", ""))?.[0],
    ).toBeUndefined()
    expect(out).toContain("\u001b[1m\\u001b]0;x")
  } finally {
    peer.close()
  }
})
