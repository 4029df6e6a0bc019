/** Calls from outside to chats that wait inside a linked bot. */
import { describe, expect, it } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { ask, block, bot, group, idOf, link, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot, type Step } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { waitForEvent } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })

const responseVariableMapping = [{ id: "m", bodyPath: "data.name", variableId: idOf("Name") }]
const hook = (id: string) => block("webhook", { responseVariableMapping }, { id })

type Called = { botId: string; blockId: string; resultId: string }

const call = ({ botId, blockId, resultId }: Called) =>
  here.send("POST", `/api/v1/bots/${botId}/blocks/${blockId}/results/${resultId}/executeWebhook`, {
    body: { name: "Ann" },
  })

describe("inside a linked bot", () => {
  const child = bot(group("C", hook("inner"), say("Thanks {{Name}}")))

  it.each([
    true,
    false,
  ])("a call names the linked bot (results merged: %s)", async (mergeResults) => {
    const linked = await publishBot(here, child)
    const parent = bot(
      group("P", ask.text({ saves: "First" }), link(linked.botId, { mergeResults }), ask.text()),
    )
    const outer = await publishBot(here, parent)
    const { step, say: reply } = await chatOver(here, outer.publicId)
    await reply("Hello")
    const resultId = await resultAt(linked.botId, step)
    const inner = { blockId: "inner", resultId }
    expect((await call({ ...inner, botId: outer.botId })).status).toBe(404)
    const waiter = await waitForEvent(there.address, step.sessionId)
    expect((await call({ ...inner, botId: linked.botId })).status).toBe(200)
    const next = await reply((await waiter.event)?.data)
    expect(next.body.messages).toMatchObject([{ content: { markdown: "Thanks Ann" } }])
    expect((await call({ ...inner, botId: linked.botId })).status).toBe(404)
  })

  /** The result that the linked bot records: its own, or that of the chat. */
  async function resultAt(linkedId: string, { resultId }: Step): Promise<string> {
    const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
    const own = await db.kysely
      .selectFrom("results")
      .select("resultId")
      .where("botId", "=", linkedId)
      .executeTakeFirst()
    await db.close()
    return own?.resultId ?? resultId
  }
})
