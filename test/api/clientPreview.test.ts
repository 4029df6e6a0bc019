/** `parley.preview()`: a preview as one object, as the page of the client shows it. */
import { readFileSync } from "node:fs"
import { createTRPCClient, httpLink } from "@trpc/client"
import superjson from "superjson"
import { expect, test } from "vitest"
import { type AppRouter, createParleyClient, isParleyError, openPreview } from "../../src/client.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const { address: url, token } = server
const parley = createParleyClient({ url, token })
const { botId } = await publishBot(
  server,
  bot(
    group("A", say("Your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}")),
    group("B", say("Bye"), ask.email({ id: "mail" })),
  ),
)

test("a preview is talked to, shows what each turn did, goes back, and begins anew", async () => {
  const preview = parley.preview(botId, { textBubbleContentFormat: "markdown" })
  const traced: (string[] | undefined)[] = []
  const stop = preview.onTrace((trace) => traced.push(trace?.blocks.map(({ blockId }) => blockId)))
  expect(preview.state).toEqual({ turns: [], messages: [], input: undefined, variables: [] })
  const turn = await preview.send("Ann")
  expect(turn.sent).toBe("Ann")
  expect(turn.trace.answers).toEqual([{ blockId: "b2", content: "Ann" }])
  expect(preview.state.messages.map(({ id }) => id)).toEqual(["b1", "b3"])
  expect(preview.state.variables).toMatchObject([{ name: "Name", value: "Ann" }])
  const before = preview.state
  expect(await preview.back()).toMatchObject({ input: { id: "b2" }, variables: [] })
  expect(preview.state.turns).toHaveLength(1)
  expect(preview.state).not.toBe(before)
  await Promise.all([preview.send("Bob"), preview.back(), preview.send("Eve")])
  expect(preview.state.turns.map(({ sent }) => sent)).toEqual([undefined, "Eve"])
  await preview.restart({ startFrom: { type: "block", blockId: "mail" } })
  expect(preview.state.input?.id).toBe("mail")
  await preview.send("no address")
  await preview.send("eve@example.com")
  expect(preview.state.turns).toHaveLength(3)
  expect((await preview.back()).turns).toHaveLength(1)
  expect(traced.slice(0, 4)).toEqual([["b1", "b2"], ["b2", "b3"], undefined, ["b2", "b3"]])
  stop()
  await preview.restart({})
  expect(traced).toHaveLength(10)
  const refused = await preview.back().catch((error) => error)
  expect(isParleyError(refused) && refused.data?.reason).toBe("NOTHING_TO_UNDO")
  expect((await preview.send("Zoe")).step.messages).toHaveLength(1)
})

test("a preview opens with any client of tRPC", async () => {
  const headers = { authorization: `Bearer ${token}` }
  const link = httpLink({ url: `${url}/api/trpc`, headers, transformer: superjson })
  const preview = openPreview(createTRPCClient<AppRouter>({ links: [link] }), botId)
  expect((await preview.restart()).step.input?.id).toBe("b2")
})

test("the example of the client's page runs", async () => {
  const page = readFileSync(
    new URL("../../scripts/clientPackage/README.md", import.meta.url),
    "utf8",
  )
  const [, example = ""] = /```ts\n(const preview = [\s\S]*?)```/.exec(page) ?? []
  const lines: string[] = []
  const log = (...words: unknown[]) => void lines.push(words.join(" "))
  const body = example.replace(/ as const/g, "")
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  await new AsyncFunction("parley", "botId", "console", body)(parley, botId, { log })
  const shown = [...example.matchAll(/\/\/ prints: (.*)/g)].map(([, words]) => words)
  expect(shown.length).toBeGreaterThan(1)
  expect(lines.filter((line) => shown.includes(line))).toEqual(shown)
})
