/** Members of many schemas: ids, coordinates, and optional ones with their descriptions. */

import { z } from "zod"
import { listOf } from "./lists.ts"

/** Hints for editors that a member's type does not contain. */
export type EditorHints = {
  /** An id that the editor makes. */
  id?: true
  /** The id of a variable of the bot. */
  variable?: true
  /** The id of a credential of that type; true: of the type of the block. */
  credentials?: string | true
  /** The name of a tool that `GET /credentials/{credentialsId}/tools` lists for the credential beside it. */
  tool?: true
  /** The name of an argument of that tool. */
  argument?: true
  /** Source code in that language. */
  code?: "javascript" | "html" | "css" | "json"
  /** A text with formats. */
  richText?: true
  /** The id of an edge: drawn, not typed. */
  edge?: true
  /** Hidden once typed. */
  secret?: true
  /** A text in which {{variables}} are replaced. */
  template?: true
  /** A template from which secrets of the workspace leave; in others they show as `•••`. */
  sendsSecrets?: true
  /** The id of a group, of a block or of a bot. */
  refersTo?: "group" | "block" | "bot"
}

/** Metadata of a schema: its description and hints for editors. */
export const hinted = (description: string, hints: EditorHints) => ({
  description,
  "x-parley": hints,
})

/** An id of a group, block, item, edge, event or variable. */
export const idSchema = z
  .string()
  .min(1)
  .max(255)
  .meta({ "x-parley": { id: true } satisfies EditorHints })

/** An id by which editors distinguish the entries of a list. */
export const entryIdSchema = idSchema.meta({ id: "EntryId", description: "Id of the entry" })

/** A reference to an edge; it may dangle, which is normal in exports. */
export const edgeIdSchema = z.string().meta({
  id: "EdgeId",
  ...hinted("Id of the edge to follow; an id without an edge is ignored", { edge: true }),
})

/** A reference to a variable of the bot; unknown ids are ignored. */
export const variableIdSchema = z
  .string()
  .meta(hinted("Id of a variable of this bot", { variable: true }))

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

/** Max characters of an author's CSS or HTML. */
const maxCodeLength = 100_000

/** Max seconds for which messages wait for each other. */
export const maxCollectSeconds = 10

/** Bounds of thresholds of silence, in seconds. */
export const minSilence = 10
export const maxSilence = 30 * 86_400

/** A number, or a text that becomes one once its {{variables}} are replaced. */
const numberOrTextSchema = z.union([z.number(), z.string()]).meta({
  id: "NumberOrText",
  ...hinted("A number, or a text such as {{Max}} that holds it", { template: true }),
})

/** Metadata of a member with its default. */
export const withDefault = (description: string, fallback?: string | number | boolean) =>
  fallback === undefined
    ? { description }
    : { description: `${description}; default ${fallback}`, default: fallback }

/**
 * Makes an optional member. `fallback` is its default, which editors may fill in. Defaults that are
 * translated texts for visitors, or no plain values, belong in the description.
 */
export const optional = {
  text: (description: string, fallback?: string) =>
    z.string().optional().meta(withDefault(description, fallback)),
  /** A text in flows of former versions, which editors omit. */
  former: (description: string) => z.string().optional().meta({ description, deprecated: true }),
  /** A text with hints for editors. */
  hinted: (description: string, hints: EditorHints) =>
    z.string().optional().meta(hinted(description, hints)),
  /** A text whose tokens are replaced in chats. */
  template: (description: string) =>
    optional.hinted(`${description}; may hold {{variables}}`, { template: true }),
  /** CSS or HTML of an author. */
  code: (description: string, code: "css" | "html") =>
    z.string().max(maxCodeLength).optional().meta(hinted(description, { code })),
  flag: (description: string, fallback?: boolean) =>
    z.boolean().optional().meta(withDefault(description, fallback)),
  number: (description: string, fallback?: number) =>
    z.number().optional().meta(withDefault(description, fallback)),
  numberBetween: (description: string, least: number, most: number) =>
    z.number().min(least).max(most).optional().describe(description),
  numberOrText: (description: string, fallback?: number) =>
    numberOrTextSchema.optional().meta(withDefault(description, fallback)),
  numberOrVariable: (description: string) =>
    optional.numberOrText(`${description}: a number or a variable`),
  variableId: (description: string) => variableIdSchema.optional().describe(description),
  oneOf: <const Name extends string>(
    description: string,
    names: readonly Name[],
    fallback?: NoInfer<Name>,
  ) => z.enum(names).optional().meta(withDefault(description, fallback)),
  list: <Element extends z.ZodType>(description: string, element: Element) =>
    listOf(element).optional().describe(description),
  /** Objects that editors distinguish by their ids. */
  entries: <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
    optional.list(description, z.object({ id: entryIdSchema.optional(), ...shape })),
  object: <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
    z.object(shape).optional().describe(description),
  named: <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
    namedObject(id, description, shape).optional(),
}
