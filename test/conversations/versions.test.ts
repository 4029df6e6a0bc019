/** Rule 1.3: flows of every version, converted, and run before and after. */
import { describe, expect, it } from "vitest"
import { flowOfImport, importedBotSchema } from "../../src/authoring/upgrade/importedBot.ts"
import { toLatest } from "../../src/authoring/upgrade/latest.ts"
import type { Flow } from "../../src/engine/bot.ts"
import type { Call } from "../../src/engine/calls.ts"
import {
  convertedFile,
  countedIds,
  fixtureBot,
  fixtureNames,
  readFixture,
} from "../support/fixtureBots.ts"
import { freshTalk, type Talk } from "../support/versionTalk.ts"

describe.each(fixtureNames)("%s", (name) => {
  it("is converted on import to the stored expectation", async () => {
    const { latest } = readFixture(name)
    await expect(`${JSON.stringify(latest, null, 2)}\n`).toMatchFileSnapshot(convertedFile(name))
  })

  it("converted is a bot that an import does not change", () => {
    const { latest } = readFixture(name)
    const noId = () => expect.fail("a converted flow needs no new ids")
    expect(toLatest(latest, noId)).toBe(latest)
    expect(flowOfImport(importedBotSchema.parse(latest), noId)).toEqual(latest)
  })

  it("keeps every id of groups, blocks, items, edges and variables", () => {
    const { sent, latest } = readFixture(name)
    const kept = idsOf(latest)
    const isStart = new Set(startsOf(sent))
    expect(idsOf(sent).filter((id) => !isStart.has(id) && !kept.includes(id))).toEqual([])
  })
})

const sheet = {
  name: "'People'!A1:B9",
  values: [
    ["Name", "Age"],
    ["Ann", "41"],
    ["Bob", "7"],
  ],
}

/** Answers every call alike: sheets with a table, anything else with some points. */
function answer({ kind }: Call<"http" | "sheet">) {
  const table = { valueRanges: [{ valueRange: { range: sheet.name, values: sheet.values } }] }
  return { status: 200, text: JSON.stringify(kind === "sheet" ? table : { points: 12 }) }
}

/** Conversations that go the same way before and after the conversion. */
const same: Record<string, (talk: Talk) => void> = {
  "v3-unversioned-newsletter": (talk) => {
    talk
      .bot("Would you like our letter?")
      .asks("choice input")
      .user("Yes")
      .asks("email input")
      .user("nobody")
      .bot("No address")
      .user("ann@example.com")
      .bot("You chose Yes, ann@example.com.")
      .ends()
  },
  "v3-moved-request": (talk) => {
    talk.bot("Asked for A1").ends()
    expect(talk.calls).toMatchObject([{ request: { url: "https://orders.example/A1" } }])
  },
  "v4-hooks": (talk) => {
    talk.asks("text input").user("Ann").bot("Ann has 12 points").ends()
    expect(talk.calls.map((call) => call.kind === "http" && call.request.url)).toEqual(
      ["own", "zapier", "make", "pabbly"].map((hook) => `https://hooks.example/${hook}?from=Ann`),
    )
  },
  "v4-rows": (talk) => {
    talk.bot("Ann is 41", "Seven is Bob").ends()
    const written = talk.calls
      .map((call) => JSON.stringify(call))
      .filter((call) => /42|Cy/.test(call))
    expect(written).toHaveLength(2)
    expect(written[0]).toContain('"startRowIndex":2,"endRowIndex":3')
  },
  "v4-file": (talk) => {
    talk
      .asks("file input")
      .user("https://files.example/a.png")
      .bot("Got https://files.example/a.png")
  },
  "v5-quiz": (talk) => {
    talk
      .asks("picture choice input")
      .user("Dog")
      .bot("No, once more.")
      .asks("picture choice input")
      .user("Cat")
      .bot("Right!")
      .asks("number input")
      .user("5")
      .bot("After 1 tries, aged 5.")
      .ends()
  },
  "v5-linked": (talk) => {
    talk.asks("text input").user("x").ends()
  },
  "v5-start-among-others": (talk) => {
    talk.asks("text input").user("x").bot("Here again", "The end").ends()
  },
  "v5-model": (talk) => {
    talk.bot("Old words", "It says: Brief.").ends()
    expect(talk.calls).toMatchObject([
      {
        messages: [
          { role: "system", content: "Be brief" },
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Hello" },
          { role: "user", content: "And?" },
        ],
      },
    ])
  },
  "v6-events": (talk) => {
    talk
      .asks("email input")
      .commands("help")
      .bot("Any address will do")
      .asks("email input")
      .user("ann@example.com")
      .bot("Heard ann@example.com", 'Thanks, ann@example.com; colours: ["red",null,"blue"]')
      .ends()
  },
  "v6.1-services": (talk) => {
    talk
      .waits()
      .called({ name: "Ann" })
      .bot("Ann: Brief.")
      .asks("text input")
      .user("x")
      .bot("After: ")
      .ends()
  },
}

/** Conversations that differ, because the conversion takes over the ways of the new version. */
const different: Record<string, { before(talk: Talk): void; after(talk: Talk): void }> = {
  "v5-lists": {
    before: (talk) => talk.bot("Your colours: blue", "That is 3, the last blue").ends(),
    after: (talk) =>
      talk.bot('Your colours: ["red","green","blue"]', "That is 3, the last blue").ends(),
  },
  "v5-links": {
    before: (talk) =>
      talk
        .user("1")
        .bot("After the first: 1")
        .user("2")
        .bot("After the second: 1")
        .user("3")
        .bot("After the third: 3")
        .ends(),
    after: (talk) =>
      talk
        .user("1")
        .bot("After the first: ")
        .user("2")
        .bot("After the second: ")
        .user("3")
        .bot("After the third: 3")
        .ends(),
  },
  "v5-start-without-edge": {
    before: (talk) => talk.ends(),
    after: (talk) => talk.bot("Hi").asks("text input"),
  },
}

describe("a conversation", () => {
  const begin = (flow: Flow, kid: "sent" | "latest") =>
    freshTalk(flow, { linked: { kid: readFixture("v5-linked")[kid] }, answer })

  it.each(Object.entries(same))("with %s goes the same way before and after", (name, says) => {
    const { sent, latest } = readFixture(name)
    for (const kid of ["sent", "latest"] as const) {
      says(begin(sent, kid))
      says(begin(latest, kid))
    }
  })

  it.each(Object.entries(different))("with %s goes as each version does", (name, says) => {
    const { sent, latest } = readFixture(name)
    for (const kid of ["sent", "latest"] as const) {
      says.before(begin(sent, kid))
      says.after(begin(latest, kid))
    }
  })

  it("is held with every file", () => {
    const held = [...Object.keys(same), ...Object.keys(different)]
    expect(held.toSorted()).toEqual(fixtureNames)
  })

  it("asks for files of a size that only older versions name", () => {
    const optionsOf = (flow: Flow) => {
      const input = freshTalk(flow, { answer }).turn.input
      return input && "options" in input ? input.options : undefined
    }
    const { sent, latest } = readFixture("v4-file")
    expect(optionsOf(sent)).toMatchObject({ sizeLimit: 2 })
    expect(optionsOf(latest)).not.toHaveProperty("sizeLimit")
  })
})

describe("versions of files", () => {
  it("are those of their names, and become the latest but for 6, whose look differs", () => {
    for (const name of fixtureNames) {
      const version = /^v([\d.]+)/.exec(name)?.[1]
      const { sent, latest } = readFixture(name)
      expect(sent.version).toBe(version)
      expect(latest.version).toBe(version === "6" ? "6" : "6.1")
    }
  })

  it("newer than those we know are refused", () => {
    const read = importedBotSchema.safeParse({ ...fixtureBot("v6-events"), version: "6.2" })
    expect(read.error?.issues).toMatchObject([{ path: ["version"] }])
  })

  it("do not mutate the given flow", () => {
    for (const name of fixtureNames) {
      const bot = importedBotSchema.parse(fixtureBot(name))
      const before = structuredClone(bot)
      flowOfImport(bot, countedIds())
      expect(bot).toEqual(before)
    }
  })
})

function startsOf(flow: Flow): string[] {
  return flow.groups.flatMap(({ id, blocks }) => {
    const starts = blocks.filter(({ type }) => type === "start").map((block) => block.id)
    return starts.length === blocks.length ? [id, ...starts] : starts
  })
}

function idsOf(flow: Flow): string[] {
  const items = (block: object) =>
    "items" in block && Array.isArray(block.items) ? block.items.map(({ id }) => String(id)) : []
  return [
    ...flow.groups.flatMap(({ id, blocks }) => [
      id,
      ...blocks.flatMap((block) => [block.id, ...items(block)]),
    ]),
    ...flow.edges.map(({ id }) => id),
    ...flow.variables.map(({ id }) => id),
  ]
}
