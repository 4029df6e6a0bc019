/** Members that many schemas have: ids, coordinates, and optional ones with their descriptions. */
import { z } from "zod"

/** An id of a group, block, item, edge, event or variable. */
export const idSchema = z.string().min(1).max(255)

/** An id by which editors tell the entries of a list apart. */
export const entryIdSchema = idSchema.meta({ id: "EntryId", description: "Id of the entry" })

/** A reference to an edge; it may dangle, which is normal in exports. */
export const edgeIdSchema = z.string().meta({
  id: "EdgeId",
  description: "Id of the edge to follow; an id without an edge is ignored",
})

/** A reference to a variable of the bot; unknown ids are ignored. */
export const variableIdSchema = z.string().describe("Id of a variable of this bot")

/** An object with its own entry, under that id, in the published document. */
export const namedObject = <Shape extends z.ZodRawShape>(
  id: string,
  description: string,
  shape: Shape,
) => z.object(shape).meta({ id, description })

/** A place on the canvas of an editor; it has no meaning at run time. */
export const coordinatesSchema = namedObject("Coordinates", "Position on the builder's canvas", {
  x: z.number().describe("Horizontal position"),
  y: z.number().describe("Vertical position"),
})

/** Longest piece of an author's CSS or HTML, in characters. */
const maxCodeLength = 100_000

/** Bounds of silence that a bot may answer, in seconds. */
export const shortestSilence = 10
export const longestSilence = 30 * 86_400

/** A number, or a text that is one once its {{variables}} are replaced. */
const numberOrTextSchema = z
  .union([z.number(), z.string()])
  .meta({ id: "NumberOrText", description: "A number, or a text such as {{Max}} that holds it" })

/** Makes a member that may be left out; what it means when it is absent belongs in the description. */
export const optional = {
  text: (description: string) => z.string().optional().describe(description),
  /** A text in which tokens are replaced when a chat comes there. */
  template: (description: string) => optional.text(`${description}; may hold {{variables}}`),
  /** CSS or HTML of an author. */
  code: (description: string) => z.string().max(maxCodeLength).optional().describe(description),
  flag: (description: string) => z.boolean().optional().describe(description),
  number: (description: string) => z.number().optional().describe(description),
  numberBetween: (description: string, least: number, most: number) =>
    z.number().min(least).max(most).optional().describe(description),
  numberOrText: (description: string) => numberOrTextSchema.optional().describe(description),
  numberOrVariable: (description: string) =>
    optional.numberOrText(`${description}: a number or a variable`),
  variableId: (description: string) => variableIdSchema.optional().describe(description),
  oneOf: <const Name extends string>(description: string, names: readonly Name[]) =>
    z.enum(names).optional().describe(description),
  list: <Element extends z.ZodType>(description: string, element: Element) =>
    z.array(element).optional().describe(description),
  /** Objects that editors tell apart by their ids. */
  entries: <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
    optional.list(description, z.object({ id: entryIdSchema.optional(), ...shape })),
  object: <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
    z.object(shape).optional().describe(description),
  named: <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
    namedObject(id, description, shape).optional(),
}
