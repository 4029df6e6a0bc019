/**
 * The words of a visitor stay one part of everything that a block sends, for every type and text of its
 * schema.
 */
import { expect, it } from "vitest"
import { testScene } from "../../../test/support/context.ts"
import {
  addressName,
  fullBlocks,
  templateMembers,
  textPlaces,
  withText,
} from "../../../test/support/fullBlocks.ts"
import { type Sent, shapeOf } from "../../../test/support/sentShapes.ts"
import { AppError } from "../../lib/errors.ts"
import type { Call, CallKind, Outcome } from "../calls.ts"
import type { BlockContext, InputPrompt } from "./block.ts"
import { type Block, blockTypes, typeOf } from "./registry.ts"

/** Texts of authors with a visitor's value in each possible place. */
const templates = [
  "{{Said}}",
  "Hello {{Said}}",
  "me@x.example, {{Said}}",
  "{{Said}} <me@x.example>",
  'say "{{Said}}"; role=user',
  "attachment; filename*=UTF-8''{{Said}}; size=3",
  "role={{Said}}&z=1",
  "role=user; name={{Said}}",
  '{"name":"{{Said}}","role":"user"}',
  "Basic {{Said}}:secret",
  '=HYPERLINK("https://x.example/{{Said}}", {{Said}})',
]

/** The same in an address. */
const addresses = [
  "https://x.example/base/{{Said}}/end",
  "https://x.example/base/a/end?q={{Said}}&z=1",
  "https://{{Said}}.x.example/base/a/end",
]

const queries = ["?role={{Said}}&z=1"]

/**
 * Texts that are not sent: compared, stored or ignored ones, titles of groups, and an amount, which is a
 * number.
 */
const unsent = [
  "Condition: items.content.comparisons.value",
  "Typebot link: options.groupId",
  "Bot link: options.groupId",
  "Jump: options.groupId",
  "payment input: options.amount",
  "Set variable: options.item",
  "Set variable: options.timeZone",
  "Google Sheets: options.filter.comparisons.value",
  "Google Sheets: options.referenceCell.value",
  "OpenAI: options.prompt",
  "OpenAI: options.advancedOptions.size",
  // A variable that keeps the thread takes precedence.
  "openai: options.threadId",
  "nocodb: options.responseMapping.fieldName",
  "blink: options.filter.userId",
  "blink: options.filter.employeeId",
]

/** Words that stay one part if escaped, and become several parts or move if not. */
const hostile = [
  'x";admin="1',
  "x&admin=1#top",
  "x, victim@y.example",
  "x\r\nBcc: victim@y.example",
  "../../admin?admin=1",
  'x","admin":"1',
  "root:x",
  "x; admin=1",
  '=IMPORTXML("https://evil.example")',
  "x),1~or(Id,gt,0",
  "[x](https://evil.example) <b>",
  "evil.example/x",
]

const names = Object.keys(blockTypes)

/** Ordinary words. */
const usual = "ann"

/** Outcomes that lead blocks to their next call. */
const outcomes: { [kind in Call["kind"]]?: object } = {
  http: { status: 200, text: JSON.stringify(answer()) },
  sheet: { status: 200, text: JSON.stringify(sheet()) },
  email: { messageId: "m", threadId: "t" },
  jwt: { token: "t" },
  paymentIntent: { intentId: "i", clientSecret: "s", publicKey: "p" },
}

function answer() {
  const columns = [{ title: "X-Key", uidt: "Links", id: "c" }]
  return {
    id: "1",
    Id: 1,
    columns,
    list: [{ Id: 1, plain: "plain" }],
    emailAddress: "me@x.example",
  }
}

function sheet() {
  const values = [["plain"], ["plain"]]
  return { valueRanges: [{ valueRange: { range: "T!A1", values } }] }
}

/** The calls and actions of a block, step by step, and whether it ends with a log of a refusal. */
function sent(block: Block, said: string): { steps: Sent[]; isExplained: boolean } {
  const scene = testScene({
    variables: { Said: said, Kept: "kept" },
    plain: ["Said"],
  })
  // Sending all values of the chat involves no template.
  scene.variables.list = () => []
  const steps: Sent[] = []
  let isExplained = false
  try {
    let step = begun(block, scene)
    while (steps.length < 4) {
      const { call, act, log } = step
      if (call || act) steps.push({ call, act })
      isExplained ||= (log ?? []).length > 0
      const outcome = call && outcomes[call.kind]
      if (!outcome) return { steps, isExplained }
      step = goneOn(block, call, outcome as Outcome, { ...scene, carry: call.carry })
    }
    return { steps, isExplained }
  } catch (error) {
    if (error instanceof AppError) return { steps, isExplained: true }
    throw error
  }
}

type Asked = Sent & { log?: readonly object[] | undefined }

function begun(block: Block, scene: BlockContext): Asked {
  const type = typeOf(block)
  if (type.kind === "bubble") return { act: [{ shown: type.show(block, scene) }] }
  if (type.kind === "action") {
    // A block that waits for another system continues with its answer.
    const ready = type.isCallable && type.resume?.inboundCall?.(block, { body: "{}" }, scene)
    return asked(ready || type.run(block, scene))
  }
  return prompted(type.ask(block, scene))
}

function prompted(prompt: InputPrompt<CallKind>): Asked {
  if ("call" in prompt) return { call: prompt.call }
  return "postponed" in prompt ? { log: prompt.log } : { act: [prompt] }
}

function goneOn(block: Block, call: Call, outcome: Outcome, scene: BlockContext): Asked {
  const type = typeOf(block)
  if (type.kind === "bubble") return {}
  if (type.kind === "input") return prompted(type.asked?.[call.kind]?.(block, outcome, scene) ?? {})
  return asked(type.resume?.[call.kind]?.(block, outcome, scene) ?? {})
}

function asked({ next, act, say, log }: ReturnType<NonNullable<BlockRun>>): Asked {
  const shown = [...(act ?? []), ...(say ?? [])]
  return {
    ...(typeof next === "object" && "call" in next && { call: next.call }),
    ...(shown.length > 0 && { act: shown }),
    log,
  }
}

type BlockRun = Extract<ReturnType<typeof typeOf>, { kind: "action" }>["run"]

type Path = readonly (string | number)[]
type Place = { block: Block; at: string; text: string; shapes: string[] }

/** The shapes of all steps. */
function outcomeOf(block: Block, said: string) {
  const { steps, isExplained } = sent(block, said)
  const shapes = steps.map((step) => JSON.stringify(shapeOf(step, said)))
  return { shapes: shapes.filter((shape) => !ordinary.test(shape)), isExplained }
}

/**
 * Steps that may come in addition: Gmail asks for the account's own address before a sender that is only a
 * name, and a mapping receives the reason why a request was not sent.
 */
const ordinary = /"gmail","v1","users","me","profile"|^\["return plain"\]$/

/** Every place of a type whose text is sent, with each applicable template. */
function* placesOf(name: string): Generator<Place> {
  const { schema } = typeOf({ id: "b", type: name })
  const known = new Set<string>()
  const isNew = (key: string) => !known.has(key) && known.add(key)
  for (const full of fullBlocks(name, schema)) {
    if (!isNew(String(outcomeOf(full as Block, usual).shapes))) continue
    const blockWith = (path: Path, text: string) =>
      schema.safeParse(withText(full, path, text)).data as Block | undefined
    const plain = sent(full as Block, usual)
    for (const path of textPlaces(full)) {
      const other = blockWith(path, "https://x.example/other")
      if (other && !differs(sent(other, usual), plain)) continue
      const at = path.filter((step) => typeof step === "string").join(".")
      for (const text of templatesFor(String(path.at(-1)))) {
        const block = blockWith(path, text)
        if (!block || !differs(sent(block, usual), sent(block, "bob"))) continue
        const { shapes } = outcomeOf(block, usual)
        if (isNew(`${at} ${text} ${shapes}`)) yield { block, at, text, shapes }
      }
    }
  }
}

const differs = (one: object, other: object) => JSON.stringify(one) !== JSON.stringify(other)

function templatesFor(member: string): readonly string[] {
  if (member === "queryParamsStr") return queries
  return addressName.test(member) ? addresses : templates
}

/** The members of each type in which a template was tried. */
const reached = new Map(names.map((name) => [name, new Set<string>()]))

it.each(names)("20.1 the words of a visitor stay one part of the output of %s", (name) => {
  for (const { block, at, text, shapes } of placesOf(name)) {
    reached.get(name)?.add(at)
    for (const said of hostile) {
      const { shapes: others, isExplained } = outcomeOf(block, said)
      if (String(others) === String(shapes)) continue
      // Not sent, with a log.
      const tried = { at, text, said }
      const unknown = others.filter((shape) => !shapes.includes(shape))
      expect({ ...tried, isExplained, unknown }).toEqual({
        ...tried,
        isExplained: true,
        unknown: [],
      })
    }
  }
})

it("every sent text is tried with a template", () => {
  const missing = names.flatMap((name) => {
    const members = templateMembers(typeOf({ id: "b", type: name }).schema)
    return members.filter((at) => !reached.get(name)?.has(at)).map((at) => `${name}: ${at}`)
  })
  expect(missing).toEqual(unsent)
})
