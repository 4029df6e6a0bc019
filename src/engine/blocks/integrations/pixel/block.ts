/** Has the client send an event to Meta Pixel; nothing happens in a preview. */

import { nonEmpty } from "../../../presentMembers.ts"
import { interpolate, interpolateStructure } from "../../../variables/interpolate.ts"
import type { Action } from "../../block.ts"
import { type PixelBlock, pixelBlockSchema } from "./schema.ts"

export const pixelBlock: Action<PixelBlock> = {
  kind: "action",
  schema: pixelBlockSchema,
  run({ options }, context) {
    if (!options?.pixelId || !options.eventType || context.chat.isPreview) return {}
    const { pixelId, isInitSkip, eventType, params = [] } = options
    const name = eventType === "Custom" ? interpolate(options.name, context) : ""
    const how = { dropsEmpty: true, guessesTypes: true }
    const filled = params.flatMap(({ id, key, value }) => {
      const named = interpolate(key, context)
      if (!named) return []
      // An empty value has been dropped.
      const guessed: { value?: unknown } = interpolateStructure({ value }, context, how)
      return guessed.value === undefined
        ? []
        : [{ id: id ?? named, key: named, value: guessed.value }]
    })
    return {
      act: [
        {
          type: "pixel",
          pixel: {
            pixelId,
            eventType,
            ...nonEmpty({ isInitSkip, name, params: filled }),
          },
        },
      ],
    }
  },
  startProps: ({ options }) =>
    options?.pixelId && options.isInitSkip !== true ? { pixelId: options.pixelId } : {},
}
