/** `parley credentials extract`, for files and bots of a service. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { extractCommand } from "../../src/cli/credentials.ts"
import { block, bot, group } from "../support/bots.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const { address, token, send, workspaceId } = await testServer()
vi.stubEnv("PARLEY_PUBLIC_URL", address)
vi.stubEnv("PARLEY_TOKEN", token)

const headers = [{ key: "Authorization", value: "Bearer abc123def456" }]
const http = (url: string) => block("Webhook", { webhook: { url, headers } })
const flow = {
  ...bot(group("A", http("https://a.example"), http("https://{{Host}}"))),
  name: "Shop",
}
const stays =
  'Stays: Group "A" › block 2 "Webhook" (/groups/0/blocks/1/options/webhook/headers/0/value): ' +
  "The host of the address is a variable, or none.\n"

const credentials = async () => {
  const { body } = await send("GET", `/api/v1/credentials?workspaceId=${workspaceId}`)
  return body.credentials as { id: string; type: string; allowedHosts: string[] }[]
}

test("replaces the secrets in a file by credentials, and changes nothing in a dry run", async () => {
  const file = join(await testFolder(), "bot.json")
  await writeFile(file, JSON.stringify(flow))
  const tried = await run(extractCommand, file, "--dry-run")
  const pointer = "/groups/0/blocks/0/options/webhook/headers/0/value"
  expect(tried.out).toBe(`Authorization for a.example\t${pointer}\n`)
  expect(tried.err).toContain(stays)
  expect([await credentials(), await readFile(file, "utf8")]).toEqual([[], JSON.stringify(flow)])
  const { out, err, code } = await run(extractCommand, file)
  expect([code, err]).toEqual([0, expect.stringContaining("Credentials: 1; secrets that stay: 1.")])
  const [made] = await credentials()
  expect(made).toMatchObject({ type: "http", allowedHosts: ["a.example"] })
  expect(out).toBe(`${made?.id}\tAuthorization for a.example\t${pointer}\n`)
  const written = JSON.parse(await readFile(file, "utf8"))
  expect(written.groups[0].blocks[0].options).toEqual({
    webhook: { url: "https://a.example", headers: [] },
    credentialsId: made?.id,
  })
  expect(written.groups[0].blocks[1]).toEqual(flow.groups[0]?.blocks[1])
})

test("edits the draft of a bot", async () => {
  const sent = { body: { workspaceId, bot: flow } }
  const { body } = await send("POST", "/api/v1/bots/import", sent)
  const { id } = body.bot as { id: string }
  const { out, err } = await run(extractCommand, id)
  expect(out).toContain("Authorization for a.example")
  expect(err).toContain(stays)
  const read = await send("GET", `/api/v1/bots/${id}`)
  expect(JSON.stringify(read.body).split("abc123def456")).toHaveLength(2)
})
