/** What most inputs send when they ask: their options filled in, and the present value to start from. */
import { interpolate, interpolateStructure } from "../../variables/interpolate.ts"
import type { Scene } from "../block.ts"

/** What to ask with; both parts are absent for a block without options. */
export function prefilledAsk<O extends { variableId?: string | undefined }>(
  options: O | undefined,
  scene: Scene,
): { options?: O; prefilledValue?: string } {
  if (!options) return {}
  const prefilledValue = presentText(options.variableId, scene)
  const filled = interpolateStructure(options, scene)
  return prefilledValue ? { options: filled, prefilledValue } : { options: filled }
}

/** A list is not prefilled. The value may hold tokens itself, which are replaced once. */
function presentText(variableId: string | undefined, scene: Scene): string | undefined {
  const value = variableId === undefined ? undefined : scene.variables.value(variableId)
  return typeof value === "string" ? interpolate(value, scene) : undefined
}
