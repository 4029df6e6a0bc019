/** Gives a variable a value. */

import { spend } from "../../../budget/fuel.ts"
import type { Assignment } from "../../../calls.ts"
import type { VariableValue } from "../../../schema/variable.ts"
import { clientScript } from "../../../variables/code.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import { readJson } from "../../../variables/readJson.ts"
import type { Action, Scene, Step } from "../../block.ts"
import { deviceType, momentOfTheDay } from "./clientExpressions.ts"
import { evaluate, readOutcome } from "./expression.ts"
import { flagUnsafe, hides, waits } from "./keeping.ts"
import {
  type SetVariableBlock,
  type SetVariableOptions,
  setVariableBlockSchema,
  type ValueType,
} from "./schema.ts"
import { printZoned } from "./zonedTime.ts"

export const setVariableBlock: Action<SetVariableBlock, "script"> = {
  kind: "action",
  schema: setVariableBlockSchema,
  flagUnsafe,
  hides,
  unfilled: ["expressionDescription"],
  waits,
  wantsHistory: ({ options }) => options?.type === "Transcript" && Boolean(options.variableId),
  run: ({ options }, scene) => {
    if (!options?.variableId) return {}
    const context = { variableId: options.variableId, options, scene }
    return steps[options.type ?? "Custom"](context)
  },
  receive: ({ options }, text) =>
    options?.variableId ? { set: [{ variableId: options.variableId, value: readJson(text) }] } : {},
  resume: {
    script: ({ options }, { results }, scene) => {
      if (!options?.variableId) return {}
      const { value, failure } = readOutcome(options, results[0], scene)
      const set: Assignment[] = [{ variableId: options.variableId, value: value ?? null }]
      if (!failure || !options.isCode) return { set }
      const { description, details } = failure
      const { saveErrorInVariableId } = options
      if (saveErrorInVariableId) set.push({ variableId: saveErrorInVariableId, value: description })
      const context = "While evaluating the value of a variable"
      return { set, log: [{ context, description, ...(details === undefined ? {} : { details }) }] }
    },
  },
}

type Context = { variableId: string; options: SetVariableOptions; scene: Scene }

const dayMs = 24 * 60 * 60 * 1000

const steps: Record<ValueType, (context: Context) => Step<"script">> = {
  Custom: custom,
  Empty: (context) => store(context, null),
  "Append value(s)": append,
  Pop: (context) => remove(context, (list) => list.pop()),
  Shift: (context) => remove(context, (list) => list.shift()),
  "Map item with same index": (context) => store(context, lookUp(context)),
  Now: (context) => storeTime(context, 0),
  Yesterday: (context) => storeTime(context, -dayMs),
  Tomorrow: (context) => storeTime(context, dayMs),
  Today: (context) => store(context, new Date(context.scene.world.now()).toISOString()),
  "Random ID": (context) => store(context, context.scene.world.newId()),
  "Result ID": storeResultId,
  "User ID": storeResultId,
  "Environment name": (context) => store(context, "web"),
  "Moment of the day": (context) => ask(context, momentOfTheDay, true),
  "Device type": (context) => ask(context, deviceType, true),
  Transcript: (context) => ({
    ...store(context, context.scene.transcript()),
    hide: [context.variableId],
  }),
  "Phone number": (context) => store(context, null),
  "Contact name": (context) => store(context, null),
  "Referral Click ID": (context) => store(context, null),
  "Referral Source ID": (context) => store(context, null),
}

const store = ({ variableId }: Context, value: unknown): Step<"script"> => ({
  set: [{ variableId, value: value ?? null }],
})

function custom(context: Context): Step<"script"> {
  const { options, scene } = context
  const { expressionToEvaluate, isExecutedOnClient, isCode = false } = options
  if (isExecutedOnClient && expressionToEvaluate) return ask(context, expressionToEvaluate, isCode)
  const evaluated = evaluate(options, scene)
  return "value" in evaluated
    ? store(context, evaluated.value)
    : { next: { call: { kind: "script", scripts: [evaluated.script] } } }
}

function ask({ options, scene }: Context, code: string, isCode: boolean): Step<"script"> {
  const { isUnsafe } = options
  const scriptToExecute = {
    ...clientScript(code, scene),
    isCode,
    ...(isUnsafe === undefined ? {} : { isUnsafe }),
  }
  return { act: [{ type: "setVariable", setVariable: { scriptToExecute } }], next: "waitForClient" }
}

function append(context: Context): Step<"script"> {
  const { variableId, options, scene } = context
  const item = interpolate(options.item, scene)
  return store(context, [...listOf(scene.variables.value(variableId)), item])
}

function remove(
  context: Context,
  take: (list: (string | null)[]) => string | null | undefined,
): Step<"script"> {
  const { variableId, options, scene } = context
  const value = scene.variables.value(variableId)
  if (value === undefined || value === null) return store(context, null)
  const list = [...listOf(value)]
  const removed = take(list)
  const set: Assignment[] = [{ variableId, value: list }]
  if (removed !== undefined && options.saveItemInVariableId) {
    set.push({ variableId: options.saveItemInVariableId, value: removed })
  }
  return { set }
}

function listOf(value: VariableValue | undefined): readonly (string | null)[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function lookUp({ options, scene }: Context): string | null {
  const { baseItemVariableId, baseListVariableId, targetListVariableId } =
    options.mapListItemParams ?? {}
  const read = (id: string | undefined) => (id ? scene.variables.value(id) : undefined)
  const item = read(baseItemVariableId)
  const base = read(baseListVariableId)
  const target = read(targetListVariableId)
  if (typeof item !== "string" || !Array.isArray(base) || !Array.isArray(target)) return null
  spend(scene.fuel, base.length)
  const index = base.indexOf(item)
  return index < 0 ? null : (target[index] ?? null)
}

function storeTime(context: Context, shiftMs: number): Step<"script"> {
  const { options, scene } = context
  const instantMs = scene.world.now() + shiftMs
  const timeZone = interpolate(options.timeZone, scene).trim()
  return store(
    context,
    timeZone === "" ? new Date(instantMs).toISOString() : printZoned(instantMs, timeZone),
  )
}

function storeResultId(context: Context): Step<"script"> {
  const { chat, world } = context.scene
  return store(context, chat.resultId ?? world.newId())
}
