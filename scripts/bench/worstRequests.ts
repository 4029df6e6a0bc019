/**
 * Processor time of the dearest single requests that are known, beside that of another checkout if one is given:
 * `npm run bench worstRequests -- [--at <folder>] [--only pattern]`.
 */
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Asked, ask } from "../../test/support/siege/ask.ts"
import { flowOf, many, say } from "../../test/support/siege/flow.ts"
import { median } from "../drills/figures.ts"
import { root, textGiven, token } from "../drills/product.ts"
import { openStack, type Stack } from "../drills/stack.ts"
import { cpuMicrosOf } from "./load.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
/** Collecting garbage and what else a request leaves to do. */
const restMs = 300
const timeoutMs = 60_000

/** A checkout under test, with a bot and its workspace. */
type Side = { name: string; stack: Stack; botId: string; publicId: string; workspaceId: string }

/** What a request took: milliseconds of processor time, and the statuses of its answers. */
type Taken = { milliseconds: number[]; statuses: Set<number> }

/** Prints a table of medians of all rounds, in which checkouts alternate. */
export async function run(): Promise<void> {
  const only = new RegExp(textGiven("only") ?? "")
  const other = textGiven("at")
  const sides: Side[] = []
  try {
    if (other !== undefined) sides.push(await openSide("there", resolve(other)))
    sides.push(await openSide("here", root))
    const requests = sides.map(worstRequests)
    const names = Object.keys(requests[0] ?? {}).filter((name) => only.test(name))
    const rows: Record<string, Record<string, string>> = {}
    for (const name of names) {
      const taken = sides.map((): Taken => ({ milliseconds: [], statuses: new Set() }))
      for (let round = 0; round < rounds; round++) {
        for (const [index, side] of sides.entries()) {
          const asked = requests[index]?.[name]
          const into = taken[index]
          if (asked && into) await measure(side, asked, into)
        }
      }
      rows[name] = Object.fromEntries(
        taken.map((each, index) => [sides[index]?.name ?? "", wordsOf(each)]),
      )
    }
    console.table(rows)
  } finally {
    for (const { stack } of sides) await stack.close()
  }
}

async function openSide(name: string, checkout: string): Promise<Side> {
  const stack = await openStack({ checkout })
  const { api } = stack.process()
  const { id: botId, publicId } = await api.publish(flowOf([say("a".repeat(20_000))]))
  // Analytics of a bot without results ask nothing of the database.
  await api.start(publicId)
  return { name, stack, botId, publicId, workspaceId: await api.workspaceId() }
}

async function measure({ stack }: Side, asked: Asked, into: Taken): Promise<void> {
  const { address, pid } = stack.process()
  await sleep(restMs)
  const before = await cpuMicrosOf(pid)
  const { status } = await ask(address, { ...asked, timeoutMs })
  await sleep(restMs)
  into.milliseconds.push(((await cpuMicrosOf(pid)) - before) / 1_000)
  into.statuses.add(status)
}

function wordsOf({ milliseconds, statuses }: Taken): string {
  return `${median(milliseconds)} ms, ${[...statuses].join(" and ")}`
}

/** The requests by what is dear about them. */
function worstRequests({ botId, publicId, workspaceId }: Side): Record<string, Asked> {
  const zeros = Array(110_000).fill(0)
  const api = (path: string, body: object, method = "POST"): Asked => ({
    method,
    path: `/api/v1${path}`,
    body,
  })
  const own = (...parts: Parameters<typeof api>): Asked => ({ ...api(...parts), token })
  const previewed = (changes: object) =>
    api("/bots/any/preview/startChat", { bot: { ...flowOf([say("Hi")]), ...changes } })
  const inBlock = (type: string, inner: object) =>
    previewed(flowOf([{ id: "b", type, ...inner }]) as object)
  const imported = (changes: object) =>
    own("/bots/import", { workspaceId, bot: { ...flowOf([say("Hi")]), ...changes } })
  const named = (start: string) => ({
    workspaceId,
    bot: { name: "B", settings: Object.fromEntries(many(110_000, (nth) => [`${start}${nth}`, 0])) },
  })
  const [withNul, withHalves] = [named("\0"), named("\ud800")]
  const catalogues = Array(20).fill("catalogue.list").join(",")
  const inputs = JSON.stringify(Object.fromEntries(many(20, (nth) => [nth, { json: {} }])))
  const dear = "{ matches: '(a?){120}(a?){120}c$' }"
  const message = (method: string, params: object) => ({
    ...{ path: "/mcp", token, headers: { accept: "application/json, text/event-stream" } },
    body: { jsonrpc: "2.0", id: 1, method, params },
  })
  const tests = many(49, (nth) => `- { name: t${nth}, conversation: [{ bot: ${dear} }] }`)
  const toTest = { file: ["bot: b", "tests:", ...tests].join("\n") }
  return {
    "variables of an anonymous preview": previewed({ variables: zeros }),
    "a value of an anonymous preview": previewed({
      variables: [{ id: "v", name: "V", value: zeros }],
    }),
    "events of an anonymous preview": previewed({ events: zeros }),
    "rich text of an anonymous preview": inBlock("text", { content: { richText: zeros } }),
    "items of an anonymous preview": inBlock("choice input", { items: zeros }),
    "headers of an anonymous preview": inBlock("Webhook", {
      options: { webhook: { id: "w", headers: zeros } },
    }),
    edits: own(`/bots/${botId}/edits`, { revision: 1, edits: zeros }),
    "types of an endpoint": own(`/workspaces/${workspaceId}/webhookEndpoints`, {
      url: "https://receiver.example",
      types: zeros,
    }),
    "events of a new bot": own("/bots", { workspaceId, bot: { name: "B", events: zeros } }),
    "events of a PATCH": own(`/bots/${botId}`, { bot: { events: zeros } }, "PATCH"),
    "events of an import": imported({ events: zeros }),
    "columns of an import": imported({
      resultsTablePreferences: { columnsOrder: zeros, columnsVisibility: {}, columnsWidth: {} },
    }),
    "4 MB to chat.start over tRPC": {
      path: "/api/trpc/chat.start",
      body: { json: { publicId, prefilledVariables: { Said: "x".repeat(4_000_000) } } },
    },
    "names with NUL in an anonymous preview": previewed({ settings: withNul.bot.settings }),
    "names with NUL, without a token": api("/bots/import", withNul),
    "names with NUL over tRPC, without a token": {
      path: "/api/trpc/bot.import",
      body: { json: withNul },
    },
    "names with NUL": own("/bots/import", withNul),
    "names with NUL over tRPC": { path: "/api/trpc/bot.import", body: { json: withNul }, token },
    "names with half characters, without a token": api("/bots/import", withHalves),
    "names with half characters": own("/bots/import", withHalves),
    "twenty catalogues in a batch": {
      path: `/api/trpc/${catalogues}?batch=1&input=${encodeURIComponent(inputs)}`,
    },
    "a dear pattern in the test of a draft": own(`/bots/${botId}/test`, toTest),
    "a dear pattern in test_bot": message("tools/call", {
      name: "test_bot",
      arguments: { botId, ...toTest },
    }),
    "a message of an assistant": message("tools/list", {}),
    "a sign-in that was not begun": { path: "/signIn/openId/callback?code=x&state=y" },
    "analytics from the end of time": {
      path: `/api/v1/bots/${botId}/analytics?from=9999-12-31T23:59:59.999Z`,
      token,
    },
  }
}
