/** `parley test --against` and `--watch`: bots of a service, and files that change. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { testCommand } from "../../src/cli/test.ts"
import { runTests } from "../../src/cli/testing/runTests.ts"
import { bot, group, link, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { until } from "../support/waiting.ts"

const folder = await testFolder()

const write = (name: string, content: unknown) =>
  writeFile(
    join(folder, name),
    typeof content === "string" ? content : JSON.stringify(content),
  ).then(() => join(folder, name))

test("plays the draft of a service, a version of it, and the bots that it links to", async () => {
  const { send, ...server } = await testServer()
  vi.stubEnv("PARLEY_PUBLIC_URL", server.address)
  vi.stubEnv("PARLEY_TOKEN", server.token)
  const kid = await publishBot({ send, ...server }, bot(group("Kid", say("I am the kid"))))
  const variables = `/api/v1/workspaces/${server.workspaceId}/variables`
  await send("POST", variables, { body: { name: "shop", value: "at Tea & Co" } })
  const flow = (text: string) => bot(group("Main", say(`${text} {{$shop}}`), link(kid.botId)))
  const { botId, publicId } = await publishBot({ send, ...server }, flow("one"))
  await send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: flow("two") } })
  const path = await write(
    "against.test.yaml",
    "bot: ./none.json\nconversation:\n  - bot: two at Tea & Co\n  - bot: I am the kid\n",
  )
  expect(await run(testCommand, path, "--against", publicId)).toMatchObject({ code: 0, err: "" })
  const published = await run(testCommand, path, "--against", `${publicId}@1`)
  expect(published).toMatchObject({ code: 1, out: expect.stringContaining("+ | one at Tea & Co") })
  const lost = await run(testCommand, path, "--against", "nobody")
  expect(lost).toMatchObject({ code: 2, err: expect.stringMatching(/not found|no bot/i) })
})

test("runs again what a change of a test or a bot concerns, until it is ended", async () => {
  const saying = (text: string) => bot(group("Main", say(text)))
  await write("one.json", saying("one"))
  await write("two.json", saying("two"))
  const one = await write("one.test.yaml", "bot: ./one.json\nconversation: [{ bot: one }]\n")
  const two = await write("two.test.yaml", "bot: ./two.json\nconversation: [{ bot: two }]\n")
  const lost = await write("lost.test.yaml", "bot: ./later/two.json\nconversation: []\n")
  let out = ""
  const written = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text)
    return true
  })
  const ending = new AbortController()
  try {
    const options = { reporter: "pretty", hasCoverage: false, updates: false } as const
    const more = { least: undefined, hasColours: false, until: ending.signal }
    const running = runTests({ files: [one, two, lost], ...options, ...more })
    await until(() => out.includes("2 passed"))
    out = ""
    await write("one.json", saying("uno"))
    await until(() => out.includes("0 passed, 1 failed in 1 file"))
    expect(out).not.toContain("two.test.yaml")
    // A line says when, and why, before anything else.
    expect(out).toMatch(/^\n── \d\d:\d\d:\d\d: \S*one\.json ──\n/)
    out = ""
    await write("two.test.yaml", "bot: ./two.json\nconversation: [{ bot: due }]\n")
    await until(() => out.includes("0 passed, 1 failed in 1 file"))
    expect(out).toContain("two.test.yaml")
    out = ""
    // It named a bot in a folder that is not there yet.
    await write("lost.test.yaml", "bot: ./two.json\nconversation: [{ bot: two }]\n")
    await until(() => out.includes("1 passed, 0 failed in 1 file"))
    ending.abort()
    expect(await running).toBe(0)
  } finally {
    written.mockRestore()
  }
})
