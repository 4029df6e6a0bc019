/** An exact transcript has what the person saw, line by line. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { ask, bot, group, say } from "../../../test/support/bots.ts"
import { hostileText } from "../../../test/support/hostile.ts"
import { offersOf, samplesOf } from "../blocks/registry.ts"
import { prepareBot } from "../bot.ts"
import { liveLimits } from "../budget/fuel.ts"
import { toMarkdown } from "../richText/toMarkdown.ts"
import type { Message } from "../schema/message.ts"
import { createSession } from "../session.ts"
import { textOfMessage } from "../shown.ts"
import type { EngineDeps, Turn } from "../turn/run.ts"
import { reply, start } from "../turn/turn.ts"
import { rebuildConversation } from "./rebuildConversation.ts"
import { onlyRefuses, type TurnRows, turnsOf } from "./recordedTurn.ts"

const questions = [
  ask.text({ saves: "A", attachments: { isEnabled: true } }),
  ask.number({ saves: "A", min: 1, max: 5 }),
  ask.email({ saves: "A", retryMessageContent: "Not *so*, {{A}}" }),
  ask.date({ saves: "A" }),
  ask.time({ saves: "A" }),
  ask.file({ saves: "A" }),
  ask.file({ saves: "A", isMultipleAllowed: true }),
  ask.rating({ saves: "A" }),
  ask.phone({ saves: "A" }),
  ask.choice(
    [
      { content: "Yes", value: "1" },
      { content: "No", value: "0" },
    ],
    { saves: "A" },
  ),
  ask.choice([{ content: "Red", value: "r" }, "Blue, dark"], {
    saves: "A",
    isMultipleChoice: true,
  }),
  ask.cards({
    saves: "A",
    items: [{ id: "c1", title: "Car", paths: [{ id: "p1", text: "Take" }] }],
  }),
]

const flows = fc
  .tuple(fc.array(fc.constantFrom(...questions), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([asked, isHidden]) =>
    bot(
      { sessionVariables: isHidden ? ["A"] : [] },
      group("Main", ...asked.flatMap((each) => [say("So, {{A}}?"), each]), say("Thanks {{A}}")),
    ),
  )

/** Actions of a person at a question: click, type a valid or invalid text, send a file. */
const doings = fc.record({
  way: fc.nat(),
  kind: fc.constantFrom("fits", "refused", "click", "odd", "files"),
  odd: hostileText,
})

it("equals what the person saw, for all questions and replies", () => {
  let exact = 0
  fc.assert(
    fc.property(flows, fc.array(doings, { maxLength: 8 }), (flow, moves) => {
      const prepared = prepareBot(flow, "v", "bot")
      const deps: EngineDeps = {
        world: {
          now: () => 1_767_600_000_000,
          random: () => 0.5,
          newId: () => "id",
          newResultId: () => "other",
        },
        bots: new Map([["v", prepared]]),
        limits: liveLimits,
      }
      const seen: string[] = []
      const rows: TurnRows & {
        steps: TurnRows["steps"][number][]
        answers: TurnRows["answers"][number][]
      } = { answers: [], steps: [] }
      let at = 0
      const take = (turn: Turn): Turn => {
        const createdAt = new Date(++at)
        for (const { answers, shown, changes, marks, edges } of turn.results) {
          const parts = shown?.parts ?? null
          rows.steps.push({
            createdAt,
            shown: answers.length > 0 ? null : parts,
            setVariables: changes,
            edgeIds: [...edges, ...marks],
          })
          for (const [index, { blockId, content, attachedFileUrls = null }] of answers.entries()) {
            rows.answers.push({
              createdAt,
              blockId,
              content,
              attachedFileUrls,
              shown: index === 0 ? parts : null,
            })
          }
        }
        for (const { content } of turn.messages) {
          seen.push(`bot: ${"richText" in content ? toMarkdown(content.richText) : ""}`)
        }
        return turn
      }
      const flags = { isPreview: false, isStreamEnabled: false, resultId: "result" }
      let turn = take(start(deps, createSession({ bot: prepared, ...flags }), {}))
      for (const { way, kind, odd } of moves) {
        const { input } = turn
        if (!input) break
        const offers = offersOf(input) ?? []
        const { fitting, refused } = samplesOf(input, [])
        const pickOne = <T>(list: readonly T[]): T | undefined =>
          list[way % Math.max(1, list.length)]
        const offer = pickOne(offers)
        const isMultiple =
          "options" in input && input.options !== undefined && "isMultipleChoice" in input.options
        let message: Message = { type: "text", text: odd }
        let words = odd
        if (kind === "click" && offer && !isMultiple) {
          message = {
            type: "text",
            text: offer.value || offer.reply,
            metadata: { replyId: offer.id },
          }
          words = offer.label
        } else if (kind === "fits" || kind === "refused") {
          const sample = pickOne(kind === "fits" ? fitting : refused)
          if (!sample || offers.length > 0) continue
          message = sample
          words = textOfMessage(sample)
        } else if (kind === "files") {
          const text = "https://files.example/a.pdf, https://files.example/b.pdf"
          message = { type: "text", text }
          words = text
        } else if (offers.length > 0) continue
        if (words !== "") seen.push(`person: ${words}`)
        turn = take(reply(deps, turn.session, message))
      }
      const turns = turnsOf(rows, {
        begun: { versionId: "v", createdAt: new Date(1) },
        hasRefused: true,
      })
      const { lines, isOld, isPartial } = rebuildConversation(turns, [], deps.bots)
      if (isOld || isPartial) return
      exact += 1
      expect(lines.map(({ from, text }) => `${from}: ${text}`)).toEqual(seen)
      // Readers of the chat's path see no turn without progress.
      const others = turnsOf(rows, { begun: { versionId: "v", createdAt: new Date(1) } })
      expect(others.some(onlyRefuses)).toBe(false)
    }),
    { numRuns: 300 },
  )
  expect(exact).toBeGreaterThan(100)
})
