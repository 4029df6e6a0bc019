/** What keepers of flows must know of assignments: untrusted code, hidden values, waiting. */
import type { SetVariableBlock } from "./schema.ts"

/** The block with `isUnsafe` as its code runs in the user's browser or not. */
export function flagUnsafe(block: SetVariableBlock): SetVariableBlock {
  const isUnsafe = block.options?.isExecutedOnClient === true
  return { ...block, options: { ...block.options, isUnsafe } }
}

/** The variable that receives a transcript: it would store every answer a second time. */
export function hides(block: SetVariableBlock): string | undefined {
  return block.options?.type === "Transcript" ? block.options.variableId : undefined
}

/** Whether the client evaluates it: always for what only the client knows. */
export function waits({ options }: SetVariableBlock): boolean {
  const { variableId, type = "Custom", isExecutedOnClient, expressionToEvaluate } = options ?? {}
  if (!variableId) return false
  if (type === "Moment of the day" || type === "Device type") return true
  return type === "Custom" && isExecutedOnClient === true && Boolean(expressionToEvaluate)
}
