/**
 * What parties share in one process is listed once, by key: the code opens nothing else, SECURITY.md shows
 * the list, and one user with twelve workspaces or twelve addresses of strangers fill none of it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { setImmediate as nextRound } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { openMemory } from "../../src/effects/sandbox/memory.ts"
import { createBodyBudget } from "../../src/http/bodies/bodyBudget.ts"
import { createAmount, createCap } from "../../src/lib/caps.ts"
import { type FairQueue, openFairQueue } from "../../src/lib/fairQueue.ts"
import { type Party, strangerParty, workspaceParty } from "../../src/lib/party.ts"
import {
  amounts,
  type CapName,
  caps,
  type QueueName,
  queues,
  stored,
  unshared,
} from "../../src/lib/shares.ts"

const opened: FairQueue[] = []
afterAll(() => {
  for (const queue of opened) queue.close()
})

const twelve = Array.from({ length: 12 }, (_, index) => index)
const address = (index: number) => `192.0.2.${index}`
const honest = workspaceParty({ workspaceId: "honest", creatorId: "honest" })
const crowds: [whose: string, parties: Party[]][] = [
  [
    "12 workspaces of one user",
    twelve.map((n) => workspaceParty({ workspaceId: `w${n}`, creatorId: "greedy" })),
  ],
  ["12 addresses of strangers", twelve.map((n) => strangerParty(address(n)))],
]
const everybody = crowds.flatMap(([, parties]) => parties)

/** Has parties enter a queue in turn, as often as there is room, and returns what happens in order. */
function fill(name: QueueName, parties: readonly Party[]) {
  const queue = openFairQueue(name)
  opened.push(queue)
  const order: string[] = []
  const places: (() => void)[] = []
  const enter = (party: Party) =>
    void queue.enter(party).then((leave) => {
      order.push(leave ? party.owner : `${party.owner}: none`)
      if (leave) places.push(leave)
    })
  const { maxWaiting, places: most } = queues[name]
  const each = Math.floor((maxWaiting + most) / parties.length)
  for (let time = 0; time < each; time++) for (const party of parties) enter(party)
  const rounds = async () => {
    for (let round = 0; round < 3; round++) await nextRound()
  }
  return {
    order,
    enter,
    rounds,
    async leave() {
      places.shift()?.()
      await rounds()
    },
  }
}

describe.each(Object.keys(queues) as QueueName[])("the queue %s", (name) => {
  // Of bodies only the address is known, so that each of these is on its own.
  const isByAddress = queues[name].key === "address"
  it.each([
    ...crowds,
    ["both at once", everybody],
  ] as typeof crowds)("lets an honest owner in within a turn, though it is full of %s", async (_whose, parties) => {
    const { order, enter, rounds, leave } = fill(name, parties)
    await rounds()
    const before = order.length
    enter(honest)
    await rounds()
    const owners = new Set(parties.map(({ owner }) => owner)).size
    for (let left = 0; left <= owners && !order.includes(honest.owner); left++) await leave()
    expect(order).toContain(honest.owner)
    expect(order.indexOf(honest.owner) - before).toBeLessThanOrEqual(owners)
    expect(isByAddress || owners <= 2).toBe(true)
  })
})

describe.each(Object.keys(caps) as CapName[])("the cap of %s", (name) => {
  const isByAddress = "address" in caps[name].each
  it(`leaves room beside ${isByAddress ? "12 addresses" : "one user with 12 workspaces"}`, () => {
    const admit = createCap<CapName>(name)
    const enter = (whose: Record<string, string>) => {
      try {
        return admit(whose as never, () => new Error("full")) !== undefined
      } catch {
        return false
      }
    }
    for (let time = 0; time < caps[name].places; time++) {
      for (const n of twelve) {
        const own = { user: "greedy", creator: "greedy", endpoint: `${n} ${time}` }
        enter({ workspace: `w${n}`, bot: `b${n}`, address: address(n), ...own })
      }
    }
    const own = { workspace: "own", bot: "own", user: "own", creator: "own", endpoint: "own" }
    expect(enter({ ...own, address: "198.51.100.1" })).toBe(true)
  })
})

it("the memory of waiting scripts leaves room beside an owner with 12 workspaces", () => {
  const memory = openMemory(amounts.hungryScripts.most)
  const bytes = 40 * 1024 * 1024
  const [[, workspaces] = ["", []]] = crowds
  const held = workspaces.filter((party) => memory.hold({}, party, bytes))
  expect(held.length).toBeGreaterThan(1)
  expect(memory.hold({}, honest, bytes)).toBe(true)
})

it("the memory of large events leaves room beside a creator, and admits alone what is larger than all", () => {
  const most = amounts.largeDeliveries.most
  const hold = createAmount("largeDeliveries")
  const held = twelve.map(() => hold("greedy", most / 12))
  expect(held.filter(Boolean)).toHaveLength(9)
  expect(hold("honest", most / 12)).toBeDefined()
  for (const give of held) give?.()
  expect(createAmount("largeDeliveries")("greedy", 2 * most)).toBeDefined()
})

it("the memory of bodies leaves room for a chat beside 12 addresses", () => {
  const budget = createBodyBudget(amounts.bodies.most)
  for (const n of twelve) {
    for (let body = 0; body < 50; body++) {
      try {
        budget.open(address(n)).reserve(1024 * 1024)
      } catch {}
    }
  }
  expect(() => budget.open("198.51.100.1").reserve(512 * 1024)).not.toThrow()
})

// What runs in the processes of a service, without what its users run.
const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\./.test(path))
  .filter((path) => !/^(pages|client|cli|postgres)\//.test(path))
  .map((path) => ({ path, text: readFileSync(`src/${path}`, "utf8") }))
const sources = files.map(({ text }) => text)

/** How bounds on what is open, waits or is remembered are written. */
const bounds = [
  /new LRUCache\b/,
  /\.size >=? \w+\) \w+\.clear\(\)/,
  /\bconst \w*(AtOnce|UnderWay|Waiting|Running|Pending|Pipelined|Listeners|Slots|Sockets|OpenCalls) =\s*[\w]+/,
  /\b(max|connections|maxSockets|concurrency): (options\.size|\d[\d_]*),? ?\}?\)?$/m,
]
/** Where such a name is the size of a piece of work, of a pattern or of an answer. */
const pieces = [
  "bots/starters/eventSignUp.ts",
  "bots/starters/priceCalculator.ts",
  "engine/regex/findsMatch.ts",
  "engine/regex/parsePattern.ts",
  "results/exportResults.ts",
  "results/replay/replaySide.ts",
]

it("every bound without a name in the list is listed with why it needs no key", () => {
  const found = files
    .filter(({ text }) => bounds.some((bound) => bound.test(text)))
    .map(({ path }) => path)
    .filter((path) => path !== "lib/shares.ts" && !pieces.includes(path))
  expect(found.sort()).toEqual(Object.keys(unshared).sort())
})

it("all places are opened by the list", () => {
  const opening = /(?<!function )\b(openFairQueue|createCap|createAmount)\((?!")/
  expect(
    files
      .filter(({ text }) => opening.test(text.replaceAll(/\s+/g, " ")))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(["effects/sandbox/pool.ts"])
})

it.each([...Object.keys(queues), ...Object.keys(caps)])("the code opens %s once", (name) => {
  const opening = new RegExp(
    `(?:openFairQueue|createCap|openPool|createAmount|threads)\\(\\s*"${name}"`,
    "g",
  )
  expect(sources.flatMap((text) => text.match(opening) ?? [])).toHaveLength(1)
})

it("SECURITY.md shows what is shared as the code lists it", () => {
  const page = readFileSync(".github/SECURITY.md", "utf8")
  expect(page).toContain(tableOfShares())
  const rows = Object.entries(unshared).map(([file, why]) => `| \`${file}\` | ${why} |`)
  expect(page).toContain(["| File | What |", "| --- | --- |", ...rows].join("\n"))
})

function tableOfShares(): string {
  const wait = (seconds: number) => `wait for ${seconds} s at most`
  const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`
  const rows = [
    ...Object.values(queues).map(({ what, key, places, maxWaiting, maxWaitMs }) => {
      return [what, `${places}`, key, `${maxWaiting} ${wait(maxWaitMs / 1_000)}`]
    }),
    ...Object.values(caps).map(({ what, places, each }) => {
      const bounds = Object.entries(each).map(([key, most]) => {
        return most < places ? `${key} (${most})` : key
      })
      return [what, `${places}`, bounds.join(", "), "are refused"]
    }),
    ...Object.values(stored).map((share) => {
      const { what, key, each, all } = share
      const inWords = (many: number) => ("isBytes" in share ? megabytes(many) : `${many}`)
      const places = all === null ? "any number" : inWords(all)
      return [what, places, `${key} (${inWords(each)})`, "replace the oldest of who has most"]
    }),
    ...Object.values(amounts).map(({ what, key, most }) => {
      return [what, megabytes(most), key, "are refused"]
    }),
  ]
  const head = ["What", "Places", "Shared out by", "Those who find none"]
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")
}
