/** Server-sent events of a run (WHATWG HTML, "Server-sent events"). */
import { readJson } from "../../../variables/readJson.ts"

export type AssistantEvent = { name: string; data: unknown }

/** The events of a whole body, in order. */
export function eventsIn(body: string): AssistantEvent[] {
  return body.split(/\r?\n\r?\n/).flatMap((block) => {
    const fields = block.split(/\r?\n/)
    const name = fieldOf(fields, "event")[0]
    return name === undefined ? [] : [{ name, data: readJson(fieldOf(fields, "data").join("\n")) }]
  })
}

function fieldOf(lines: readonly string[], name: string): string[] {
  const start = `${name}:`
  return lines.flatMap((line) => (line.startsWith(start) ? [line.slice(start.length).trim()] : []))
}
