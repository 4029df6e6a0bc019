/**
 * Lists and maps in inputs of callers. Zod 4.6 creates an issue for every wrong element, and each costs more
 * than a thousand right ones. These check a maximum before their elements, and stop after a number of issues.
 * `test/contract/boundedLists.test.ts` finds lists and maps in inputs made otherwise.
 */
import { z } from "zod"

/** Max issues of a list or map, and max issues reported. */
export const maxIssues = 50

/** Max elements of a list in a flow, and default for others. */
const maxElements = 5_000

/** A list of at most `most` elements. */
export function listOf<Element extends z.ZodType>(
  element: Element,
  most = maxElements,
): z.ZodArray<Element> {
  return new BoundedList({ type: "array", element }).max(most) as z.ZodArray<Element>
}

/** A map from texts to values, with at most `most` names. */
export function mapOf<Name extends z.ZodString, Value extends z.ZodType>(
  name: Name,
  value: Value,
  most = maxElements,
): z.ZodRecord<Name, Value> {
  const def: MapDefinition = { type: "record", keyType: name, valueType: value, most }
  return new BoundedMap(def) as z.ZodRecord<Name, Value>
}

type MapDefinition = z.core.$ZodRecordDef & { most: number }

/** Max elements or names that a schema takes; infinite for those that are made otherwise. */
export function maximumOf(schema: z.core.$ZodType): number {
  const { checks = [], ...def } = schema._zod.def as z.core.$ZodTypeDef & { most?: number }
  const sizes = checks.map(({ _zod: { def } }) => {
    return def.check === "max_length" ? (def as z.core.$ZodCheckMaxLengthDef).maximum : undefined
  })
  return Math.min(...[def.most, ...sizes].map((most) => most ?? Number.POSITIVE_INFINITY))
}

type Payload = z.core.ParsePayload
type Parse = z.core.$ZodTypeInternals["parse"]

/** A constructor of its own, because `.describe()` and its like copy a schema by calling its constructor. */
const BoundedList = z.core.$constructor<z.ZodArray>("BoundedList", (list, def) => {
  z.ZodArray.init(list, def)
  const parse = list._zod.parse
  const maximum = maximumOf(list)
  list._zod.parse = ((payload, ctx) => {
    const sent: unknown = payload.value
    // Zod reports other values, and lists that are too long.
    if (!Array.isArray(sent) || sent.length > maximum) return parse(payload, ctx)
    const read: unknown[] = []
    payload.value = read
    const { element } = def
    for (let at = 0; at < sent.length; at++) {
      const result = element._zod.run({ value: sent[at], issues: [] }, ctx) as Payload
      if (result.issues.length > 0 && isFull(payload, at, result.issues)) break
      read.push(result.value)
    }
    return payload
  }) as Parse
})

const BoundedMap = z.core.$constructor<z.ZodRecord, MapDefinition>("BoundedMap", (map, def) => {
  z.ZodRecord.init(map, def)
  const { parse, processJSONSchema: describe } = map._zod
  map._zod.parse = ((payload, ctx) => {
    const sent: unknown = payload.value
    if (!isPlain(sent)) return parse(payload, ctx)
    if (hasMoreNames(sent, def.most)) return refuseSize(payload, map, def.most)
    const read: Record<string, unknown> = {}
    payload.value = read
    for (const name in sent) {
      if (name === "__proto__") continue
      const { issues } = def.keyType._zod.run({ value: name, issues: [] }, ctx) as Payload
      const result = def.valueType._zod.run({ value: sent[name], issues }, ctx) as Payload
      if (result.issues.length > 0 && isFull(payload, name, result.issues)) break
      read[name] = result.value
    }
    return payload
  }) as Parse
  map._zod.processJSONSchema = (ctx, json, params) => {
    describe?.(ctx, json, params)
    json.maxProperties = def.most
  }
})

type Found = z.core.$ZodRawIssue & { path?: PropertyKey[]; continue?: boolean }

/** Adds the issues of an element. True: enough issues, so no check reads the partly validated list. */
function isFull(payload: Payload, key: PropertyKey, found: readonly Found[]): boolean {
  const issues: Found[] = payload.issues
  for (const issue of found) {
    issue.path = [key, ...(issue.path ?? [])]
    issues.push(issue)
  }
  if (issues.length < maxIssues) return false
  for (const issue of issues) issue.continue = false
  return true
}

function refuseSize(payload: Payload, inst: z.ZodRecord, maximum: number): Payload {
  const { value: input } = payload
  const size = { origin: "record", maximum, inclusive: true } as const
  payload.issues.push({ code: "too_big", ...size, input, inst, continue: false })
  return payload
}

function hasMoreNames(members: object, most: number): boolean {
  let count = 0
  for (const _ in members) if (++count > most) return true
  return false
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
