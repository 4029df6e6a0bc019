/** What a caller is to an object, on the wire. */
import { z } from "zod"
import type { UserMode } from "./access.ts"

const modes = ["write", "read", "guest"] as const satisfies readonly UserMode[]

/** `write`, `read` or `guest`. */
export const userModeSchema = z
  .enum(modes)
  .meta({ id: "UserMode", description: "What the caller may do with the object" })
