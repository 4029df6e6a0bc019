/** Stores parts of a response in variables; an expression of the author finds each part. */

import type { z } from "zod"
import { type Assignment, type Call, isFailure, type Outcome } from "../calls.ts"
import { listOf } from "../schema/lists.ts"
import { entryIdSchema, namedObject, optional, variableIdSchema } from "../schema/sharedMembers.ts"
import { withReturn } from "../variables/code.ts"
import { interpolateExpression } from "../variables/interpolateExpression.ts"
import type { BlockContext } from "./block.ts"

export const responseMappingSchema = listOf(
  namedObject("ResponseMapping", "A variable and the expression for its value", {
    id: entryIdSchema.optional(),
    variableId: variableIdSchema.optional(),
    bodyPath: optional.hinted(
      "Expression with `statusCode` and `data` in scope, like `data.items[0].name`",
      { code: "javascript", template: true },
    ),
  }),
).describe("Variables to fill from the response")

type ResponseMapping = z.infer<typeof responseMappingSchema>

/** Globals of an expression. */
export type MappedResponse = { statusCode: number; data: unknown }

/** A step that evaluates the expressions, or an empty one without expressions. */
export function mappingStep(
  mapping: ResponseMapping | undefined,
  response: MappedResponse,
  context: BlockContext,
): { next?: { call: Call<"script"> } } {
  const entries = usableEntries(mapping, context)
  if (entries.length === 0) return {}
  const scripts = entries.map(({ path }) => ({
    code: withReturn(interpolateExpression(path, context)),
    globals: response,
    mode: "expression" as const,
  }))
  return { next: { call: { kind: "script", scripts } } }
}

/** Stores the values of the expressions; an expression that failed leaves its variable unchanged. */
export function keepMapped(
  { options }: { options?: { responseVariableMapping?: ResponseMapping | undefined } | undefined },
  { results }: Outcome<"script">,
  context: BlockContext,
): { set: Assignment[] } {
  const entries = usableEntries(options?.responseVariableMapping, context)
  const set = entries.flatMap(({ variableId }, index) => {
    const result = results[index]
    return result && !isFailure(result) ? [{ variableId, value: result.value }] : []
  })
  return { set }
}

function usableEntries(mapping: ResponseMapping | undefined, context: BlockContext) {
  return (mapping ?? []).flatMap(({ variableId, bodyPath: path }) =>
    path && variableId && context.variables.definition(variableId) ? [{ variableId, path }] : [],
  )
}
