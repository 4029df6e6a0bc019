/** Sets a variable. */

import { readJson } from "../../../../lib/foreignJson.ts"
import { defined } from "../../../../lib/presentMembers.ts"
import { spend } from "../../../budget/fuel.ts"
import {
  assignTo,
  type Failure,
  isFailure,
  type Script,
  type ScriptOutcome,
} from "../../../calls.ts"
import { clientScript, serverScript, withReturn } from "../../../variables/code.ts"
import { interpolate, isTainted, type Scope, singleToken } from "../../../variables/interpolate.ts"
import { cannotRun, literalOf } from "../../../variables/plainCode.ts"
import { asList } from "../../../variables/variables.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action } from "../../defineBlock.ts"
import {
  type SetVariableBlock,
  type SetVariableOptions,
  setVariableBlockSchema,
  type ValueType,
} from "./schema.ts"
import { printZoned } from "./zonedTime.ts"

export const setVariableBlock = action(setVariableBlockSchema, {
  catalogue: {
    label: "Set variable",
    description: "Gives a variable a value: a text, the result of a formula, the date and more",
    category: "logic",
    icon: "variable",
  },
  flagUnsafe: (block) => {
    const isUnsafe = block.options?.isExecutedOnClient === true
    return { ...block, options: { ...block.options, isUnsafe } }
  },
  // A transcript would store every answer a second time.
  hides: ({ options }) => (options?.type === "Transcript" ? options.variableId : undefined),
  isSilent: true,
  unfilled: ["expressionDescription"],
  codes: ({ options }) => {
    const { type = "Custom", isCode, variableId, isExecutedOnClient = false } = options ?? {}
    const code = options?.expressionToEvaluate
    if (type !== "Custom" || !variableId || !isCode || !code) return []
    const how = { mode: "program", isAtClient: isExecutedOnClient } as const
    return [{ at: ["options", "expressionToEvaluate"], code: withReturn(code), ...how }]
  },
  waits,
  wantsHistory: ({ options }) => options?.type === "Transcript" && Boolean(options.variableId),
  run: ({ options }, context) => {
    if (!options?.variableId) return {}
    const target = { variableId: options.variableId, options, context }
    return steps[options.type ?? "Custom"](target)
  },
  receive: ({ options }, text, context) => {
    const expression = options?.expressionToEvaluate
    // Text that is not code comes back unchanged, with ids in place of variables.
    const isSource = expression !== text && clientScript(expression ?? "", context).content === text
    if (isSource) {
      const { value, isPlain } = printed(expression, context)
      return { set: assignTo(options?.variableId, value, isPlain) }
    }
    const isPlain = !options?.isCode && isTainted(expression, context)
    return { set: assignTo(options?.variableId, readJson(text), isPlain) }
  },
  resume: {
    script: ({ options }, { results }, context) => {
      if (!options?.variableId) return {}
      const { value, isPlain, failure } = readOutcome(options, results[0], context)
      const set = assignTo(options.variableId, value ?? null, isPlain)
      if (!failure || !options.isCode) return { set }
      const { description, details } = failure
      set.push(...assignTo(options.saveErrorInVariableId, description))
      const activity = "While evaluating the value of a variable"
      return { set, log: [{ context: activity, description, ...defined({ details }) }] }
    },
  },
})

type Target = { variableId: string; options: SetVariableOptions; context: BlockContext }

// Values that only the client has are evaluated there.

/** By the clock of the client: `morning`, `afternoon` or `evening`. */
const momentOfTheDay = `const hours = new Date().getHours()
if (hours < 12) return "morning"
if (hours < 18) return "afternoon"
return "evening"`

/** By the user agent of the browser: `desktop`, `tablet` or `mobile`. */
const deviceType = `const agent = navigator.userAgent
const isTouchMac = /Macintosh/.test(agent) && navigator.maxTouchPoints > 1
if (isTouchMac || /iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/i.test(agent)) return "tablet"
if (/Mobi|iPhone|iPod|Android|BlackBerry|IEMobile|Opera Mini/i.test(agent)) return "mobile"
return "desktop"`

const dayMs = 24 * 60 * 60 * 1000

const steps: Record<ValueType, (target: Target) => Step<"script">> = {
  Custom: custom,
  Empty: (target) => store(target, null),
  "Append value(s)": append,
  Pop: (target) => remove(target, (list) => list.pop()),
  Shift: (target) => remove(target, (list) => list.shift()),
  "Map item with same index": (target) => {
    const listId = target.options.mapListItemParams?.targetListVariableId
    const isPlain = target.context.variables.isPlain(listId)
    return store(target, lookUp(target), isPlain)
  },
  Now: (target) => storeTime(target, 0),
  Yesterday: (target) => storeTime(target, -dayMs),
  Tomorrow: (target) => storeTime(target, dayMs),
  Today: (target) => store(target, new Date(target.context.world.now()).toISOString()),
  "Random ID": (target) => store(target, target.context.world.newId()),
  "Result ID": storeResultId,
  "User ID": storeResultId,
  "Environment name": (target) => store(target, "web"),
  "Moment of the day": (target) => ask(target, momentOfTheDay, true),
  "Device type": (target) => ask(target, deviceType, true),
  Transcript: (target) => ({
    // It contains the words of the visitor.
    ...store(target, target.context.transcript(), true),
    hide: [target.variableId],
  }),
  "Phone number": (target) => store(target, null),
  "Contact name": (target) => store(target, null),
  "Referral Click ID": (target) => store(target, null),
  "Referral Source ID": (target) => store(target, null),
}

const store = ({ variableId }: Target, value: unknown, isPlain?: boolean): Step<"script"> => ({
  set: assignTo(variableId, value ?? null, isPlain),
})

function custom(target: Target): Step<"script"> {
  const { options, context } = target
  const { expressionToEvaluate, isExecutedOnClient, isCode = false } = options
  if (isExecutedOnClient && expressionToEvaluate) return ask(target, expressionToEvaluate, isCode)
  const evaluated = evaluate(options, context)
  return "value" in evaluated
    ? store(target, evaluated.value, evaluated.isPlain)
    : { next: { call: { kind: "script", scripts: [evaluated.script] } } }
}

function ask({ options, context }: Target, code: string, isCode: boolean): Step<"script"> {
  const { isUnsafe } = options
  const scriptToExecute = {
    ...clientScript(code, context),
    isCode,
    ...defined({ isUnsafe }),
  }
  return { act: [{ type: "setVariable", setVariable: { scriptToExecute } }], next: "waitForClient" }
}

function append(target: Target): Step<"script"> {
  const { variableId, options, context } = target
  const item = interpolate(options.item, context)
  const isPlain = context.variables.isPlain(variableId) || isTainted(options.item, context)
  return store(target, [...asList(context.variables.value(variableId)), item], isPlain)
}

function remove(target: Target, take: (list: (string | null)[]) => string | null | undefined) {
  const { variableId, options, context } = target
  const value = context.variables.value(variableId)
  if (value === undefined || value === null) return store(target, null)
  const list = [...asList(value)]
  const removed = take(list)
  const isPlain = context.variables.isPlain(variableId)
  const saved =
    removed === undefined ? [] : assignTo(options.saveItemInVariableId, removed, isPlain)
  return { set: [...assignTo(variableId, list, isPlain), ...saved] }
}

function lookUp({ options, context }: Target): string | null {
  const { baseItemVariableId, baseListVariableId, targetListVariableId } =
    options.mapListItemParams ?? {}
  const item = context.variables.value(baseItemVariableId)
  const base = context.variables.value(baseListVariableId)
  const target = context.variables.value(targetListVariableId)
  if (typeof item !== "string" || !Array.isArray(base) || !Array.isArray(target)) return null
  spend(context.fuel, base.length)
  const index = base.indexOf(item)
  return index < 0 ? null : (target[index] ?? null)
}

function storeTime(target: Target, shiftMs: number): Step<"script"> {
  const { options, context } = target
  const now = context.world.now()
  const timeZone = interpolate(options.timeZone, context).trim()
  return store(
    target,
    timeZone === "" ? new Date(now + shiftMs).toISOString() : printZoned(now, timeZone, shiftMs),
  )
}

function storeResultId(target: Target): Step<"script"> {
  const { chat, world } = target.context
  return store(target, chat.resultId ?? world.newId())
}

/** Whether the client evaluates it: always for values that only the client has. */
function waits({ options }: SetVariableBlock): boolean {
  const { variableId, type = "Custom", isExecutedOnClient, expressionToEvaluate } = options ?? {}
  if (!variableId) return false
  if (type === "Moment of the day" || type === "Device type") return true
  return type === "Custom" && isExecutedOnClient === true && Boolean(expressionToEvaluate)
}

/** A value, and whether it contains words of a visitor. */
type Evaluated = { value: unknown; isPlain?: boolean }

/** The value if it needs no script, else the script. */
function evaluate(options: SetVariableOptions, scope: Scope): Evaluated | { script: Script } {
  const { expressionToEvaluate: expression, isCode } = options
  if (!expression) return { value: undefined }
  if (singleToken(expression) !== undefined || isDigits(expression)) {
    return printed(expression, scope)
  }
  const { content, args } = clientScript(expression, scope)
  const literal = literalOf(content)
  if (literal) return literal
  const globals = Object.fromEntries(args.map(({ id }) => [id, true]))
  // Code runs even if it must fail: its author needs the reason.
  if (!isCode && cannotRun(content, globals)) return printed(expression, scope)
  return { script: serverScript(withReturn(expression), scope) }
}

/** The value that the script returned; when it failed, the expression as a text, and the reason. */
function readOutcome(
  options: SetVariableOptions,
  outcome: ScriptOutcome | undefined,
  scope: Scope,
): Evaluated & { failure?: Failure } {
  if (!outcome || !isFailure(outcome)) return { value: outcome?.value }
  return { ...printed(options.expressionToEvaluate, scope), failure: outcome }
}

function printed(expression: string | undefined, scope: Scope): Evaluated {
  return { value: interpolate(expression, scope), isPlain: isTainted(expression, scope) }
}

// Order numbers and the like: as number literals, `007` would lose its zeros and long ones their last digits.
function isDigits(expression: string): boolean {
  return /0[^.].|^\d{16}/.test(expression) && !Number.isNaN(Number(expression))
}
