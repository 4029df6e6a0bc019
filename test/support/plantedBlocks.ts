/** Blocks of a type with other words in their texts. */
import type { z } from "zod"
import { fullBlocks, textPlaces } from "./fullBlocks.ts"

/** A block with other words in the text at a path. */
type Plant = (block: unknown, path: readonly (string | number)[]) => unknown

/** Blocks of a type that have other words once in each text that authors write, as far as the schema allows them. */
export function plantedBlocks(type: string, schema: z.ZodType, plant: Plant) {
  const seen = new Set<string>()
  return fullBlocks(type, schema).flatMap((full) => {
    let block: unknown = full
    const before = seen.size
    for (const path of textPlaces(full)) {
      const name = path.filter((key) => typeof key === "string").join(".")
      if (seen.has(name) || /(?:[iI]d|type|key)$/.test(name)) continue
      const planted = plant(block, path)
      if (!schema.safeParse(planted).success) continue
      seen.add(name)
      block = planted
    }
    return seen.size === before ? [] : [block as Record<string, unknown>]
  })
}
