/** What the engine may ask of the outside world: each kind of call, as data, and its outcome. */
import type { VariableValue } from "./schema/variable.ts"

/** Why a call did not succeed; it becomes a log and never stops the process. */
export type Failure = { failed: true; description: string; details?: string }

/** A piece of an author's JavaScript with the globals that it may see. */
export type Script = {
  /** Body of a function, variables already replaced by their ids. */
  code: string
  /** Globals by name; types already guessed. */
  globals: Record<string, ScriptValue>
  /** `expression`: synchronous, no helpers. `program`: async, with setVariable and fetch. */
  mode: "expression" | "program"
}

export type ScriptValue = string | number | boolean | null | undefined | (string | null)[]

/** What a script came to; `value` is plain JSON. */
export type ScriptOutcome =
  | {
      value?: unknown
      /** Calls of `setVariable(name, value)`, last one per name. */
      assigned?: Record<string, unknown>
    }
  | Failure

/** Every kind of call: what is asked, and what comes back. */
export type Calls = {
  /** Evaluate scripts, in order, in one trip to the sandbox. */
  script: { ask: { scripts: Script[] }; outcome: { results: ScriptOutcome[] } }
  /** Load another bot of the workspace: its published version, or in a preview its draft. */
  bot: { ask: { botId: string }; outcome: { version: string } | Failure }
  /** Prepare a payment with the provider, before the end user is asked to pay. */
  paymentIntent: { ask: PaymentAsk; outcome: PaymentIntent | Failure }
  /** Ask the provider whether a prepared payment was made. */
  paymentCheck: {
    ask: PaymentCheckAsk
    outcome: PaymentState | Failure
  }
}

/** A payment to prepare. */
export type PaymentAsk = {
  provider: "Stripe"
  credentialsId: string
  /** True: with the test keys, when there are some. */
  isPreview: boolean
  /** Whole number of the smallest units of the currency: cents, or yen. */
  amount: number
  /** ISO 4217 code, upper case. */
  currency: string
  description?: string
  receiptEmail?: string
}

/** A payment to look up with the keys that prepared it. */
export type PaymentCheckAsk = {
  provider: "Stripe"
  credentialsId: string
  isPreview: boolean
  intentId: string
  /** The reply that claims the payment; the provider has no use for it. */
  carry: string
}

/** A prepared payment. */
export type PaymentIntent = {
  intentId: string
  /** What the client needs to pay it, and nothing else. */
  clientSecret: string
  publicKey: string
}

/** How a payment stands. */
export type PaymentState = {
  /** True also while the money is certain but on its way (Stripe: `processing`, `requires_capture`). */
  succeeded: boolean
}

export type CallKind = keyof Calls

/** A question to the outside world, ready to be sent. */
export type Call<K extends CallKind = CallKind> = { [k in K]: { kind: k } & Calls[k]["ask"] }[K]

/** The answer to a call of that kind. */
export type Outcome<K extends CallKind = CallKind> = Calls[K]["outcome"]

/** Whether an outcome tells of a failure. */
export function isFailure(outcome: object): outcome is Failure {
  return "failed" in outcome && outcome.failed === true
}

/** A set of variable changes asked for by id; values are normalised when they are stored. */
export type Assignment = { variableId: string; value: unknown }

/** A variable's value as stored; absent when nothing was ever stored. */
export type StoredValue = VariableValue | undefined
