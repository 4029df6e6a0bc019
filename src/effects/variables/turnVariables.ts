/** The variables of a workspace during one turn: what the engine sees of them, and the secrets for its calls. */
import { randomBytes } from "node:crypto"
import type { Failure } from "../../engine/calls.ts"
import { markedNames, markOf, replaceMarks } from "../../engine/variables/secretMarks.ts"
import type { WorkspaceVariable } from "../../engine/variables/workspaceVariables.ts"
import { createRedaction } from "../credentials/createRedaction.ts"
import { failed } from "../failures.ts"

/** The variables of a workspace, decrypted, by name. */
export type KnownVariables = ReadonlyMap<string, { value: string; isSecret: boolean }>

export type TurnVariables = {
  /** For the engine, which learns no secret. */
  shown: ReadonlyMap<string, WorkspaceVariable>
  /** Absent: there are none. */
  secrets?: Secrets
}

/** The secrets of a workspace, for the performers of calls alone. */
export type Secrets = {
  /**
   * Those whose marks are in a call; undefined: none. Fails if they are too many: each is searched for in the
   * answer.
   */
  usedIn(call: object): UsedSecrets | undefined | Failure
}

/** The secrets of one call. */
export type UsedSecrets = {
  /** Whether a text holds a mark. */
  areIn(text: string): boolean
  /** The text with the secrets in place of their marks, encoded as these are. */
  reveal(text: string): string
  /** The outcome with `•••` in place of secrets, marks and `further` words. */
  redact<Outcome>(outcome: Outcome, further?: readonly string[]): Outcome
}

const mask = "•••"

/** Max secrets of one call. */
export const maxSecretsInCall = 10

export function openTurnVariables(known: KnownVariables): TurnVariables {
  const turn = randomBytes(16).toString("hex")
  const shown = new Map<string, WorkspaceVariable>()
  let hasSecrets = false
  for (const [name, { value, isSecret }] of known) {
    hasSecrets ||= isSecret
    shown.set(
      name,
      isSecret ? { shown: mask, sent: markOf(turn, name) } : { shown: value, sent: value },
    )
  }
  return hasSecrets ? { shown, secrets: secretsOf(known, turn) } : { shown }
}

/** The same where no call leaves the service: secrets have no marks. */
export function shownOnly(known: KnownVariables): TurnVariables["shown"] {
  return new Map(
    Array.from(known, ([name, { value, isSecret }]) => {
      const shown = isSecret ? mask : value
      return [name, { shown, sent: shown }]
    }),
  )
}

function secretsOf(known: KnownVariables, turn: string): Secrets {
  const secretOf = (name: string) => {
    const variable = known.get(name)
    return variable?.isSecret ? variable.value : undefined
  }
  return {
    usedIn(call) {
      const names = markedNames(JSON.stringify(call), turn)
      if (names.length === 0) return undefined
      if (names.length > maxSecretsInCall) return tooMany
      const words = names.flatMap((name) => secretOf(name) ?? [])
      const unmarked = (text: string) => replaceMarks(text, turn, () => mask).replaceAll(turn, mask)
      return {
        areIn: (text) => text.includes(turn),
        reveal: (text) => replaceMarks(text, turn, secretOf),
        redact(outcome, further = []) {
          const redacted = createRedaction([...words, ...further], mask)
          return mapTexts(outcome, (text) => redacted(unmarked(text)))
        },
      }
    },
  }
}

const tooMany = failed(`At most ${maxSecretsInCall} secrets of the workspace leave at once`, {
  reason: "limit",
})

/** A copy of plain JSON with every text changed, names of members too. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((element: unknown) => mapTexts(element, change))
  if (typeof value !== "object" || value === null) return value
  // fromEntries defines own members, so __proto__ is safe.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      change(name),
      mapTexts(member as unknown, change),
    ]),
  )
}
