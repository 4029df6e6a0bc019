/** The variables of a workspace during one turn: what the engine sees of them, and the secrets for its calls. */
import { randomBytes } from "node:crypto"
import type { Failure } from "../../engine/calls.ts"
import { markOf } from "../../engine/variables/secretMarks.ts"
import type { WorkspaceVariable } from "../../engine/variables/workspaceVariables.ts"
import { createRedaction } from "../credentials/createRedaction.ts"
import { failed } from "../failures.ts"
import { createMarks } from "./createMarks.ts"

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
  /** Whether a text holds a mark, perhaps in base64. */
  areIn(text: string): boolean
  /** The text with the secrets in place of their marks, encoded as these are. */
  reveal(text: string): string
  /** The outcome with `•••` in place of secrets and marks. */
  redact<Outcome>(outcome: Outcome): Outcome
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

/** Variables with `•••` in place of secrets, for chats whose calls do not leave the service. */
export function withoutSecrets(known: KnownVariables): KnownVariables {
  return new Map(
    Array.from(known, ([name, { value, isSecret }]) => [
      name,
      { value: isSecret ? mask : value, isSecret: false },
    ]),
  )
}

function secretsOf(known: KnownVariables, turn: string): Secrets {
  const marks = createMarks(turn)
  const secretOf = (name: string) => {
    const variable = known.get(name)
    return variable?.isSecret ? variable.value : undefined
  }
  return {
    usedIn(call) {
      const names = marks.namesIn(JSON.stringify(call))
      if (names.length === 0) return undefined
      if (names.length > maxSecretsInCall) return tooMany
      const words = names.flatMap((name) => secretOf(name) ?? [])
      const redacted = createRedaction(words, mask)
      const unmarked = (text: string) => marks.replace(text, () => mask).replaceAll(turn, mask)
      return {
        areIn: marks.areIn,
        reveal: (text) => marks.replace(text, secretOf),
        redact(outcome) {
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
