/** Tells callers of chats when nothing in their request is known to the call, as in `{"text": "Hi"}`. */
import type { z } from "zod"
import type { Log } from "../../engine/schema/log.ts"

/** Names of unknown members by input, of inputs without any other. */
const strays = new WeakMap<object, string[]>()

/** The same schema; it notices requests with unknown members alone. `inPath` are sent by every caller. */
export function noticing<Schema extends z.ZodType>(
  schema: Schema,
  { shape, inPath }: { shape: object; inPath: string },
): Schema {
  const copy = schema.clone()
  copy.parse = (raw) => {
    const input = schema.parse(raw)
    note(raw, { input, shape, inPath })
    return input as z.output<Schema>
  }
  copy.parseAsync = async (raw) => copy.parse(raw)
  return copy
}

function note(
  raw: unknown,
  { input, shape, inPath }: { input: unknown; shape: object; inPath: string },
): void {
  const names: string[] = []
  for (const name in raw as object) {
    if (name === inPath) continue
    if (Object.hasOwn(shape, name)) return
    names.push(name)
  }
  if (names.length > 0) strays.set(input as object, names)
}

/** The step, with a log about members that are not known when there were no others. */
export function withStrayLog<Step extends { logs?: Log[] | undefined }>(
  input: object,
  step: Step,
): Step {
  const names = strays.get(input)
  if (names === undefined) return step
  const sent = names.slice(0, 5).map((name) => `\`${name.slice(0, 50)}\``)
  const description = `Nothing in the request is known to this call: ${sent.join(", ")}. What the user says goes into \`message\``
  return { ...step, logs: [...(step.logs ?? []), { status: "info", description }] }
}
