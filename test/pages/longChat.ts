/** Talks to a bot for hundreds of messages in a browser, and measures what its page holds and does. */
import type { CDPSession, Page } from "playwright-core"
import { ask, bot, group, say } from "../support/bots.ts"
import { hasLines } from "./inPage.mjs"

/** Messages of a round: the answer of the person and those of the bot. */
const inRound = 4

/** A bot that asks for ever. */
export const endless = bot(
  {
    settings: {
      typingEmulation: { enabled: false },
      general: { rememberUser: { isEnabled: true } },
    },
  },
  group(
    "Round",
    say("A sentence of the usual length, such as bots say, about {{Word}}."),
    say("And another one, which is a little shorter."),
    say("What do you say?"),
    ask.text({ saves: "Word", to: "Round" }),
  ),
)

export type LongChat = {
  messages: number
  /** Bytes of the heap once all garbage is collected. */
  heap: number
  /** Milliseconds of work on the main thread for each answer and what follows, by its place in the chat. */
  busyMs: number[]
}

/** Answers on the open page of the bot until there are so many messages. */
export async function talkFor(page: Page, messages: number): Promise<LongChat> {
  const session = await page.context().newCDPSession(page)
  // Of the thread itself, regardless of other load.
  await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" })
  await session.send("Performance.enable")
  const field = page.locator("form.ask .field")
  const busyMs: number[] = []
  for (let round = 1; round * inRound <= messages; round++) {
    const before = await busySeconds(session)
    await field.fill(`Word ${round}`)
    await page.keyboard.press("Enter")
    await page.waitForFunction(hasLines, (round + 1) * inRound - 1, { polling: 25 })
    await field.waitFor()
    busyMs.push(((await busySeconds(session)) - before) * 1000)
  }
  await session.send("HeapProfiler.enable")
  await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = await session.send("Runtime.getHeapUsage")
  const shown = await page.locator(".line .bubble:not(.typing)").count()
  return { messages: shown, heap: usedSize, busyMs }
}

async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics")
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0
}
