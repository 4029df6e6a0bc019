/** Who may read the files that an end user uploads. */
import { z } from "zod"

/** `Private`: members of the workspace only. `Auto` and `Public`: whoever has the address. */
export const visibilitySchema = z
  .enum(["Auto", "Public", "Private"])
  .describe("Private: only members of the workspace may read the files; default Auto, like Public")
