/** Finds what an OpenAPI document spells out more than once. */
import { isJson, type Json } from "../../src/http/openapi/openapiSchemas.ts"

/** Pointers to object schemas that are spelled out more than once instead of being named. */
export function repeatedObjects(document: Json): string[][] {
  const places = new Map<string, string[]>()
  collect(document, "#", places)
  return [...places.values()].filter((found) => found.length > 1)
}

function collect(value: unknown, place: string, places: Map<string, string[]>): void {
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) collect(member, `${place}/${index}`, places)
    return
  }
  if (!isJson(value)) return
  const isNamed = /^#\/components\/schemas\/[^/]+$/.test(place)
  const size = isJson(value.properties) ? Object.keys(value.properties).length : 0
  if (value.type === "object" && size > 1 && !isNamed) {
    const { description: _words, ...shape } = value
    const text = JSON.stringify(shape)
    places.set(text, [...(places.get(text) ?? []), place])
  }
  for (const [key, member] of Object.entries(value)) collect(member, `${place}/${key}`, places)
}
