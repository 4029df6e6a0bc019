/** Shared parts of inputs: prompts, and inputs with typed replies. */
import { z } from "zod"
import { defined } from "../../../lib/presentMembers.ts"
import type { Message } from "../../schema/message.ts"
import { namedObject, optional } from "../../schema/sharedMembers.ts"
import { interpolate, readNumber } from "../../variables/interpolate.ts"
import { interpolateStructure } from "../../variables/interpolateStructure.ts"
import type { BlockBase, BlockContext, Input, Samples } from "../block.ts"

/** The option that every input has. */
export const answerShape = {
  variableId: optional.variableId("Variable that receives the answer"),
}

/** The option of inputs that have their own text for an invalid reply. */
export const retryShape = {
  retryMessageContent: optional.template("Text for an invalid reply"),
}

export const typedLabelsSchema = namedObject("TypedInputLabels", "Texts around a typed answer", {
  placeholder: optional.template("Shown while nothing is typed"),
  button: optional.template("Label of the button; default Send"),
})

/** Read access to visitors' files; `Auto` and `Public`: anyone with the address. */
export const visibilitySchema = z.enum(["Auto", "Public", "Private"]).meta({
  id: "FileVisibility",
  description:
    "Private: only members of the workspace may read the files; default Auto, like Public",
})

/** Options of a question with items to choose. */
export const choiceOptionsShape = {
  variableId: optional.variableId("Receives the answer"),
  isMultipleChoice: optional.flag("Whether several can be chosen", false),
  isSearchable: optional.flag("Whether a search field is shown", false),
  buttonLabel: optional.template("Label of the button that submits several"),
  searchInputPlaceholder: optional.template("Hint in the search field"),
}

type AskedBlock<Options> = {
  options?: (Options & { variableId?: string | undefined }) | undefined
}

/** Asks with filled options and the current value; a block without options has neither. */
export function askPrefilled<Options>(
  { options }: AskedBlock<Options>,
  context: BlockContext,
): AskedBlock<Options> & { prefilledValue?: string } {
  if (!options) return {}
  const prefilledValue = presentText(options.variableId, context)
  const filled = interpolateStructure(options, context)
  return prefilledValue ? { options: filled, prefilledValue } : { options: filled }
}

/**
 * The text of a variable, its tokens replaced once; empty for a list. Tokens typed by visitors stay: they
 * could read any variable of the chat.
 */
function presentText(variableId: string | undefined, context: BlockContext): string {
  const value = context.variables.value(variableId)
  if (typeof value !== "string") return ""
  return context.variables.isPlain(variableId) ? value : interpolate(value, context)
}

/** Like `askPrefilled`, with some options as plain numbers; others are omitted. */
export function askWithNumbers<Name extends string>(
  block: AskedBlock<{ [name in NoInfer<Name>]?: number | string | undefined }>,
  names: readonly Name[],
  context: BlockContext,
) {
  const { options } = block
  const asked = askPrefilled(block, context)
  if (!options || !asked.options) return asked
  const others = Object.entries(asked.options).filter(([name]) => !names.includes(name as Name))
  const numbers = names.map((name) => [name, readNumber(options[name], context)])
  return { ...asked, options: defined(Object.fromEntries([...others, ...numbers])) }
}

/** The text of a reply; undefined when there is no message or it is not a text. */
export function typedText(message: Message | undefined): string | undefined {
  return message?.type === "text" ? message.text : undefined
}

/** Messages of these texts, each once. */
export function typedAs(texts: Iterable<string>): Message[] {
  return Array.from(new Set(texts), (text) => ({ type: "text", text }))
}

/** The parts in which typed inputs differ. */
type TypedInput<B extends BlockBase> = Pick<
  Input<B>,
  "catalogue" | "replyName" | "retryText" | "answersAre" | "problems"
> & {
  /** Texts to try; see `Input.samples`. */
  samples(displayed: B, wanted: readonly string[]): { [Name in keyof Samples]: Iterable<string> }
  /** Absent: asks with its options and the current value. */
  ask?: Input<B>["ask"]
  /** The text to store; undefined when the typed text is invalid. */
  accept(typed: string, block: B, context: BlockContext): string | undefined
}

/** Makes an input that takes only typed text: `accept` returns what is stored; the block needs no `ask` or `reply`. */
export function typedInput<B extends BlockBase & AskedBlock<object>>(
  schema: z.ZodType<B, B>,
  { accept, samples, ...own }: TypedInput<B>,
): Input<B> {
  return {
    kind: "input",
    schema,
    takesOpeningMessage: true,
    ask: askPrefilled,
    ...own,
    samples: (asked, wanted) => {
      const { fitting, refused } = samples(asked, wanted)
      return { fitting: typedAs(fitting), refused: typedAs(refused) }
    },
    reply: (block, message, context) => {
      const typed = typedText(message)
      const text = typed === undefined ? undefined : accept(typed, block, context)
      return text === undefined ? "retry" : { accept: text }
    },
  }
}
