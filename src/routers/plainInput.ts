/** Inputs that are nothing but JSON: those of operations that are open to strangers. */
import type { z } from "zod"
import { badRequest } from "../shared/errors.ts"
import { hadMetadata } from "./metadata.ts"

/** The same schema for an input that may not come with metadata of superjson. */
export function plainInput<Schema extends z.ZodType>(schema: Schema): Schema {
  const copy = schema.clone()
  copy.parse = (raw) => schema.parse(requirePlain(raw)) as z.output<Schema>
  copy.parseAsync = async (raw) => (await schema.parseAsync(requirePlain(raw))) as z.output<Schema>
  return copy
}

function requirePlain(raw: unknown): unknown {
  if (hadMetadata(raw)) {
    throw badRequest("Chats take plain JSON: send the input without metadata (meta)")
  }
  return raw
}
