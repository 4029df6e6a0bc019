/** Describes what problems say to programs: by reason in the document `Problem`, and beside each status. */
import type { z } from "zod"
import { errorCodeOf, errorReasons, type ParleyErrorCode } from "../../lib/errors.ts"
import { problemData } from "../../lib/problemData.ts"
import type { Refusal } from "../../routers/refusal.ts"
import { problemOf, problemSchema } from "../problem.ts"
import { componentRef, type Json, memberOf } from "./openapiSchemas.ts"

const schemas: Partial<Record<ParleyErrorCode, z.ZodType>> = problemData

/** The problem and the data of every reason, by the name of their component. */
export const problemComponents: Readonly<Record<string, z.ZodType>> = {
  Problem: problemSchema,
  ...Object.fromEntries(Object.values(problemData).map((schema) => [nameOf(schema), schema])),
}

/** Lists what the data of a problem may be; other data may come at any time. */
export function describeData(document: Json): void {
  const all = memberOf(document, "components", "schemas")
  const properties = memberOf(all, "Problem", "properties")
  const { description } = memberOf(properties, "data")
  const names = Object.keys(problemComponents).filter((name) => name !== "Problem")
  const known = names.map((name) => componentRef("schemas", name))
  const others = { type: "object", additionalProperties: true }
  // With a name, by which callers have generators replace a choice that they cannot take.
  all.ProblemData = { description, anyOf: [...known, others] }
  properties.data = componentRef("schemas", "ProblemData")
}

/** A sentence about a reason, which names its data. */
export function sentenceOf(reason: ParleyErrorCode): string {
  const schema = schemas[reason]
  const data = schema ? `; \`data\` is \`${nameOf(schema)}\`` : ""
  return `\`${reason}\`: ${errorReasons[reason].when}${data}`
}

/** An example of each form of data that some reasons have, for the answers of a status. */
export function examplesOf(reasons: readonly ParleyErrorCode[]): Json {
  const forms = reasons.map((reason) => schemas[reason])
  const known = reasons.filter((_, at) => forms[at] && forms.indexOf(forms[at]) === at)
  if (known.length === 0) return {}
  const examples = known.map((reason) => [reason, { value: problemExample(reason) }] as const)
  return { examples: Object.fromEntries(examples) }
}

/** The problem that a refusal of this reason may be. */
export function problemExample(reason: ParleyErrorCode): Json {
  const { status, when } = errorReasons[reason]
  const data = schemas[reason]?.meta()?.example
  const refusal = { status, code: errorCodeOf(reason), reason, message: when }
  return problemOf(
    { ...refusal, ...(data !== undefined && { data }) } as Refusal,
    "9b2f6c1e-6c1b-4f0e-9a55-3d1f2a7c8e90",
  )
}

function nameOf(schema: z.ZodType): string {
  return String(schema.meta()?.id)
}
