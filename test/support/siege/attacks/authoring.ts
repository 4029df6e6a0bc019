/** What authors can do while they write: imports, publishing, checks and lists. */
import { ask } from "../ask.ts"
import { type Attack, bounded, control, type Judge, refused, served } from "../attack.ts"
import { anyOf, type Block, block, comparison, flowOf, groupOf, many, say } from "../flow.ts"
import type { Target } from "../target.ts"

const checked = (name: string, flow: () => object, judge: Judge = bounded): Attack => ({
  name,
  door: "REST",
  run: async ({ address, token }) =>
    ask(address, { path: "/api/v1/bots/lint", token, body: { bot: flow() } }),
  judge,
})

/** Imports and publishes a flow of its own each time. */
const published = (name: string, flow: () => object): Attack => ({
  name,
  door: "published bot",
  crowd: 2,
  run: async (target: Target) => {
    const { publicId } = await target.publish(`${name} ${Math.random()}`, flow)
    return ask(target.address, { path: `/api/v1/bots/${publicId}/startChat`, body: {} })
  },
  judge: bounded,
})

const patterns = (count: number) =>
  flowOf([anyOf(many(count, (index) => comparison("V", "Matches regex", heavy(index))))], {
    names: ["V"],
  })

const heavy = (index: number) => `((a?){${(index % 50) + 10}}){20}b${index}$`

const ways: Block[] = many(2_000, (index) => ({
  ...say(`{{n${index % 500}}}`.repeat(20)),
  outgoingEdgeId: "back",
}))

export const authoring: Attack[] = [
  published("publishing of 5,000 regexes", () => patterns(5_000)),
  checked("checks of 5,000 regexes", () => patterns(5_000)),
  checked("checks of 2,000 blocks with 20 unknown variables", () => flowOf(ways)),
  checked("checks of one text of 3 MB of tokens", () => flowOf([say("{{a}}".repeat(600_000))])),
  checked("checks of half-open codes", () => flowOf([say("{{={{=".repeat(500_000))])),
  checked("checks of 60,000 variables of one name", () => ({
    ...flowOf([]),
    variables: many(60_000, (index) => ({ id: `v${index}`, name: "same" })),
  })),
  checked("groups that are no groups", () => ({ ...flowOf([]), groups: many(100_000, () => 1) })),
  checked("blocks of no type", () => flowOf(many(20_000, () => block("no such block")))),
  control(checked("honest check", () => flowOf([say("Hello"), block("text input")]), served)),
  {
    name: "bot that links to itself by its id",
    door: "published bot",
    run: async ({ address, token, publish }) => {
      const { botId, publicId } = await publish("links to itself", () => flowOf([say("once")]))
      const blocks = [block("Bot link", { botId })]
      const groups = [groupOf("g0", "All", blocks)]
      const path = `/api/v1/bots/${botId}`
      await ask(address, { method: "PATCH", path, token, body: { bot: { groups } } })
      await ask(address, { method: "POST", path: `${path}/publish`, token })
      return ask(address, { path: `/api/v1/bots/${publicId}/startChat`, body: {} })
    },
    judge: bounded,
  },
  {
    name: "300 previews from one address",
    door: "anonymous preview",
    crowd: 1,
    run: async ({ address }) => {
      const headers = { "x-forwarded-for": "198.51.100.8" }
      const path = "/api/v1/bots/none/preview/startChat"
      const body = { bot: flowOf([say("Hello")]) }
      const got = await Promise.all(many(300, () => ask(address, { path, body, headers })))
      const [any] = got
      if (!any) throw new Error("Nothing was sent")
      return got.find(({ status }) => status === 429) ?? any
    },
    judge: refused(429),
  },
  {
    name: "theme of 3 MB of CSS",
    door: "anonymous preview",
    run: ({ address }) => {
      const flow = flowOf([], { theme: { customCss: "lite-badge{".repeat(270_000) } })
      return ask(address, { path: "/api/v1/bots/none/preview/startChat", body: { bot: flow } })
    },
    judge: refused(400),
  },
  {
    name: "CSS of open brackets with the badge's name",
    door: "anonymous preview",
    run: ({ address }) => {
      const theme = { customCss: `lite-badge${"{".repeat(99_000)}` }
      const flow = flowOf([], { theme })
      return ask(address, { path: "/api/v1/bots/none/preview/startChat", body: { bot: flow } })
    },
    judge: bounded,
  },
  {
    name: "CSS of words without brackets",
    door: "anonymous preview",
    run: ({ address }) => {
      const theme = { customCss: `${"a ".repeat(49_000)}lite-badge` }
      const flow = flowOf([], { theme })
      return ask(address, { path: "/api/v1/bots/none/preview/startChat", body: { bot: flow } })
    },
    judge: bounded,
  },
  {
    name: "filter of results of 10,000 parts",
    door: "REST",
    run: async ({ address, token, publish }) => {
      const { botId } = await publish("own", () => flowOf([]))
      const query = `timeFilter=${"9".repeat(5_000)}&limit=1e9&cursor=${"x".repeat(5_000)}`
      return ask(address, { path: `/api/v1/bots/${botId}/results?${query}`, token })
    },
    judge: bounded,
  },
  {
    name: "500 wrong tokens",
    door: "REST",
    crowd: 1,
    run: async ({ address }) => {
      const sent = many(500, (index) =>
        ask(address, {
          path: "/api/v1/users/me",
          token: `wrong${index}`,
          headers: { "x-forwarded-for": "198.51.100.7" },
        }),
      )
      const got = await Promise.all(sent)
      const [any] = got
      if (!any) throw new Error("Nothing was sent")
      return got.find(({ status }) => status === 429) ?? any
    },
    judge: refused(429),
  },
]
