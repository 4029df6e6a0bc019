/** Parses JSON of providers, unless it holds more than anybody should take apart. */
import { isTooDeep } from "../../engine/foreignJson.ts"
import { ProviderError } from "./protocol.ts"

const defaultMaxValues = 20_000

/** The value; throws a `ProviderError` when it is no JSON, or holds more than `maxValues`. */
export function parseBounded(json: string, maxValues = defaultMaxValues): unknown {
  const data = parse(json)
  if (countValues(data, maxValues) > maxValues) throw new ProviderError("The answer is too long")
  return data
}

function parse(json: string): unknown {
  if (isTooDeep(json)) throw new ProviderError("The answer is nested too deep")
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ProviderError("The answer is no JSON", { cause })
  }
}

/** Members and items, nested ones too; stops counting when there are more than `most`. */
function countValues(data: unknown, most: number): number {
  const held = [data]
  for (let at = 0; at < held.length && held.length <= most; at++) {
    const value = held[at]
    if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) held.push(each)
    }
  }
  return held.length
}
