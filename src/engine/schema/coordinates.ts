/** A place on the builder's canvas; it has no meaning at run time. */
import { z } from "zod"

export const coordinatesSchema = z
  .object({
    x: z.number().describe("Horizontal position"),
    y: z.number().describe("Vertical position"),
  })
  .meta({ id: "Coordinates", description: "Position on the builder's canvas" })

export type Coordinates = z.infer<typeof coordinatesSchema>
