/** Has a model fill variables from a text. */

import { pick, readJson } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import type { Assignment } from "../../../calls.ts"
import { failureLog } from "../../api.ts"
import type { BlockContext } from "../../block.ts"
import {
  type ActionContext,
  refusal,
  type ServiceAction,
  type ServiceStep,
} from "../serviceBlock.ts"
import { askProvider, type Provider } from "./completion.ts"
import type { ExtractionOptions } from "./schemas.ts"

type Wanted = NonNullable<ExtractionOptions["variablesToExtract"]>[number]

/** The action that generates variables. */
export function extraction(provider: Provider): ServiceAction<ExtractionOptions> {
  const activity = `While asking ${provider.name}`
  return {
    activity,
    run: (action) => extract(action, provider),
    resume: {
      model: ({ options, context }, { text = "" }) => {
        const values = readJson(text)
        if (typeof values !== "object" || values === null) {
          const description = "The model returned no values"
          return { log: [failureLog({ description, details: text }, activity)] }
        }
        return { set: valuesSet(values, wantedVariables(options, context, provider)) }
      },
    },
  }
}

function extract(action: ActionContext<ExtractionOptions>, provider: Provider): ServiceStep {
  const { options, context } = action
  const model = options.model?.trim()
  if (!model) return refusal("No model is given")
  if (!options.prompt) return refusal("No prompt is given")
  const wanted = wantedVariables(options, context, provider)
  if (wanted.length === 0) return refusal("No variables to generate are given")
  return askProvider(action, provider, {
    model,
    messages: [{ role: "user", content: options.prompt }],
    maxSteps: 1,
    answerSchema: {
      type: "object",
      properties: Object.fromEntries(wanted.map((each) => [each.key, propertyOf(each)])),
      // All are required: strict schemas express optional members only as null.
      required: wanted.map(({ key }) => key),
      additionalProperties: false,
    },
  })
}

/** Every value that is not null. */
function valuesSet(values: object, variables: WantedVariable[]): Assignment[] {
  return variables.flatMap(({ key, variableId }) => {
    const value = pick(values, key) ?? null
    return value === null ? [] : [{ variableId, value }]
  })
}

/** A variable to fill, and the key of its value in the answer. */
type WantedVariable = { key: string; name: string; variableId: string; entry: Wanted }

/** The keys are the names, or numbers for names that Anthropic refuses as keys. */
function wantedVariables(
  { variablesToExtract }: ExtractionOptions,
  context: BlockContext,
  { protocol }: Provider,
): WantedVariable[] {
  const named = (variablesToExtract ?? []).flatMap((entry) => {
    const variable = context.variables.definition(entry.variableId)
    return variable ? [{ name: variable.name, variableId: variable.id, entry }] : []
  })
  const takesNames =
    protocol !== "anthropicMessages" || named.every(({ name }) => /^[\w.-]{1,64}$/.test(name))
  return named.map((each, index) => ({
    ...each,
    key: takesNames ? each.name : `value${index + 1}`,
  }))
}

function propertyOf({ key, name, entry }: WantedVariable): object {
  const { type = "string", isRequired, values } = entry
  const said = key === name ? [entry.description] : [name, entry.description]
  const description = said.filter(Boolean).join(": ")
  return { ...shapeOf(type, isRequired === false, values ?? []), ...nonEmpty({ description }) }
}

function shapeOf(type: string, isOptional: boolean, values: readonly string[]): object {
  if (type === "enum") {
    return isOptional
      ? { type: ["string", "null"], enum: [...values, null] }
      : { type: "string", enum: values }
  }
  const shown = isOptional ? [type, "null"] : type
  return type === "array" ? { type: shown, items: { type: "string" } } : { type: shown }
}
