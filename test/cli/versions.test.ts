/** `parley history`, `rollback`, `restore`, `diff` and `draw`. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { diffCommand } from "../../src/cli/diff.ts"
import { drawCommand } from "../../src/cli/draw.ts"
import { publishCommand } from "../../src/cli/publish.ts"
import { restoreCommand } from "../../src/cli/restore.ts"
import { historyCommand, rollbackCommand } from "../../src/cli/versions.ts"
import { readDrawing } from "../support/mermaid.ts"
import { publishBot } from "../support/publish.ts"
import { run } from "../support/runCommand.ts"
import { saidIn, saying } from "../support/saying.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const { send, ...server } = await testServer()
vi.stubEnv("PARLEY_PUBLIC_URL", server.address)
vi.stubEnv("PARLEY_TOKEN", server.token)

const folder = await testFolder()

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(content))
  return path
}

const fileSaying = (text: string) =>
  file(`${text}.json`, { version: "6.1", name: "From a file", ...saying(text) })

const { botId, publicId } = await publishBot({ send, ...server }, { ...saying("one") })
const path = `/api/v1/bots/${botId}`
const write = (text: string) => send("PATCH", path, { body: { bot: saying(text) } })

describe("history, rollback and restore", () => {
  test("tell what was live, move it, and bring a draft back", async () => {
    await write("two")
    const published = await run(publishCommand, publicId, "--note", "Says two")
    expect(published.err).toContain(`Published version 2 as ${publicId}`)
    const rolledBack = await run(rollbackCommand, publicId, "1", "--note", "Two was\nwrong")
    expect(rolledBack).toEqual({
      out: "",
      err: `Version 1 of ${publicId} is live again.\n`,
      code: 0,
    })
    const { out } = await run(historyCommand, publicId)
    const lines = out.trimEnd().split("\n")
    expect(lines.map((line) => line.replace(/^\S+Z /, "").split(/ {2,}/))).toEqual([
      ["WHEN", "WHAT", "VERSION", "BY", "NOTE"],
      [" rollback", "1", "ann@example.com", "Two was wrong"],
      [" publish", "2", "ann@example.com", "Says two"],
      [" publish", "1", "ann@example.com"],
    ])
    await write("three")
    const restored = await run(restoreCommand, botId, "2")
    expect(restored.err).toBe(
      `The draft of ${botId} is version 2 again; the former draft is among its versions.\n`,
    )
    const { body } = await send("GET", path)
    expect(saidIn(body.bot as { groups: unknown })).toBe("two")
  })

  test("say when there is more, and when there is nothing", async () => {
    expect(await run(historyCommand, publicId, "--limit", "1000")).toMatchObject({
      code: 0,
      err: "",
    })
    const short = await run(historyCommand, publicId, "--limit", "2")
    expect(short.out.trimEnd().split("\n")).toHaveLength(3)
    expect(short.err).toBe("There are more: raise --limit.\n")
    const { body } = await send("GET", path)
    const { workspaceId } = body.bot as { workspaceId: string }
    const made = await send("POST", "/api/v1/bots", { body: { workspaceId, bot: {} } })
    const { id } = made.body.bot as { id: string }
    expect((await run(historyCommand, id)).err).toBe(`${id} was never published.\n`)
  })

  test("refuse with a sentence", async () => {
    expect(await run(rollbackCommand, publicId, "9")).toEqual({
      out: "",
      err: "Version 9 not found.\n",
      code: 1,
    })
    expect((await run(rollbackCommand, publicId, "latest")).err).toBe(
      'The version must be a whole number of at least 1, not "latest".\n',
    )
    for (const limit of ["0", "2.5", "many"]) {
      expect((await run(historyCommand, publicId, "--limit", limit)).err).toBe(
        `--limit must be a whole number of at least 1, not "${limit}".\n`,
      )
    }
    expect((await run(restoreCommand, "nobody", "1")).err).toBe("Bot not found.\n")
  })
})

describe("diff", () => {
  test("compares what is live with the draft, or any two versions", async () => {
    await write("four")
    const { out, code } = await run(diffCommand, publicId)
    expect(out).toMatch(/^changed Group "A" › block 1 \(text\) \(.*\): "one" → "four"\n$/)
    expect(code).toBe(0)
    expect((await run(diffCommand, publicId, "--from", "1", "--to", "2")).out).toContain(
      '"one" → "two"',
    )
    const none = await run(diffCommand, publicId, "--from", "live", "--to", "1", "--exit-code")
    expect(none).toEqual({ out: "", err: "There is no difference.\n", code: 0 })
  })

  test("compares files without a service, in three forms", async () => {
    vi.stubEnv("PARLEY_TOKEN", "")
    const [one, two] = [await fileSaying("one"), await fileSaying("two")]
    const plain = await run(diffCommand, one, two, "--exit-code")
    expect(plain.out).toContain('"one" → "two"')
    expect(plain.code).toBe(1)
    const { out } = await run(diffCommand, one, two, "--markdown")
    expect(out).toContain("**1 change**: 1 changed")
    expect(out).toContain("~~`one`~~ **`two`**")
    expect(JSON.parse((await run(diffCommand, one, two, "--json")).out)).toMatchObject([
      { kind: "changed", before: "one", after: "two" },
    ])
    expect(JSON.parse((await run(diffCommand, one, one, "--json")).out)).toEqual([])
    vi.stubEnv("PARLEY_TOKEN", server.token)
  })

  test("of a single file asks for the other one, and not for a token", async () => {
    const one = await fileSaying("one")
    expect(await run(diffCommand, one)).toEqual({
      out: "",
      err: `${one} is a file: name the newer one too, \`parley diff ${one} <file>\`.\n`,
      code: 1,
    })
    expect((await run(diffCommand, "nobody")).err).toBe("Bot not found.\n")
  })

  test("says which file is no bot", async () => {
    const one = await fileSaying("one")
    const odd = await file("odd.json", { groups: 5 })
    expect((await run(diffCommand, one, odd)).err).toContain(`${odd}: The file is no bot:\n- `)
    const { err } = await run(diffCommand, one, "nowhere.json")
    expect(err).toBe("There is no file nowhere.json\n")
    expect((await run(diffCommand, one, one, "--from", "1")).err).toContain("no versions")
  })
})

describe("draw", () => {
  test("prints a flowchart that Mermaid reads", async () => {
    const { out, code } = await run(drawCommand, await fileSaying("one"))
    expect(code).toBe(0)
    expect(out).toMatch(/^flowchart TD\n/)
    expect((await readDrawing(out)).edges).toHaveLength(1)
  })

  test("of an invalid bot fails", async () => {
    const { err, code } = await run(drawCommand, await file("list.json", []))
    expect(err).toContain("The file is no bot")
    expect(code).toBe(1)
  })
})
