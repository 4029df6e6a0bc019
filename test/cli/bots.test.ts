/** `parley import`, `export`, `publish` and `unpublish` against a running service. */
import { chmod, mkdtemp, open, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { deleteAddress, readAddress, writeAddress } from "../../src/app/addressFile.ts"
import { diffCommand } from "../../src/cli/diff.ts"
import { exportCommand } from "../../src/cli/export.ts"
import { importCommand } from "../../src/cli/import.ts"
import { listCommand } from "../../src/cli/list.ts"
import { listenCommand } from "../../src/cli/listen.ts"
import { openCommand } from "../../src/cli/open.ts"
import { publishCommand, unpublishCommand } from "../../src/cli/publish.ts"
import { pushCommand } from "../../src/cli/push.ts"
import { resultsCommand } from "../../src/cli/results.ts"
import { createUserCommand } from "../../src/cli/users.ts"
import { block, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { fixtureBot } from "../support/fixtureBots.ts"
import { run } from "../support/runCommand.ts"
import { sendTo, testServer } from "../support/server.ts"

const database = await testDatabaseUrl()
const { address, token, send } = await testServer({ DATABASE_URL: database })
vi.stubEnv("PARLEY_PUBLIC_URL", address)
vi.stubEnv("PARLEY_TOKEN", token)

const folder = await mkdtemp(join(tmpdir(), "parley-bots-"))
vi.stubEnv("PARLEY_DATA", join(folder, "data"))
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}

const flow = { ...bot(group("A", say("Hi"), block("hologram"))), name: "From a file" }
const source = await file("bot.json", flow)

const startChat = (publicId: string) =>
  send("POST", `/api/v1/bots/${publicId}/startChat`, { token: null, body: {} })

describe("import", () => {
  test("makes a draft and prints its id alone", async () => {
    const { out, err, code } = await run(importCommand, source)
    expect(err).toBe(`Imported "From a file" as ${out.trim()}.\n`)
    expect(code).toBe(0)
    const { body } = await send("GET", `/api/v1/bots/${out.trim()}`)
    expect(body.bot).toMatchObject({ name: "From a file", publicId: null })
  })

  test("publishes under a public id, with warnings for people", async () => {
    const { out, err } = await run(importCommand, source, "--publish", "--public-id", "from-file")
    expect(out).toMatch(/^[a-z0-9]+\n$/)
    expect(err).toContain('Warning: Group "A" › block 2 "hologram": Blocks of type "hologram"')
    expect(err).toContain("Published version 1 as from-file: `parley chat from-file` talks to it.")
    expect(err).toContain(`Its page is ${address}/chat/from-file\n`)
    expect((await fetch(`${address}/chat/from-file`)).status).toBe(200)
    expect((await startChat("from-file")).body.messages).toHaveLength(1)
    const again = await run(importCommand, source, "--public-id=from-file")
    expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("is taken") })
  })

  test("does not publish what cannot work, unless it has to", async () => {
    const wait = block("Wait", { secondsToWaitFor: 90_000 })
    const broken = await file("broken.json", { ...bot(group("A", wait, say("Hi"))), name: "Slow" })
    const { out, err, code } = await run(importCommand, broken, "--publish")
    expect(err).toContain("The bot is imported, but not published:\nNot published, because parts")
    expect(err).toContain('- Group "A" › block 1 "Wait": The pause takes 90000 seconds')
    expect(code).toBe(1)
    const botId = out.trim()
    const stored = await send("GET", `/api/v1/bots/${botId}`)
    expect(stored.body.bot).toMatchObject({ name: "Slow", publicId: null })
    expect(await run(publishCommand, botId)).toMatchObject({ code: 1 })
    const pushed = await run(pushCommand, broken, "--bot", botId, "--publish")
    expect(pushed).toMatchObject({ code: 1, err: expect.stringContaining("Not published") })
    expect(await run(publishCommand, botId, "--force")).toMatchObject({ code: 0 })
  })

  test("lists every issue of a refused file", async () => {
    const wrong = await file("wrong.json", {
      ...flow,
      groups: [{ id: "g", title: "G", blocks: [{}] }],
    })
    const { out, err, code } = await run(importCommand, wrong)
    expect({ out, code }).toEqual({ out: "", code: 1 })
    expect(err).toContain('Group "G" › block 1 (/bot/groups/0/blocks/0/id): ')
    expect(err).toMatch(/- 1:\d+ Group "G"/)
    const torn = await run(importCommand, await file("torn.json", "{"))
    expect(torn).toMatchObject({ code: 1, err: expect.stringContaining("The file is no JSON") })
    expect((await run(importCommand, "gone.json")).err).toBe("There is no file gone.json\n")
  })

  test("asks which workspace is meant when there are several", async () => {
    const { body } = await send("POST", "/api/v1/workspaces", { body: { name: "Second" } })
    const unnamed = await run(importCommand, source)
    const { id } = body.workspace as { id: string }
    expect(unnamed).toMatchObject({ code: 1, err: expect.stringContaining(`\n- ${id} Second`) })
    const made = await run(importCommand, source, "--workspace", "Second")
    const read = await send("GET", `/api/v1/bots/${made.out.trim()}`)
    expect(read.body.bot).toMatchObject({ workspaceId: id })
  })
})

describe("export", () => {
  test("writes what an import takes, the same every time", async () => {
    const { out } = await run(exportCommand, "from-file")
    expect(JSON.parse(out)).toMatchObject(JSON.parse(JSON.stringify(flow)))
    for (const member of ["workspaceId", "publicId", "updatedAt"]) {
      expect(JSON.parse(out)).not.toHaveProperty(member)
    }
    const copy = join(folder, "copy.json")
    const { err } = await run(exportCommand, JSON.parse(out).id, "-o", copy)
    expect(err).toBe(`Wrote "From a file" to ${copy}.\n`)
    expect(await readFile(copy, "utf8")).toBe(out)
    const made = await run(importCommand, copy, "--workspace", "Second")
    const { id: _, ...again } = JSON.parse((await run(exportCommand, made.out.trim())).out)
    const { id: __, ...first } = JSON.parse(out)
    expect(again).toEqual(first)
  })

  test("replaces a file as a whole, where a link leads, and with its rights", async () => {
    const [real, link] = [await file("real.json", "{}"), join(folder, "link.json")]
    await chmod(real, 0o640)
    await symlink(real, link)
    // Whoever has the former file open still reads it.
    const before = await open(real)
    onTestFinished(() => before.close())
    expect(await run(exportCommand, "from-file", "-o", link)).toMatchObject({ code: 0 })
    expect(await before.readFile("utf8")).toBe("{}")
    expect(JSON.parse(await readFile(real, "utf8"))).toMatchObject({ name: "From a file" })
    expect((await stat(real)).mode & 0o777).toBe(0o640)
  })

  test("of a bot that is not there fails", async () => {
    const gone = await run(exportCommand, "nobody")
    expect(gone).toEqual({ out: "", err: "Bot not found.\n", code: 1 })
  })
})

describe("push", () => {
  test("replaces the draft, time and again, but not what others have changed", async () => {
    const copy = join(folder, "pushed.json")
    const { out: id } = await run(importCommand, source, "--workspace", "Second")
    await run(exportCommand, id.trim(), "-o", copy)
    const push = (name: string, ...words: string[]) =>
      writeFile(copy, JSON.stringify({ ...flow, name })).then(() =>
        run(pushCommand, copy, "--bot", id.trim(), ...words),
      )
    expect((await push("One")).err).toBe('Pushed "One".\n')
    expect((await push("Two")).err).toBe('Pushed "Two".\n')
    await send("PATCH", `/api/v1/bots/${id.trim()}`, { body: { bot: { name: "Theirs" } } })
    const stale = await push("Three")
    expect(stale).toMatchObject({ code: 1, err: expect.stringContaining("has changed since") })
    const { body } = await send("GET", `/api/v1/bots/${id.trim()}`)
    expect(body.bot).toMatchObject({ name: "Theirs" })
    expect((await push("Four", "--force")).err).toBe('Pushed "Four".\n')
  })

  test("of a file that is older than what an export could not write is refused", async () => {
    const copy = join(folder, "older.json")
    const { out: id } = await run(importCommand, source, "--workspace", "Second")
    await run(exportCommand, id.trim(), "-o", copy)
    await send("PATCH", `/api/v1/bots/${id.trim()}`, { body: { bot: { name: "Theirs" } } })
    const nowhere = await run(exportCommand, id.trim(), "-o", join(folder, "none", "new.json"))
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining("There is no folder") })
    const pushed = await run(pushCommand, copy, "--bot", id.trim())
    expect(pushed).toMatchObject({ code: 1, err: expect.stringContaining("has changed since") })
  })

  test("takes what an import takes: files of former versions, and written by hand", async () => {
    const { out: id } = await run(importCommand, source, "--workspace", "Second")
    const push = async (content: object) => {
      const path = await file("other.json", content)
      expect(await run(pushCommand, path, "--bot", id.trim())).toMatchObject({ code: 0 })
      return (await send("GET", `/api/v1/bots/${id.trim()}`)).body.bot
    }
    const edge = { id: "e", from: { eventId: "s" }, to: { blockId: "b" } }
    const events = [{ id: "s", type: "start", outgoingEdgeId: "e" }]
    const groups = [{ id: "g", blocks: [{ id: "b", type: "text" }] }]
    expect(await push({ version: 6.1, events, groups, edges: [edge] })).toMatchObject({
      ...{ name: "From a file", version: "6.1", variables: [] },
      edges: [{ id: "e", to: { groupId: "g", blockId: "b" } }],
    })
    const former = await push(fixtureBot("v5-quiz"))
    expect(former).toMatchObject({ version: "6.1", events: [{ type: "start" }] })
  })

  test("of an invalid bot is refused", async () => {
    const { out: id } = await run(importCommand, source, "--workspace", "Second")
    const { body: answer } = await send("GET", `/api/v1/bots/${id.trim()}`)
    for (const wrong of [answer, [flow], null, "flow", { name: "Flow" }]) {
      const path = await file("none.json", JSON.stringify(wrong))
      const pushed = await run(pushCommand, path, "--bot", id.trim(), "--force")
      expect(pushed).toMatchObject({ code: 1, err: expect.stringMatching(/no bot|Invalid bot/) })
    }
  })

  test("of a file without a revision is refused", async () => {
    await rm(join(folder, "data"), { recursive: true })
    const { out } = await run(listCommand, "--json")
    const [bot] = JSON.parse(out)
    const refused = await run(pushCommand, source, "--bot", bot.id)
    expect(refused.err).toContain(
      "read the bot with `parley export` first, or replace it with --force",
    )
    const dated = await file("dated.json", { ...flow, updatedAt: bot.updatedAt })
    expect(await run(pushCommand, dated, "--bot", bot.id)).toMatchObject({ code: 0 })
  })
})

test("where nothing can be remembered, bots are read and written all the same", async () => {
  // Below a file nobody can make a folder, root included.
  vi.stubEnv("PARLEY_DATA", join(source, "data"))
  onTestFinished(() => void vi.stubEnv("PARLEY_DATA", join(folder, "data")))
  const remark =
    "`parley push` will need --force, because nothing remembers this state of the bot: "
  const made = await run(importCommand, source, "--workspace", "Second", "--publish")
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^[a-z0-9]+\n$/) })
  expect(made.err).toContain(remark)
  expect(made.err).toContain("Published version 1")
  const read = await run(exportCommand, made.out.trim())
  expect(read).toMatchObject({ code: 0, err: expect.stringContaining(remark) })
  expect(JSON.parse(read.out)).toMatchObject({ name: "From a file" })
  const pushed = await run(pushCommand, source, "--bot", made.out.trim(), "--force")
  expect(pushed).toMatchObject({ code: 0, err: expect.stringContaining('Pushed "From a file".') })
})

test("a secret that cannot sign events is refused before the first of them comes", async () => {
  for (const secret of ["my secret", "whsec_"]) {
    const words = ["--forward", "http://127.0.0.1:1", "--secret", secret]
    expect(await run(listenCommand, ...words)).toEqual({
      out: "",
      err: "--secret must be base64, perhaps behind `whsec_`.\n",
      code: 1,
    })
  }
})

describe("list, results and open", () => {
  test("show bots and answers in columns, or as JSON", async () => {
    const { out } = await run(listCommand)
    expect(out).toMatch(/^ID +PUBLIC ID +LIVE +CHANGED +WORKSPACE +NAME\n/)
    expect(out).toMatch(/demo +yes +\d{4}-\d\d-\d\d +My workspace/)
    expect((await run(resultsCommand, "demo")).err).toBe("There are no results yet.\n")
    const { body } = await startChat("demo")
    const path = `/api/v1/sessions/${body.sessionId}/continueChat`
    await send("POST", path, { token: null, body: { message: "I am just looking" } })
    expect((await run(resultsCommand, "demo")).out).toMatch(/ (yes|no) +I am just looking\n$/)
    const [result] = JSON.parse((await run(resultsCommand, "demo", "--json")).out)
    expect(result.answers).toMatchObject([{ content: "I am just looking" }])
    const other = (await startChat("demo")).body.sessionId
    const otherPath = `/api/v1/sessions/${other}/continueChat`
    await send("POST", otherPath, { token: null, body: { message: "I want to build a bot" } })
    const first = await run(resultsCommand, "demo", "--limit", "1")
    expect(first.err).toBe("There are more: raise --limit.\n")
  })

  test("all results are written as a table for files", async () => {
    const { out, err, code } = await run(resultsCommand, "demo", "--csv")
    expect({ err, code }).toEqual({ err: "", code: 0 })
    expect(out).toMatch(/^\ufeffid,created,completed,version,.*\r\n/)
    expect(out).toContain("I am just looking")
    const mixed = await run(resultsCommand, "demo", "--csv", "--limit", "5")
    expect(mixed).toMatchObject({ code: 1, err: expect.stringContaining("--csv prints all") })
    const foreign = await run(resultsCommand, "nobody", "--csv")
    expect(foreign).toMatchObject({ code: 1, out: "", err: "Bot not found.\n" })
  })

  test("the page of a bot is printed", async () => {
    const { out } = await run(openCommand, "demo", "--print")
    expect(out).toBe(`${address}/chat/demo\n`)
    expect(await run(openCommand, "nope")).toEqual({
      out: "",
      err: `There is no published bot nope at ${address}: \`parley list\` shows public ids.\n`,
      code: 1,
    })
  })
})

describe("what a token reaches", () => {
  type Invited = { invitations: { id: string }[] }
  const demoId = async () => {
    const bots: { id: string; publicId: string }[] = JSON.parse(
      (await run(listCommand, "--json")).out,
    )
    return bots.find(({ publicId }) => publicId === "demo")?.id ?? ""
  }

  test("is a bot that others share, by its public id too", async () => {
    vi.stubEnv("DATABASE_URL", database)
    vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")
    const bob = (await run(createUserCommand, "--email", "bob@example.com")).out.trim()
    const shared = { email: "bob@example.com", type: "READ" }
    await send("POST", `/api/v1/bots/${await demoId()}/collaborators`, { body: shared })
    const asBob = sendTo(address, bob)
    const { body } = await asBob("GET", "/api/v1/users/me/botInvitations")
    await asBob(
      "POST",
      `/api/v1/users/me/botInvitations/${(body as Invited).invitations[0]?.id}/accept`,
    )
    expect((await run(listCommand, "--token", bob)).out).toMatch(/demo +yes +\S+ +\(shared\) +Demo/)
    expect(await run(exportCommand, "demo", "--token", bob)).toMatchObject({ code: 0 })
  })

  test("is a bot by its id where the token may list none", async () => {
    const body = { name: "Nightly export", scopes: ["results:read"] }
    const made = await send("POST", "/api/v1/users/me/api-tokens", { body })
    const narrow = ["--token", String((made.body.apiToken as { token: string }).token)]
    expect(await run(resultsCommand, await demoId(), ...narrow)).toMatchObject({ code: 0 })
    expect((await run(listCommand, ...narrow)).err).toContain("with the scope `bots:read`")
  })

  test("is a bot by its id where the token is for that bot alone", async () => {
    const body = { name: "One bot", botIds: [await demoId()] }
    const made = await send("POST", "/api/v1/users/me/api-tokens", { body })
    const single = ["--token", String((made.body.apiToken as { token: string }).token)]
    expect(await run(listCommand, ...single)).toEqual({
      out: "",
      err: "There are no bots to list: `parley import <file>` adds one, or, if the token is for single bots, name these by their ids.\n",
      code: 0,
    })
    expect(await run(exportCommand, await demoId(), ...single)).toMatchObject({ code: 0 })
  })
})

describe("the running service", () => {
  test("is found by its file in the data folder, unless another one is named", async () => {
    vi.stubEnv("PARLEY_PUBLIC_URL", "")
    await writeAddress(join(folder, "data"), address)
    expect(await run(listCommand)).toMatchObject({ code: 0 })
    const other = await run(listCommand, "--url", "http://127.0.0.1:9")
    expect(other.err).toContain("http://127.0.0.1:9 does not answer")
    await writeAddress(join(folder, "data"), address.replace("127.0.0.1", "0.0.0.0"))
    expect(await readAddress(join(folder, "data"))).toBe(address)
    await deleteAddress(join(folder, "data"), "http://127.0.0.1:1")
    expect(await run(listCommand)).toMatchObject({ code: 0 })
    await deleteAddress(join(folder, "data"), address)
    expect((await run(listCommand)).err).toContain("http://localhost:3000 does not answer")
    vi.stubEnv("PARLEY_PUBLIC_URL", address)
  })
})

describe("a bot on a service and a file", () => {
  test("are compared, whichever comes first, by draft, live or number", async () => {
    const botId = (
      await run(importCommand, source, "--workspace", "Second", "--publish")
    ).out.trim()
    const changed = { ...bot(group("A", say("Hello"), block("hologram"))), name: "From a file" }
    const path = await file("changed.json", changed)
    expect(await run(diffCommand, botId, source)).toMatchObject({
      out: "",
      err: "There is no difference.\n",
    })
    for (const version of [[], ["--from", "draft"], ["--from", "live"], ["--from", "1"]]) {
      const { out, code } = await run(diffCommand, botId, path, "--exit-code", ...version)
      expect(out).toContain('"Hi" → "Hello"')
      expect(code).toBe(1)
    }
    expect((await run(diffCommand, path, botId)).out).toContain('"Hello" → "Hi"')
    const odd = await run(diffCommand, botId, path, "--to", "1")
    expect(odd).toMatchObject({ code: 1, err: expect.stringContaining("Files have no versions") })
  })

  test("are distinguished by dots and slashes, and an unknown bot is named", async () => {
    const { code, err } = await run(diffCommand, "nobodysbot", source)
    expect({ code, err }).toEqual({ code: 1, err: "Bot not found.\n" })
  })
})

describe("publish and unpublish", () => {
  test("put a bot on the air and take it off", async () => {
    expect((await run(unpublishCommand, "from-file")).err).toBe("Unpublished from-file.\n")
    expect((await startChat("from-file")).status).toBe(404)
    expect((await run(unpublishCommand, "from-file")).err).toBe("Published bot not found.\n")
    expect((await run(publishCommand, "from-file")).err).toContain(
      "Published version 1 as from-file",
    )
    expect((await startChat("from-file")).status).toBe(200)
  })
})

describe("without a service", () => {
  test("a command says what is missing", async () => {
    const dead = await run(publishCommand, "x", "--url", "http://127.0.0.1:9")
    expect(dead.err).toBe(
      "The service at http://127.0.0.1:9 does not answer: start it, or give another address with --url.\n",
    )
    expect((await run(publishCommand, "x", "--url", "nowhere")).err).toContain("is not an address")
    expect((await run(publishCommand, "x", "--token", "bad")).err).toContain("token")
    vi.stubEnv("PARLEY_TOKEN", "")
    const unnamed = await run(publishCommand, "x")
    vi.stubEnv("PARLEY_TOKEN", token)
    expect(unnamed).toMatchObject({ code: 1, err: expect.stringContaining("PARLEY_TOKEN") })
  })
})
