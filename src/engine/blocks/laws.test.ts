/** Laws that every block type must obey. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { testScene } from "../../../test/support/context.ts"
import { deepFreeze } from "../../../test/support/freeze.ts"
import {
  hostileBlock,
  hostileText,
  hostileValues,
  jsonSchemaOf,
  resolved,
} from "../../../test/support/hostile.ts"
import { outcomes } from "../../../test/support/outcomes.ts"
import { AppError } from "../../lib/errors.ts"
import type { Call } from "../calls.ts"
import type { Message } from "../schema/message.ts"
import type { BlockContext, Mentions } from "./block.ts"
import { type Block, type BlockType, blockTypes, type TypeOfKind, typeOf } from "./registry.ts"
import { unknownBlock } from "./unknown/block.ts"

const types: [name: string, type: BlockType][] = [
  ...Object.keys(blockTypes).map((name): [string, BlockType] => [
    name,
    typeOf({ id: "b", type: name }),
  ]),
  ["no such type", typeOf({ id: "b", type: "no such type" })],
]

/** Types that may refuse a call: misconfigured payments, invalid zones. */
const refusing = new Set(["payment input", "Set variable", "Webhook"])

const known = {
  edges: ["e1", "gone"],
  groups: ["g1", "gone"],
  blocks: ["b1", "gone"],
  bots: ["kid"],
}

describe.each(types)("16.1 %s", (name, type) => {
  const minimal = { id: "b", type: name }

  it("is registered under its schema's name", () => {
    expect(type.schema.parse(minimal)).toEqual(minimal)
    if (name in blockTypes)
      expect(type.schema.safeParse({ id: "b", type: "x" }).success).toBe(false)
  })

  it("runs with only an id and a type, and with empty parts", () => {
    for (const parts of [{}, { options: {} }, { content: {} }, { items: [] }]) {
      exercise(name, type, read(type, { ...minimal, ...parts }))
    }
  })

  it("strips unknown members", () => {
    const stray = { ...minimal, stray: 1 }
    expect(type.schema.parse(stray)).toEqual(type === asType(unknownBlock) ? stray : minimal)
    const within = { ...minimal, options: { stray: 1 }, content: { stray: 1 } }
    const read = JSON.stringify(type.schema.parse(within))
    expect(read.includes("stray")).toBe(type === asType(unknownBlock))
  })

  it("describes each of its members", () => {
    expect(undescribed(jsonSchemaOf(type.schema))).toEqual([])
  })

  it("never throws, mutates no argument, and gives the same JSON twice", () => {
    const drawn = hostileBlock(type.schema, known).map((block) => ({
      ...block,
      id: "b",
      type: name,
    }))
    fc.assert(
      fc.property(drawn, fc.array(hostileText, { maxLength: 3 }), (block, replies) => {
        exercise(name, type, read(type, block), replies)
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(
  types.filter(([, type]) => type.kind === "input"),
)("the samples of %s", (name, type) => {
  if (type.kind !== "input") throw new Error("no input")
  const wanted = [
    "Ann",
    "17",
    "-2.5",
    "@acme.com",
    "10:45",
    "+14155552671",
    "https://a.example/b",
    "x",
  ]

  /** The displayed block and its judgement of replies; undefined: it cannot be asked. */
  function asking(block: Block) {
    const question = type as TypeOfKind<"input">
    let asked = question.ask(block, testScene(sampleScene))
    if ("call" in asked) {
      const [outcome] = outcomes(asked.call)
      const next =
        outcome && question.asked?.[asked.call.kind]?.(block, outcome, testScene(sampleScene))
      if (!next) return undefined
      asked = next
    }
    if ("refusal" in asked || "postponed" in asked || "call" in asked) return undefined
    if (asked.items?.length === 0) return undefined
    const { runtimeOptions } = asked
    const judge = (message: Message | undefined) =>
      question.reply(block, message, { ...testScene(sampleScene), runtimeOptions })
    return { asked: { ...block, ...asked } as Block, judge }
  }

  const drawn = hostileBlock(type.schema, known).map((block) =>
    read(type, { ...block, id: "b", type: name }),
  )
  const usual = read(type, { ...type.catalogue.defaults, id: "b", type: name })
  const any = fc.oneof(
    { weight: 1, arbitrary: fc.constant(usual) },
    { weight: 9, arbitrary: drawn },
  )

  it("are accepted or refused by its reply as declared", () => {
    fc.assert(
      fc.property(any, (block) => {
        const question = asking(block)
        if (!question) return
        const { fitting, refused } = type.samples(question.asked, wanted)
        for (const message of fitting) {
          const verdict = question.judge(message)
          const isTaken = typeof verdict === "object" && ("accept" in verdict || "call" in verdict)
          expect(isTaken, JSON.stringify(message)).toBe(true)
        }
        for (const message of refused)
          expect(question.judge(message), JSON.stringify(message)).toBe("retry")
      }),
      { numRuns: 300 },
    )
  })

  it("include one that fits the usual block, and a refused one unless it takes everything", () => {
    const block = name === "payment input" ? payable(type) : usual
    const question = asking(block)
    if (!question) throw new Error("It cannot be asked")
    const { fitting, refused } = type.samples(question.asked, wanted)
    expect(fitting.length).toBeGreaterThan(0)
    if (refused.length > 0) return
    fc.assert(
      fc.property(hostileText, (text) => question.judge({ type: "text", text }) !== "retry"),
    )
  })

  it("choose every offer", () => {
    fc.assert(
      fc.property(any, (block) => {
        const question = asking(block)
        for (const { id, label, reply } of (question && type.offers?.(question.asked)) ?? []) {
          const verdict = question?.judge({ type: "text", text: reply, metadata: { replyId: id } })
          expect(verdict, label).toMatchObject({ accept: expect.any(String) })
        }
      }),
      { numRuns: 100 },
    )
  })
})

const sampleScene = { variables: { ...hostileValues } }

function payable(type: BlockType): Block {
  const options = { credentialsId: "c", amount: "10" }
  return read(type, { id: "b", type: "payment input", options })
}

const asType = (type: unknown) => type as BlockType

function read(type: BlockType, block: object): Block {
  return deepFreeze(type.schema.parse(block) as Block)
}

/** Exercises every use of a block by chats, editors and importers. */
function exercise(name: string, type: BlockType, block: Block, replies: string[] = ["x"]): void {
  const twice = <T>(act: (context: BlockContext) => T) => same(name, () => act(hostileScene()))
  const messages: (Message | undefined)[] = [
    undefined,
    { type: "audio", url: "https://example.com/a.mp3" },
    ...replies.map((text) => ({ type: "text" as const, text, attachedFileUrls: [text] })),
  ]
  if (type.kind === "bubble") {
    twice((context) => type.show(block, context))
    twice(() => ({ waits: type.waits?.(block), speaks: type.speaks?.(block) }))
  } else if (type.kind === "input") {
    follow(
      name,
      twice((context) => type.ask(block, context)),
      (call, outcome, context) => type.asked?.[call.kind]?.(block, outcome, context),
    )
    for (const message of messages) {
      follow(
        name,
        twice((context) => type.reply(block, message, context)),
        (call, outcome, context) => type.replied?.[call.kind]?.(block, outcome, context),
      )
    }
  } else {
    follow(
      name,
      twice((context) => type.run(block, context)),
      (call, outcome, context) => type.resume?.[call.kind]?.(block, outcome, context),
    )
    twice((context) => ({ wants: type.wantsHistory?.(block), call: type.stream?.(block, context) }))
  }
  for (const text of replies) {
    follow(
      name,
      twice((context) => type.receive?.(block, text, context)),
      (call, outcome, context) =>
        type.kind === "action" ? type.resume?.[call.kind]?.(block, outcome, context) : undefined,
    )
  }
  twice(() => type.edges?.(block)?.filter((edge) => edge !== undefined))
  twice(() => ({ mentions: namesOf(type.mentions?.(block)), props: type.startProps?.(block) }))
  twice(() => ({ unsafe: type.flagUnsafe?.(block), hides: type.hides?.(block) }))
  twice((context) => ({
    from3: type.upgrade?.from3?.(block),
    from5: type.upgrade?.from5?.(block, context.world.newId),
  }))
}

const namesOf = (mentions: Mentions = {}) =>
  Object.values(mentions).map((texts) => texts.filter((text) => text !== undefined))

type Go = (
  call: Call,
  outcome: ReturnType<typeof outcomes>[number],
  context: BlockContext,
) => unknown

/** Answers every call of a result in every way, and the calls after it. */
function follow(name: string, result: unknown, go: Go, depth = 0): void {
  const call = callIn(result)
  if (!call || depth > 3) return
  for (const outcome of outcomes(call)) {
    const frozen = deepFreeze(outcome)
    const context = () => ({ ...hostileScene(), carry: "carry" in call ? call.carry : undefined })
    follow(
      name,
      same(name, () => go(call, frozen, context())),
      go,
      depth + 1,
    )
  }
}

function callIn(result: unknown): Call | undefined {
  if (typeof result !== "object" || result === null) return undefined
  const { call, next } = result as { call?: Call; next?: { call?: Call } }
  return call ?? next?.call
}

/** The result of something done twice, which must be the same plain JSON. */
function same<T>(name: string, act: () => T): T | undefined {
  try {
    const [first, second] = [act(), act()]
    expect(second).toEqual(first)
    expect(asJson(first)).toEqual(first)
    return deepFreeze(first)
  } catch (error) {
    if (error instanceof AppError && refusing.has(name)) return undefined
    throw error
  }
}

const asJson = (value: unknown) =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

function hostileScene(): BlockContext {
  const context = testScene({
    variables: { ...hostileValues },
    answers: [["k", "v"]],
  })
  const inline = (source: string) => (source.includes("List") ? { value: ["x", 1] } : undefined)
  for (const variable of context.variables.list()) deepFreeze(variable)
  return { ...context, inline, runtimeOptions: { paymentIntentId: "pi_1" } }
}

/** Members without a description, by their path. */
function undescribed(root: ReturnType<typeof jsonSchemaOf>): string[] {
  const found: string[] = []
  const seen = new Set<object>()
  const visit = (schema: typeof root, path: string) => {
    const own = resolved(schema, root)
    if (seen.has(own)) return
    seen.add(own)
    for (const [name, member] of Object.entries(own.properties ?? {})) {
      const { description } = { ...resolved(member, root), ...member }
      if (!description && !resolved(member, root).description) found.push(`${path}.${name}`)
      visit(member, `${path}.${name}`)
    }
    for (const part of [own.items, ...(own.anyOf ?? []), ...(own.oneOf ?? [])]) {
      if (part) visit(part, path)
    }
  }
  visit(root, "")
  return found
}
