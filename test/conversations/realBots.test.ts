/** Bots that people really use, when they lie beside the checkout: every branch, to its end. */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { diffFlows } from "../../src/authoring/diff/diffFlows.ts"
import { drawFlow } from "../../src/authoring/draw/drawFlow.ts"
import { flowOfImport, importedBotSchema } from "../../src/authoring/upgrade/importedBot.ts"
import type { Flow } from "../../src/engine/bot.ts"
import { readDrawing } from "../support/mermaid.ts"
import { talk } from "../support/talk.ts"
import type { TalkParts } from "../support/talkStage.ts"

const folder = new URL("../../../shared/bots/", import.meta.url)

function load(name: string): Flow {
  const file: unknown = JSON.parse(readFileSync(new URL(name, folder), "utf8"))
  return flowOfImport(importedBotSchema.parse(file), () => expect.fail("no id is new"))
}

/** Nothing that these bots call can be reached. */
const answers = { http: () => ({ failed: true, description: "unreachable" }) as const }

/** A chat in which each message is answered, with the blocks that it executed. */
function walk(flow: Flow, messages: string[], parts: TalkParts = {}) {
  const chat = talk(flow, { answers, ...parts })
  const executed = new Set<string>()
  const note = () => {
    for (const [, blockId] of chat.turn.visits) executed.add(blockId)
  }
  note()
  for (const message of messages) {
    expect(chat.turn.input, `asks before "${message}"`).toBeDefined()
    chat.user(message)
    note()
  }
  return { chat, executed }
}

const blockIds = (flow: Flow) => flow.groups.flatMap(({ blocks }) => blocks.map(({ id }) => id))

describe.runIf(existsSync(folder))("bots that people really use", () => {
  it("the sign-up collects four answers, refuses an invalid phone number and sends them", () => {
    const flow = load("company-signup.json")
    const replies = ["Ann", "Orion", "ann@orion.br", "no phone", "11 91234-5678"]
    const sent: unknown[] = []
    const http: NonNullable<TalkParts["answers"]>["http"] = ({ request }) => {
      sent.push(request.body)
      return { status: 200, text: "{}" }
    }
    const { chat, executed } = walk(flow, replies, { answers: { http } })
    expect(chat.turn.input).toBeUndefined()
    chat.answered("Ann", "Orion", "ann@orion.br", "+5511912345678")
    expect(blockIds(flow).filter((id) => !executed.has(id))).toEqual([])
    expect(JSON.stringify(sent)).toMatch(/Nome do Cliente.*Ann.*Orion.*ann@orion\.br/)
    expect(walk(flow, replies).chat.turn.logs).toHaveLength(1)
  })

  it("the handover ends on every option, asks again on others and stops as configured", () => {
    const flow = load("agent-handover.json")
    const executed = new Set<string>()
    const chats = ["1", "2", "3", "4"].map((option) => walk(flow, ["hi", "7", "", option]))
    const stopping = { prefilled: { "id da conversa chatwoot": "PARAR" } }
    const stopped = walk(flow, ["hi"], stopping)
    for (const walked of [...chats, stopped]) {
      for (const id of walked.executed) executed.add(id)
      expect(walked.chat.turn.input).toBeUndefined()
      expect(walked.chat.turn.isWaiting).toBe(false)
    }
    for (const { chat } of chats)
      chat.answered("hi", "7", "", chat.turn.session.queue[0]?.answers.at(-1)?.[1] ?? "")
    expect(blockIds(flow).filter((id) => !executed.has(id))).toEqual([])
  })

  it("are drawn as Mermaid reads them, and do not differ from themselves", async () => {
    for (const name of ["agent-handover.json", "company-signup.json"]) {
      const flow = load(name)
      const { nodes } = await readDrawing(drawFlow(flow))
      expect(Object.keys(nodes)).toHaveLength(flow.groups.length + (flow.events?.length ?? 0))
      expect(diffFlows(flow, load(name))).toEqual([])
    }
  })

  it("their cycles wait for someone at every turn", () => {
    const { chat } = walk(load("agent-handover.json"), [
      "hi",
      ...Array.from({ length: 60 }, () => "?"),
    ])
    expect(chat.turn.input).toMatchObject({ type: "text input" })
    expect(chat.turn.visits.length).toBeLessThan(10)
  })
})
