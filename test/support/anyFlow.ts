/** Random flows that are valid, and the conversations of someone who says anything to them. */
import fc from "fast-check"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { type Bot, type Flow, flowSchema, prepareBot } from "../../src/engine/bot.ts"
import { blockUnits } from "../../src/engine/budget/fuel.ts"
import type { Call, Outcome } from "../../src/engine/calls.ts"
import type { Message } from "../../src/engine/schema/message.ts"
import { createSession, type Session, type SessionOptions } from "../../src/engine/session.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"
import { fallSilent, steer } from "../../src/engine/turn/steer.ts"
import { reply, resume, start } from "../../src/engine/turn/turn.ts"
import { AppError } from "../../src/lib/errors.ts"
import { deepFreeze } from "./freeze.ts"
import { hostileBlock, hostileText, hostileValues } from "./hostile.ts"
import { outcomes } from "./outcomes.ts"
import { testWorld } from "./outside.ts"

const edgeIds = ["e0", "e1", "e2", "e3", "e4"]
const groupIds = ["g0", "g1", "g2", "g3"]
const blockIds = Array.from({ length: 16 }, (_, index) => `b${index}`)
const known = {
  edges: [...edgeIds, "gone"],
  groups: [...groupIds, "gone"],
  blocks: [...blockIds, "gone"],
  bots: ["kid", "current", "gone"],
}

const types = Object.entries(blockTypes).map(([type, { schema }]) =>
  hostileBlock(schema, known).map((block) => ({ ...block, type })),
)
// Inputs make chats last, so every other block is one.
const inputs = Object.entries(blockTypes).flatMap(([type, { kind }], index) =>
  kind === "input" && type !== "payment input" ? [types[index] ?? fc.constant({ type })] : [],
)
const anyBlock = fc.oneof(
  { weight: 2, arbitrary: fc.oneof(...inputs) },
  { weight: 3, arbitrary: fc.oneof(...types) },
)
const anyGroups = fc.array(fc.array(anyBlock, { maxLength: 4 }), { minLength: 1, maxLength: 4 })

/** The threshold of every idle event. */
const silenceSeconds = 60

const anyTarget = fc.record(
  { groupId: fc.constantFrom(...known.groups), blockId: fc.constantFrom(...known.blocks) },
  { requiredKeys: ["groupId"], noNullPrototype: true },
)
const anyEvent = fc.record(
  {
    type: fc.constantFrom("command", "reply", "invalidReply", "idle"),
    outgoingEdgeId: fc.constantFrom(...edgeIds),
    options: fc.record({
      command: fc.constant("help"),
      resumeAfter: fc.boolean(),
      contentVariableId: fc.constant("vPlain"),
      afterSeconds: fc.constant(silenceSeconds),
    }),
  },
  { requiredKeys: ["type"], noNullPrototype: true },
)

const variables = Object.entries(hostileValues).map(([name, value]) => ({
  id: `v${name}`,
  name,
  ...(value === undefined ? {} : { value }),
}))
const graphCoordinates = { x: 0, y: 0 }

/** A flow as it is stored, of an old or of the latest version. */
export const anyFlow: fc.Arbitrary<Flow> = fc
  .record({
    version: fc.constantFrom("5", "6.1"),
    groups: anyGroups,
    targets: fc.tuple(...edgeIds.map(() => anyTarget)),
    events: fc.array(anyEvent, { maxLength: 2 }),
  })
  .map(({ version, groups, targets, events }) => {
    const start = { id: "start", type: "start", outgoingEdgeId: "e0" }
    const all = version === "5" ? [[start, ...(groups[0] ?? [])], ...groups.slice(1)] : groups
    let blocks = 0
    return flowSchema.parse({
      version,
      events:
        version === "5"
          ? null
          : [start, ...events].map((event, index) => ({
              ...event,
              id: `v${index}`,
              graphCoordinates,
            })),
      groups: all.map((group, index) => ({
        id: `g${index}`,
        title: index === 1 ? "Ann" : `Group ${index}`,
        graphCoordinates,
        blocks: group.map((block) => ({ ...block, id: `b${blocks++}` })),
      })),
      edges: targets.map((to, index) => ({
        id: `e${index}`,
        from: { blockId: "b0" },
        // Most flows get somewhere.
        to: index === 0 ? { groupId: "g0" } : to,
      })),
      variables,
      theme: {
        general: { progressBar: { isEnabled: true } },
        chat: { hostAvatar: { url: "{{Plain}}" } },
      },
      settings: { general: { systemMessages: { invalidMessage: "No {{={{Plain}}=}}" } } },
    })
  })

const labels = [
  "i1",
  "choice0",
  "1",
  "1, 2",
  "2026-01-01",
  "a@b.co",
  "+33601020304",
  "10:30",
  "https://e.com/a.png",
]

/** Anything that a client may send. */
export const anyMessage: fc.Arbitrary<Message | undefined> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(...labels).map((text): Message => ({ type: "text", text })),
  },
  { weight: 4, arbitrary: hostileText.map((text): Message => ({ type: "text", text })) },
  { weight: 1, arbitrary: fc.constant<Message>({ type: "audio", url: "https://e.com/a.mp3" }) },
  { weight: 1, arbitrary: fc.constant<Message>({ type: "command", command: "help" }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

/** The number of calls after which a turn counts as endless. */
const maxCalls = 1_000

/** What may happen to a chat between two messages: seconds of silence, or a jump to a group. */
export type FromOutside = number | { groupId: string; blockId?: string }

export const anyFromOutside: fc.Arbitrary<FromOutside> = fc.oneof(
  fc.constant(silenceSeconds),
  fc.record(
    { groupId: fc.constantFrom(...groupIds), blockId: fc.constantFrom(...blockIds) },
    { requiredKeys: ["groupId"], noNullPrototype: true },
  ),
)

type Talk = {
  kid: Flow
  messages: (Message | undefined)[]
  /** What happens after the messages with these indexes. Absent: nothing. */
  fromOutside?: (FromOutside | undefined)[]
  isPreview: boolean
  luck: number
  /** Absent: "root". */
  version?: string
  /** What else the chat begins with. */
  opening?: Partial<SessionOptions>
  /** Shared with an earlier chat, so that no id is used twice. Absent: one of its own. */
  world?: EngineDeps["world"]
}

/**
 * A chat between a flow and someone; each step is the turn, or the refusal of the call. What passes
 * from call to call goes through `keep`: JSON and back, or untouched.
 */
export function converse(
  flow: Flow,
  how: Talk,
  keep: (turn: Turn) => Turn = survive,
): (Turn | AppError)[] {
  const { version = "root", world = testWorld() } = how
  const root = prepareBot(flow, version, "rootBot")
  const kid = prepareBot(how.kid, "version of kid", "kid")
  const bots = new Map<string, Bot>([
    [version, root],
    ["version of kid", kid],
  ])
  const stage: EngineDeps = { world, bots, limits: { fuel: 100 * blockUnits } }
  const { isPreview } = how
  let calls = how.luck
  const settle = (first: Turn): Turn => {
    let turn = keep(first)
    for (let call = 0; turn.call; call++) {
      if (call > maxCalls) throw new Error("The turn never ends")
      turn = keep(resume(stage, turn, deepFreeze(outcomeOf(turn.call, calls++))))
    }
    return turn
  }
  let session: Session = deepFreeze(
    createSession({
      bot: root,
      isPreview,
      isStreamEnabled: how.luck % 2 === 0,
      isProgressShown: true,
      ...(isPreview ? {} : { resultId: "r" }),
      ...how.opening,
    }),
  )
  const steps: (Turn | AppError)[] = []
  const take = (begin: () => Turn) => {
    try {
      const step = settle(begin())
      steps.push(step)
      session = step.session
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      steps.push(error)
    }
  }
  for (const [index, message] of [undefined, ...how.messages].entries()) {
    take(() => (index === 0 ? start(stage, session) : reply(stage, session, message)))
    const event = how.fromOutside?.[index]
    // A chat that is over is left alone.
    if (event === undefined || session.at === undefined) continue
    take(() =>
      typeof event === "number"
        ? fallSilent(stage, session, event)
        : steer(stage, session, { continueAt: event }),
    )
  }
  return steps
}

/** Answers a call in one of its ways, chosen by how many were answered before. */
function outcomeOf(call: Call, nth: number): Outcome {
  if (call.kind === "bot") {
    return call.botId === "kid"
      ? { version: "version of kid" }
      : { failed: true, description: "none" }
  }
  const ways = outcomes(call)
  const way = ways[nth % ways.length]
  if (!way) throw new Error(`No answer for ${call.kind}`)
  return way
}

/** A turn read back from its own JSON and frozen; it throws when something was lost. */
function survive(turn: Turn): Turn {
  const text = JSON.stringify(turn)
  const copy: Turn = JSON.parse(text)
  if (JSON.stringify(copy) !== text) throw new Error("The turn is no plain JSON")
  return deepFreeze(copy)
}
