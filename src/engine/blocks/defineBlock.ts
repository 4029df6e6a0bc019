/** Defines a block type: the schema of its blocks and their behaviour. */
import { z } from "zod"
import type { CallKind } from "../calls.ts"
import { edgeIdSchema, idSchema, optional } from "../schema/sharedMembers.ts"
import type { Action, AfterCalls, BlockBase, Bubble, Input, Step } from "./block.ts"

export const blockIdSchema = idSchema.meta({ id: "BlockId", description: "Id of the block" })

const blockShape = {
  id: blockIdSchema,
  outgoingEdgeId: edgeIdSchema.optional(),
}

/** Members of every item. */
export const itemShape = {
  id: idSchema.describe("Id of the item"),
  blockId: optional.former("The block it belongs to; before version 6 only"),
  outgoingEdgeId: edgeIdSchema.optional(),
}

export function blockSchemaOf<Type extends string, Members extends z.core.$ZodLooseShape>(
  type: Type,
  members: Members,
): z.ZodObject<typeof blockShape & { type: z.ZodLiteral<Type> } & Members> {
  return z.object({
    ...blockShape,
    type: z.literal(type).describe("Type of the block"),
    ...members,
  })
}

type Own<Type> = Omit<Type, "kind" | "schema">

/** A type that shows something and continues. */
export function bubble<B extends BlockBase>(
  schema: z.ZodType<B, B>,
  own: Own<Bubble<B>>,
): Bubble<B> {
  return { kind: "bubble", schema, ...own }
}

/** A type that asks something and waits for a reply. */
export function input<B extends BlockBase>(schema: z.ZodType<B, B>, own: Own<Input<B>>): Input<B> {
  return { kind: "input", schema, ...own }
}

/** A type that acts; the keys of `resume` are the kinds of its calls. */
export function action<B extends BlockBase, K extends CallKind = never>(
  schema: z.ZodType<B, B>,
  own: Omit<Action<B, NoInfer<K>>, "kind" | "schema" | "resume"> & {
    resume?: AfterCalls<K, B, Step<NoInfer<K>>>
  },
): Action<B, K> {
  return { kind: "action", schema, ...own } as Action<B, K>
}
