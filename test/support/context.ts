/** A context for tests of single blocks: variables by name, a fixed clock, and no bot around it. */
import type { z } from "zod"
import type { BlockContext, ChatFacts, Step } from "../../src/engine/blocks/block.ts"
import { callOf } from "../../src/engine/blocks/services/serviceBlock.ts"
import { unmetered } from "../../src/engine/budget/fuel.ts"
import type { Call, CallKind } from "../../src/engine/calls.ts"
import type { Variable, VariableValue } from "../../src/engine/schema/variable.ts"
import type { Scope, Variables } from "../../src/engine/variables/interpolate.ts"

/** A block of a type. */
export type BlockOf<Type extends { schema: z.ZodType }> = z.infer<Type["schema"]>

/** The options of a block of a type. */
export type OptionsOf<Type extends { schema: z.ZodType<{ options?: unknown }> }> = NonNullable<
  BlockOf<Type>["options"]
>

/** What a test may set; everything else has a plain default. */
export type SceneParts = {
  /** Values by variable name; the id of variable `Name` is `vName`. */
  variables?: Record<string, VariableValue | undefined>
  /** Names of the variables that hold what a visitor said. */
  plain?: readonly string[]
  /** Results of inline expressions by their source. */
  inline?: Record<string, unknown>
  chat?: Partial<ChatFacts>
  answers?: [key: string, value: string][]
  transcript?: string
  nextSpoken?: string
  /** Milliseconds since 1970; default 2026-01-02T03:04:05.678Z. */
  now?: number
  random?: number
}

/** A scope alone, for interpolation and conditions. */
export function testScope(parts: SceneParts = {}): Scope {
  const list: Variable[] = Object.entries(parts.variables ?? {}).map(([name, value]) => ({
    id: `v${name}`,
    name,
    ...(value === undefined ? {} : { value }),
  }))
  const byId = new Map(list.map((variable) => [variable.id, variable]))
  const variables: Variables = {
    value: (id = "") => byId.get(id)?.value ?? undefined,
    isPlain: (id = "") => parts.plain?.includes(byId.get(id)?.name ?? "") === true,
    named: (name) => list.find((variable) => variable.name === name),
    definition: (id = "") => byId.get(id),
    list: () => list,
    forCalls: () => variables,
  }
  return {
    fuel: unmetered(),
    variables,
    inline: (source) =>
      parts.inline && source in parts.inline ? { value: parts.inline[source] } : undefined,
  }
}

/** A whole context. */
export function testScene(parts: SceneParts = {}): BlockContext {
  let ids = 0
  return {
    ...testScope(parts),
    world: {
      now: () => parts.now ?? Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      random: () => parts.random ?? 0.5,
      newId: () => `id${++ids}`,
    },
    chat: {
      isPreview: false,
      resultId: "01990000-0000-7000-8000-000000000000",
      isStreamEnabled: false,
      textFormat: "richText",
      printsLastOfList: false,
      mergesLinks: false,
      ...parts.chat,
    },
    answers: () => parts.answers ?? [],
    transcript: () => parts.transcript ?? "",
    isNextSpoken: (id) => parts.nextSpoken === id,
  }
}

/** The HTTP request that a step asks for; undefined when it asks for none, or for something else. */
export function httpCallOf(step: Step<CallKind>): Call<"http"> | undefined {
  const call = callOf(step)
  return call?.kind === "http" ? call : undefined
}
