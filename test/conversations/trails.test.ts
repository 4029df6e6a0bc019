/** The trail of a traced turn: blocks, edges and answers. */
import { describe, expect, test } from "vitest"
import { describeTrail, type TrailCall } from "../../src/engine/recorded/describeTrail.ts"
import { createSession } from "../../src/engine/session.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"
import { reply, resume, start } from "../../src/engine/turn/turn.ts"
import { ask, block, bot, group, link, say, when } from "../support/bots.ts"
import { deepFreeze } from "../support/freeze.ts"
import { stageOf, type TalkParts } from "../support/talkStage.ts"

/** A traced preview, whose stopwatch advances by one at each read. */
function traced(flow: ReturnType<typeof bot>, parts: TalkParts = {}) {
  let now = 0
  const stage: EngineDeps = { ...stageOf(flow, parts), stopwatch: () => ++now }
  const root = stage.bots.get("root")
  if (!root) throw new Error("no bot")
  const opened = createSession({ bot: root, isPreview: true, isStreamEnabled: false })
  let turn = start(stage, deepFreeze(opened))
  const calls: TrailCall[] = []
  const finish = () => {
    calls.length = 0
    while (turn.call) {
      const { kind } = turn.call
      if (kind !== "bot") {
        calls.push({ place: (turn.trail?.length ?? 0) - 1, call: ["", kind, 200, 5] })
      }
      const answer = parts.answers?.[kind] as ((call: object) => object) | undefined
      const outcome = answer?.(turn.call) ?? { status: 200, text: "{}" }
      turn = resume(stage, deepFreeze(turn), outcome as Parameters<typeof resume>[2])
    }
  }
  finish()
  return {
    say: (text: string) => {
      turn = reply(stage, deepFreeze(turn.session), { type: "text", text })
      finish()
    },
    told: (showsSession = true) =>
      describeTrail(turn as Turn, { bots: stage.bots, showsSession, calls, endedAt: ++now }),
  }
}

const wayOf = ({ blocks }: ReturnType<typeof describeTrail>) =>
  blocks.map(({ blockId, edgeId }) => (edgeId === undefined ? blockId : `${blockId} ${edgeId}`))

describe("12.6 a trace", () => {
  test("begins with the block that took the message, and names the edges that were taken", () => {
    const preview = traced(
      bot(
        group("A", say("Hi"), ask.choice([{ content: "Yes", to: "B" }, "No"], { saves: "Said" })),
        group("B", say("Good"), when([["Said", "Equal to", "Yes"]], { to: "C" })),
        group("C", ask.text()),
      ),
    )
    expect(wayOf(preview.told())).toEqual(["b1", "b2"])
    preview.say("Yes")
    expect(wayOf(preview.told())).toEqual(["b2 e1", "b3", "b4 e2", "b5"])
    expect(preview.told().blocks.map(({ groupId }) => groupId)).toEqual(["gA", "gB", "gB", "gC"])
    expect(preview.told().answers).toEqual([{ blockId: "b2", content: "Yes" }])
    expect(preview.told().turn).toBe(2)
  })

  test("of a rejected reply has the input alone, and no answer", () => {
    const preview = traced(bot(group("A", ask.email(), say("Thanks"))))
    preview.say("nobody")
    expect(wayOf(preview.told())).toEqual(["b1"])
    expect(preview.told().answers).toEqual([])
    preview.say("ann@example.com")
    expect(wayOf(preview.told())).toEqual(["b1", "b2"])
  })

  test("has every round of a loop", () => {
    const again = when([["Said", "Equal to", "go on"]], { to: "B" })
    const loop = group("B", say("Round"), ask.text({ saves: "Said" }), again)
    const preview = traced(bot(group("A", ask.text({ saves: "Said", to: "B" })), loop))
    preview.say("go on")
    expect(wayOf(preview.told())).toEqual(["b1 e1", "b2", "b3"])
    preview.say("go on")
    expect(wayOf(preview.told())).toEqual(["b3", "b4 e2", "b2", "b3"])
  })

  test("counts the time of a call to the block that made it", () => {
    const http = block("Webhook", { webhook: { url: "http://a.example" } }, { id: "call" })
    const preview = traced(bot(group("A", say("Hi"), http, say("Done"), ask.text())))
    const { blocks } = preview.told()
    expect(blocks.map(({ blockId, calls }) => [blockId, calls])).toEqual([
      ["b1", undefined],
      ["call", [{ kind: "http", status: "done", httpStatus: 200, ms: 5 }]],
      ["b2", undefined],
      ["b3", undefined],
    ])
    expect(blocks.every(({ ms }) => ms > 0)).toBe(true)
  })

  test("lists the variables with a value, those of the session only for editors", () => {
    const preview = traced(
      bot(
        { sessionVariables: ["Secret"], variables: { Kept: "a", Secret: "s", Empty: null } },
        group("A", ask.text({ saves: "Name" }), ask.text()),
      ),
    )
    preview.say("Ann")
    const said = { id: "vName", name: "Name", value: "Ann", isSessionVariable: false }
    const kept = { id: "vKept", name: "Kept", value: "a", isSessionVariable: false }
    const secret = { id: "vSecret", name: "Secret", isSessionVariable: true }
    expect(preview.told().variables).toHaveLength(3)
    expect(preview.told().variables).toEqual(
      expect.arrayContaining([said, kept, { ...secret, value: "s" }]),
    )
    expect(preview.told(false).variables).toEqual(expect.arrayContaining([said, kept, secret]))
  })

  test("names the linked bot to which a block belongs", () => {
    const child = bot(group("C", say("In"), ask.text({ saves: "Inner" })))
    const preview = traced(bot(group("P", link("child"), say("Out"))), {
      linked: { child },
      answers: { bot: () => ({ version: "version of child" }) as never },
    })
    expect(preview.told().blocks.map(({ blockId, botId }) => [blockId, botId])).toEqual([
      ["b1", undefined],
      ["b1", "child"],
      ["b2", "child"],
    ])
  })

  test("lists a thousand blocks at most", () => {
    const many = Array.from({ length: 1_200 }, () => say("x"))
    const { blocks, isCut } = traced(bot(group("A", ...many, ask.text()))).told()
    expect([blocks.length, isCut]).toEqual([1_000, true])
  })

  test("is absent in untraced turns", () => {
    const stage = stageOf(bot(group("A", say("Hi"), ask.text())), {})
    const root = stage.bots.get("root")
    if (!root) throw new Error("no bot")
    const session = createSession({ bot: root, isPreview: true, isStreamEnabled: false })
    expect(start(stage, session).trail).toBeUndefined()
  })
})
