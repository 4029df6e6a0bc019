/** Puts a block type together: the schema of its blocks, and what it does with them. */
import type { z } from "zod"
import type { CallKind, Outcome } from "../calls.ts"
import type { Action, BlockBase, BlockContext, Bubble, Input, Step } from "./block.ts"

type Own<Type> = Omit<Type, "kind" | "schema">

/** A type that shows something and goes on. */
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

/** A type that does something; the keys of `resume` are the kinds of calls that it may make. */
export function action<B extends BlockBase, K extends CallKind = never>(
  schema: z.ZodType<B, B>,
  own: Omit<Action<B, NoInfer<K>>, "kind" | "schema" | "resume"> & {
    resume?: {
      [k in K]: (block: B, outcome: Outcome<k>, context: BlockContext) => Step<NoInfer<K>>
    }
  },
): Action<B, K> {
  return { kind: "action", schema, ...own } as Action<B, K>
}
