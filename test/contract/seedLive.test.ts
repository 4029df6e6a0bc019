/** Holds live requests and answers to the table of the ten endpoints, by a walk through all of them. */
import { describe, expect, test } from "vitest"
import { seedScenario } from "./seedScenario.ts"
import { endpoints, type Field, nameOf } from "./seedTable.ts"

const records = await seedScenario()

const runtimeSettings = {
  "bot.settings.whatsApp": "a channel of its own: not for web clients",
  "bot.settings.publicShare": "concerns editors",
  "bot.settings.security": "enforced by the service, told to nobody",
  "bot.settings.metadata.customHeadCode": "travels as the action startPropsToInject",
  "bot.settings.metadata.googleTagManagerId": "travels as the action startPropsToInject",
}

const everyStep = {
  "input.runtimeOptions": "only with payment inputs, which need a payment provider",
  "clientSideActions[].scriptToExecute.isCode": "only inside setVariable: tested below",
}

const newBot = {
  "bot.publicId": "given later",
  "bot.customDomain": "given later",
  "bot.whatsAppCredentialsId": "given later",
  "bot.riskLevel": "set by the operator",
  "bot.settings.publicShare": "starts switched off: absent",
}

/** Fields, and those below them, that the scenario cannot see, and why. */
const unseen: Record<string, Record<string, string>> = {
  createWorkspace: {
    "workspace.stripeId": "null in a new workspace",
    "workspace.settings": "null in a new workspace",
    "workspace.isVerified": "null in a new workspace",
    "workspace.chatsHardLimit": "null in a new workspace",
    "workspace.lastActivityAt": "null in a new workspace",
    "workspace.inactiveFirstEmailSentAt": "null in a new workspace",
    "workspace.inactiveSecondEmailSentAt": "null in a new workspace",
  },
  importBot: newBot,
  startChat: {
    ...runtimeSettings,
    ...everyStep,
    lastMessageNewFormat: "a start normalises in silence",
    "clientSideActions[].expectsDedicatedReply": "this start asks the user",
  },
  continueChat: everyStep,
  startPreviewChat: {
    ...runtimeSettings,
    ...everyStep,
    lastMessageNewFormat: "a start normalises in silence",
    "bot.publishedAt": "a preview was never published",
  },
}

test("every endpoint was called", () => {
  expect(Object.keys(records).sort()).toEqual(endpoints.map(({ name }) => name).sort())
})

describe.each(endpoints)("$method $path", (endpoint) => {
  const calls = records[endpoint.name] ?? []
  const excused = Object.keys(unseen[endpoint.name] ?? {})
  const isExcused = (field: Field) =>
    excused.some((prefix) => nameOf(field) === prefix || nameOf(field).startsWith(`${prefix}.`))

  test("takes requests with every field", () => {
    const bodies = calls.map(({ request }) => request)
    expect(endpoint.request.filter((field) => !hasSeen(bodies, field)).map(nameOf)).toEqual([])
  })

  test("answers with every field", () => {
    const bodies = calls.map(({ response }) => response)
    const missing = endpoint.response.filter(
      (field) => !isExcused(field) && !hasSeen(bodies, field),
    )
    expect(missing.map(nameOf)).toEqual([])
  })

  test("answers no field with another type, and none that it must not have", () => {
    const bodies = calls.map(({ response }) => response)
    const wrong = endpoint.response.flatMap((field) =>
      bodies
        .flatMap((body) => valuesAt(body, field.path))
        .filter((value) => value !== null && !isOf(field, value))
        .map((value) => `${nameOf(field)}: ${JSON.stringify(value)}`),
    )
    expect(wrong).toEqual([])
    const forbidden = endpoint.absent.filter((name) =>
      bodies.some((body) => valuesAt(body, name.split(".")).length > 0),
    )
    expect(forbidden).toEqual([])
  })

  test("is excused only for what is not seen at all", () => {
    const bodies = calls.map(({ response }) => response)
    const seen = endpoint.response.filter((field) => isExcused(field) && hasSeen(bodies, field))
    expect(seen.map(nameOf)).toEqual([])
  })
})

test("a script whose result is a value says whether the author wrote it as code", () => {
  const steps = records.continueChat?.map(({ response }) => response)
  expect(steps).toContainEqual(
    expect.objectContaining({
      clientSideActions: [
        expect.objectContaining({
          type: "setVariable",
          setVariable: { scriptToExecute: { content: "location.href", isCode: false, args: [] } },
          expectsDedicatedReply: true,
        }),
      ],
    }),
  )
})

test("what was changed reads back as it was sent", () => {
  const sent = records.updateBot?.[0]?.request as { bot: Record<string, unknown> }
  const read = records.getBot?.[0]?.response.bot as Record<string, unknown>
  const { updatedAt: _sentAt, riskLevel: _judged, variables, ...rest } = sent.bot
  expect(read).toMatchObject(rest)
  expect(read.riskLevel).toBe(5)
  expect(read.variables).toEqual(variables)
})

function hasSeen(bodies: readonly unknown[], field: Field): boolean {
  return bodies.some((body) => valuesAt(body, field.path).some((value) => isOf(field, value)))
}

/** Every value at the end of a path; absent members have none. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path
  if (name === undefined) return [value]
  if (typeof value !== "object" || value === null) return []
  if (name === "[]")
    return Array.isArray(value) ? value.flatMap((each) => valuesAt(each, rest)) : []
  if (name === "{}") return Object.values(value).flatMap((each) => valuesAt(each, rest))
  const member = (value as Record<string, unknown>)[name]
  return member === undefined ? [] : valuesAt(member, rest)
}

function isOf({ type }: Field, value: unknown): boolean {
  if (type === "any") return value !== null
  if (type === "array") return Array.isArray(value)
  return typeof value === type && value !== null && !Array.isArray(value)
}
