/**
 * Finds what of an OpenAPI document breaks callers of an earlier one, after the model of oasdiff: requests may
 * be widened, answers may be narrowed and have more members, and nothing is removed.
 */

import { isJson, type Json } from "../../src/http/openapi/openapiSchemas.ts"
import { growingChoices } from "../../src/http/openapi/openEnums.ts"

type Pair = { before: unknown; after: unknown }

/** Two schemas, where they are, and whether they describe what callers send. */
type Place = Pair & { path: string; isSent: boolean }

type Comparison = Pair & {
  report: (path: string, words: string) => void
  /** Components that were compared. */
  visited: Set<string>
}

/** The breaking changes, each as a sentence that begins with its place. */
export function breakingChanges(before: Json, after: Json): string[] {
  const found = new Set<string>()
  const report = (path: string, words: string) => void found.add(`${path}: ${words}`)
  const comparison = { before, after, report, visited: new Set<string>() }
  const [operations, now] = [operationsIn(before), operationsIn(after)]
  for (const [place, operation] of operations) {
    const present = now.get(place)
    if (present) compareOperations(comparison, place, { before: operation, after: present })
    else report(place, "was removed")
  }
  return [...found].sort()
}

/** The operations and webhooks by method and path. */
function operationsIn(document: Json): Map<string, Json> {
  const all = [document.paths, document.webhooks].flatMap((paths) =>
    Object.entries(asJson(paths)).flatMap(([path, item]) =>
      Object.entries(asJson(item)).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, asJson(operation)] as const,
      ),
    ),
  )
  return new Map(all)
}

function compareOperations(all: Comparison, place: string, { before, after }: Pair): void {
  const [was, is] = [asJson(before), asJson(after)]
  const { report } = all
  const isSent = place.includes(" /") // Webhooks have no path: callers get them.
  if (was.operationId !== is.operationId) report(place, `is called ${is.operationId} now`)
  if (was["x-scope"] !== is["x-scope"] && is["x-scope"] !== "any")
    report(place, `takes the scope ${is["x-scope"]} now`)
  const rights = rightsOf(all.after, is)
  for (const right of rightsOf(all.before, was))
    if (!rights.includes(right)) report(place, `is not open to ${right} any more`)
  compareParameters(all, place, { was, is, isSent })
  const bodies = { was: asJson(was.requestBody), is: asJson(is.requestBody), isSent }
  compareBodies(all, `${place} › body`, bodies)
  for (const [status, answer] of Object.entries(asJson(was.responses))) {
    const path = `${place} › ${status}`
    const former = resolved(all.before, answer)
    const present = resolved(all.after, asJson(is.responses)[status])
    if (!(status in asJson(is.responses))) report(path, "was removed")
    else compareBodies(all, path, { was: former, is: present, isSent: !isSent })
    for (const name of Object.keys(asJson(former.headers)))
      if (!(name in asJson(present.headers))) report(`${path} › ${name}`, "was removed")
  }
}

/** Who may call an operation: the ways to prove oneself, and the admissions. */
function rightsOf(document: unknown, operation: Json): string[] {
  const ways = listOf(operation.security ?? asJson(document).security)
  return [...ways.map((way) => JSON.stringify(way)), ...listOf(operation["x-admits"]).map(String)]
}

type Sides = { was: Json; is: Json; isSent: boolean }

function compareParameters(all: Comparison, place: string, { was, is, isSent }: Sides): void {
  const [parameters, now] = [parametersOf(all.before, was), parametersOf(all.after, is)]
  for (const [name, parameter] of now) {
    const path = `${place} › ${name}`
    const former = parameters.get(name)
    if (isSent && parameter.required && !former?.required) all.report(path, "is required now")
    if (former)
      compareSchemas(all, { before: former.schema, after: parameter.schema, path, isSent })
  }
  for (const name of parameters.keys())
    if (!now.has(name)) all.report(`${place} › ${name}`, "was removed")
}

function parametersOf(document: unknown, { parameters }: Json): Map<string, Json> {
  const all = listOf(parameters).map((each) => resolved(document, each))
  return new Map(all.map((each) => [`${each.in} ${each.name}`, each]))
}

function compareBodies(all: Comparison, path: string, { was, is, isSent }: Sides): void {
  if (isSent && is.required && !was.required) all.report(path, "is required now")
  for (const [type, media] of Object.entries(asJson(was.content))) {
    const present = asJson(is.content)[type]
    const schemas = { before: asJson(media).schema, after: asJson(present).schema }
    if (present === undefined) all.report(path, `${type} was removed`)
    else compareSchemas(all, { ...schemas, path, isSent })
  }
}

/** Compares schemas; what references lead to is compared once, under its own name. */
function compareSchemas(all: Comparison, { before, after, path, isSent }: Place): void {
  const [name, nameNow] = [nameOf(before), nameOf(after)]
  const schemas = { before: resolved(all.before, before), after: resolved(all.after, after) }
  const isNamed = name !== undefined || nameNow !== undefined
  const key = `${name ?? path} ${nameNow ?? path} ${isSent}`
  if (isNamed && all.visited.has(key)) return
  if (isNamed) all.visited.add(key)
  compare(all, { ...schemas, path: name !== undefined && name === nameNow ? name : path, isSent })
}

function compare(all: Comparison, place: Place): void {
  const { path, isSent } = place
  const [was, is] = [choicesOf(place.before), choicesOf(place.after)]
  if (was.length + is.length === 2 && !nameOf(was[0]) && !nameOf(is[0])) {
    compareOne(all, { ...place, before: was[0], after: is[0] })
    return
  }
  // Each that was sent is taken still; each that is got was known, or a choice was open.
  const [narrow, wide] = isSent ? [was, is] : [is, was]
  const document = isSent ? all.after : all.before
  const mayGrow = !isSent && growingChoices.includes(path)
  for (const choice of narrow) {
    const same = wide.find((each) => labelOf(each) === labelOf(choice))
    const [before, after] = isSent ? [choice, same] : [same, choice]
    if (same) compareSchemas(all, { before, after, path, isSent })
    else if (!mayGrow && !wide.some((each) => isOpen(resolved(document, each))))
      all.report(path, `${labelOf(choice)} ${isSent ? "was removed" : "is new"}`)
  }
}

function compareOne(all: Comparison, { before, after, path, isSent }: Place): void {
  const [was, is] = [asJson(before), asJson(after)]
  const [types, allowed] = isSent ? [typesOf(was), typesOf(is)] : [typesOf(is), typesOf(was)]
  const isTaken = (type: unknown) =>
    allowed.includes(type) || (type === "integer" && allowed.includes("number"))
  if (allowed.length > 0 && (types.length === 0 || !types.every(isTaken)))
    all.report(path, `has another type: ${JSON.stringify(is.type ?? "any")}`)
  compareValues(all, path, { was, is, isSent })
  if (isSent) compareBounds(all, path, { was, is })
  compareMembers(all, path, { was, is, isSent })
  if (was.items)
    compareSchemas(all, { before: was.items, after: is.items, path: `${path}[]`, isSent })
  const [others, othersNow] = [was.additionalProperties, is.additionalProperties]
  if (isJson(others) && isJson(othersNow))
    compareSchemas(all, { before: others, after: othersNow, path: `${path}{}`, isSent })
}

function compareValues({ report }: Comparison, path: string, { was, is, isSent }: Sides): void {
  const [values, valuesNow] = [valuesOf(was), valuesOf(is)]
  for (const value of values ?? [])
    if (valuesNow && !valuesNow.includes(value)) report(path, `${value} was removed`)
  if (isSent && !values && valuesNow && !is.isOpen) report(path, "takes only some values now")
  if (isSent || !values || was.isOpen) return
  for (const value of valuesNow ?? ["anything"])
    if (!values.includes(value)) report(path, `${value} is new`)
}

function compareBounds(
  { report }: Comparison,
  path: string,
  { was, is }: Omit<Sides, "isSent">,
): void {
  for (const [name, bound] of Object.entries(is)) {
    const former = was[name]
    const isMost = /^(?:max|exclusiveMax)/.test(name)
    if (isMost || /^(?:min|exclusiveMin)/.test(name)) {
      const isStricter = isMost ? Number(bound) < Number(former) : Number(bound) > Number(former)
      if (former === undefined || isStricter) report(path, `${name} is ${bound} now`)
    } else if ((name === "pattern" || name === "format") && bound !== former)
      report(path, `${name} is ${bound} now`)
  }
}

function compareMembers(all: Comparison, path: string, { was, is, isSent }: Sides): void {
  const [members, now] = [asJson(was.properties), asJson(is.properties)]
  for (const [name, before] of Object.entries(members)) {
    if (name in now)
      compareSchemas(all, { before, after: now[name], path: `${path}.${name}`, isSent })
    else all.report(`${path}.${name}`, "was removed")
  }
  const [required, requiredNow] = [listOf(was.required), listOf(is.required)]
  const [narrow, wide] = isSent ? [required, requiredNow] : [requiredNow, required]
  for (const name of wide.filter((each) => !narrow.includes(each)))
    if (isSent || String(name) in now)
      all.report(`${path}.${name}`, isSent ? "is required now" : "may be missing now")
}

/** The choices of a schema; a known name beside any other text is one. */
function choicesOf(schema: unknown): unknown[] {
  const { anyOf, oneOf, ...rest } = asJson(schema)
  const choices = listOf(anyOf ?? oneOf)
  if (choices.length === 0) return [schema]
  const known = choices.find((each) => asJson(each).enum && asJson(each).type === "string")
  const hasOthers = choices.some(
    (each) => asJson(each).type === "string" && !valuesOf(asJson(each)),
  )
  if (!known || !hasOthers) return choices
  const others = choices.filter((each) => asJson(each).type !== "string")
  return [...others, { ...rest, ...asJson(known), isOpen: true }]
}

/** What tells a choice from others: its component, its constant member `type`, or its own type. */
function labelOf(schema: unknown): string {
  const { type, properties } = asJson(schema)
  const own = asJson(asJson(properties).type).const
  return nameOf(schema) ?? String(own ?? type ?? "any")
}

/** Whether a choice takes any value: of any type, or an object with unknown members. */
function isOpen({ type, properties, additionalProperties }: Json): boolean {
  const ofOthers = asJson(asJson(properties).type).not !== undefined
  return type === undefined || ofOthers || (additionalProperties === true && !properties)
}

/** The name of the component that a reference names. */
function nameOf(schema: unknown): string | undefined {
  const { $ref } = asJson(schema)
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined
}

/** What a reference leads to. */
function resolved(document: unknown, value: unknown): Json {
  const { $ref, ...rest } = asJson(value)
  if (typeof $ref !== "string") return rest
  const found = $ref
    .slice(2)
    .split("/")
    .reduce<unknown>((part, key) => asJson(part)[key], document)
  return { ...asJson(found), ...rest }
}

function typesOf({ type }: Json): unknown[] {
  return type === undefined ? [] : [type].flat()
}

function valuesOf(schema: Json): unknown[] | undefined {
  if ("const" in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : {}
}
