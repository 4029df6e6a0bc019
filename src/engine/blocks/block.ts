/** The contracts of a block type: Bubble, Input, Action, and the data they exchange with the walk. */
import type { z } from "zod"
import type { Language } from "../../lib/languages.ts"
import type { Assignment, Call, CallKind, Outcome } from "../calls.ts"
import type { BubbleContent, ClientAction, TextFormat } from "../payload.ts"
import type { CatalogueTraits } from "../schema/catalogueTraits.ts"
import type { Log } from "../schema/log.ts"
import type { Message } from "../schema/message.ts"
import type { TextName } from "../texts.ts"
import type { Scope } from "../variables/interpolate.ts"
import type { AuthoringTraits, LintTraits } from "./declared.ts"

/** What every block has. */
export type BlockBase = { id: string; type: string; outgoingEdgeId?: string | undefined }

/** Clock, random numbers and ids, which come from outside so that a turn can be repeated. */
export type World = {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** At least 0, less than 1. */
  random(): number
  /** A fresh id of 24 lower-case alphanumerics. */
  newId(): string
}

/** What blocks may know about the chat; it does not change while the chat runs. */
export type ChatFacts = {
  isPreview: boolean
  /** Absent in previews. */
  resultId?: string
  isStreamEnabled: boolean
  /** The format of texts in the answer to this call. */
  textFormat: TextFormat
  /** Versions below 6: a list in a text bubble prints only its last element. */
  printsLastOfList: boolean
  /** Versions below 6: links merge results unless told otherwise. */
  mergesLinks: boolean
  /** The language of built-in texts and formats; absent: that of the API, English. */
  language?: Language | undefined
  /** Host name of this service's own public address, under which uploads live; absent: none. */
  ownHost?: string | undefined
}

/** Everything that a block may see, which does not include the bot or other blocks. */
export type BlockContext = Scope & {
  readonly world: World
  readonly chat: ChatFacts
  /** Answers given so far in the current bot, in order. */
  answers(): readonly (readonly [key: string, value: string])[]
  /** The chat so far as text; empty when nothing was said. */
  transcript(): string
  /** Whether the following block is a text bubble that begins with exactly this variable. */
  isNextSpoken(variableId: string): boolean
  /** The `carry` of the call that was just answered; absent: it had none. */
  readonly carry?: unknown
  /** What `ask` last returned under that name for this block; absent: nothing, or not asked yet. */
  readonly runtimeOptions?: object | undefined
}

/** Where an action sends the walk. Absent: the block's own edge, else the next block of the group. */
type Next<K extends CallKind> =
  /** The next block of the group, whatever the block's own edge. */
  | "pass"
  /** This path ends. */
  | "end"
  /** Back to where a jump or an event came from; without a mark, the next block. */
  | "back"
  /** Wait for the client to report the outcome of the last action or embed of this step. */
  | "waitForClient"
  /** Keep waiting, because what the block waits for has not come yet. */
  | "waitOn"
  | { edge: string }
  | { jump: JumpTarget }
  | { enter: LinkTarget }
  | { call: Call<K> }

/** A group, by id or by title, and a block in it; without `blockId` its first block. */
export type JumpTarget = { groupId?: string; groupTitle?: string; blockId?: string }

/** A version of a bot to enter, and where its results go. */
export type LinkTarget = {
  /** Version id as the bot call gave it; absent: a copy of the current bot. */
  version?: string
  groupId?: string
  groupTitle?: string
  mergesResults: boolean
}

/**
 * What an action did. Every part is optional; an empty step does nothing, and the walk goes on.
 *
 * ```ts
 * import type { Step } from "./block.ts"
 *
 * // Stores a value and leaves along the edge of an item.
 * const left: Step = {
 *   set: [{ variableId: "vSize", value: "M" }],
 *   log: [{ status: "info", description: "Size M was chosen" }],
 *   next: { edge: "eMedium" },
 * }
 *
 * // Asks the outside world: the outcome goes to `resume.qrCode` of the block.
 * const asking: Step<"qrCode"> = {
 *   next: { call: { kind: "qrCode", text: "https://example.com" } },
 * }
 * ```
 */
export type Step<K extends CallKind = never> = {
  set?: Assignment[]
  /** Variables that become session variables: they are never stored in results. */
  hide?: string[]
  /** An embed to show and wait on. */
  say?: BubbleContent[]
  act?: ClientAction[]
  log?: Log[]
  next?: Next<K>
}

/** What a block does with the client's report; after a call it continues in `resume`. */
export type Received<K extends CallKind = never> = {
  set?: Assignment[]
  /** True: the client has already shown the bubble that follows. */
  skipsNextBubble?: boolean
  next?: { call: Call<K> }
}

/** What a block makes of the outcomes of its calls, by their kinds. */
export type AfterCalls<K extends CallKind, B, R> = {
  [k in K]: (block: B, outcome: Outcome<k>, context: BlockContext) => R
}

/** What a text, a picture or a condition mentions, by variable name and by id. */
export type Mentions = { texts?: (string | undefined)[]; variableIds?: (string | undefined)[] }

type BlockTypeBase<B, K extends CallKind = never> = {
  schema: z.ZodType<B, B>
  /** How editors show it. */
  catalogue: CatalogueTraits<Partial<Omit<B, keyof BlockBase>>>
  /** Variables that its texts and conditions mention, whose values traces show. Absent: none. */
  mentions?(block: B): Mentions
  /** Handles the report of the client for which the block waits. Absent: the report is ignored. */
  receive?(block: B, text: string, context: BlockContext): Received<K>
  /** Edges that leave the block besides its own; progress follows them. Absent: none. */
  edges?(block: B): (string | undefined)[]
  /** Further edges that leave it, which progress does not follow. Absent: none. */
  pathEdges?(block: B): (string | undefined)[]
  /** The trackers that clients load when a chat starts. Absent: none. */
  startProps?(block: B): { googleAnalyticsId?: string; pixelId?: string }
} & AuthoringTraits<B> &
  LintTraits<B>

/** Shows something and goes on. */
export type Bubble<B extends BlockBase = BlockBase> = BlockTypeBase<B> & {
  kind: "bubble"
  /** What to show; undefined: nothing. */
  show(block: B, context: BlockContext): BubbleContent | undefined
  /** Whether the chat waits for an event of the shown page. Absent: never. */
  waits?(block: B): boolean
  /** Name of the variable with whose value the bubble begins; undefined: it begins with something else. */
  speaks?(block: B): string | undefined
}

/**
 * The question cannot be asked now, as the author has set it up, or because another system failed: `postponed`
 * is said instead, and any reply tries again.
 */
export type Postponed = {
  postponed: TextName
  log: Log[]
  /** What the block is given back with that reply. */
  runtimeOptions?: object | undefined
}

/** What the client needs to ask: the parts of the block that change from display to display. */
export type InputPrompt<K extends CallKind = never> =
  | {
      options?: object | undefined
      items?: object[] | undefined
      prefilledValue?: string | undefined
      runtimeOptions?: object | undefined
    }
  | { call: Call<K> }
  | Postponed

/** What an input makes of a reply. */
export type Verdict<K extends CallKind = never> =
  | {
      accept: string
      /** Edge of the chosen item; absent: the block's own. */
      edge?: string | undefined
      set?: Assignment[]
      attachedFileUrls?: string[] | undefined
      /** True: `options.variableId` is left alone. */
      isSavedElsewhere?: boolean
    }
  | "skip"
  | "retry"
  /** The question had not been asked yet, so this was not a reply to it. */
  | "ask"
  | Postponed
  | { call: Call<K> }

/** How a file that is uploaded for a reply is kept. */
export type UploadRules = {
  /** True: only members of the workspace may read it. */
  isPrivate: boolean
  /** Largest size in megabytes; absent: that of the service. */
  maxMegabytes?: number | undefined
}

/** Something that a question offers to choose, as it was asked. */
export type Offer = {
  id: string
  label: string
  /** The title of the card that has it. Absent: it stands by itself. */
  of?: string | undefined
  /** What its item stores when it is chosen; "": its label. */
  value: string
  /** The text of a reply that chooses it alone. */
  reply: string
  /** More about it: descriptions, addresses of pictures. */
  details: string[]
}

/** Replies to try on a question. */
export type Samples = {
  /** Replies that it takes, the plainest first; empty: its bounds exclude everything. */
  fitting: Message[]
  /** Replies that it refuses; empty: it takes whatever people type. */
  refused: Message[]
}

/**
 * Asks something and waits for a reply.
 *
 * ```ts
 * import { optional, variableIdSchema } from "../schema/sharedMembers.ts"
 * import { blockSchemaOf, input } from "./defineBlock.ts"
 *
 * const sizeInputSchema = blockSchemaOf("size input", {
 *   options: optional.object("Where the size is stored", {
 *     variableId: variableIdSchema.optional(),
 *   }),
 * })
 *
 * export const sizeInputBlock = input(sizeInputSchema, {
 *   catalogue: {
 *     label: "Size",
 *     description: "Asks for a size",
 *     category: "questions",
 *     icon: "ruler",
 *   },
 *   replyName: "size",
 *   takesOpeningMessage: true,
 *   samples: () => ({
 *     fitting: [{ type: "text", text: "M" }],
 *     refused: [{ type: "text", text: "huge" }],
 *   }),
 *   ask: ({ options }) => ({ options }),
 *   reply: (_block, message) => {
 *     const text = message?.type === "text" ? message.text : ""
 *     return /^[SML]$/.test(text) ? { accept: text } : "retry"
 *   },
 * })
 * ```
 */
export type Input<
  B extends BlockBase = BlockBase,
  A extends CallKind = never,
  R extends CallKind = never,
> = BlockTypeBase<B> & {
  kind: "input"
  /** What events call this kind of input. */
  replyName: string
  /** True: people choose among a few answers, each of which analytics counts. */
  isChoice?: true
  /** The choices that one answer may combine, by label; undefined: an answer is one choice. */
  labels?(block: B): string[] | undefined
  /** The choices as answers hold them, templates unfilled; undefined: variables decide. Absent: it has none. */
  choices?(block: B): string[] | undefined
  /** What can be chosen of a question as it was asked, in order. Absent: nothing can. */
  offers?(asked: B): Offer[]
  /**
   * Replies to try on a question as it was asked, its variables filled in. `wanted`: texts that the flow
   * compares answers with, which are among the replies where they fit.
   */
  samples(asked: B, wanted: readonly string[]): Samples
  /** What its answers are made of, for those who replace them by others of the same form. Absent: words. */
  answersAre?: "numbers" | "dates" | "phone numbers" | "ratings"
  /** Whether a message sent with the start of a chat may answer it. */
  takesOpeningMessage: boolean
  /** How uploads with that extension are kept; undefined: they are refused. Absent: all uploads are. */
  uploads?(block: B, extension: string): UploadRules | undefined
  ask(block: B, context: BlockContext): InputPrompt<A>
  /** `message` is absent when the client proceeds without an answer. */
  reply(block: B, message: Message | undefined, context: BlockContext): Verdict<R>
  /**
   * What is said about an invalid reply when the author has set no text for the block. Absent: the text
   * of the bot, else the default.
   */
  retryText?: TextName
} & ([A] extends [never] ? { asked?: undefined } : { asked: AfterCalls<A, B, InputPrompt<A>> }) &
  ([R] extends [never] ? { replied?: undefined } : { replied: AfterCalls<R, B, Verdict<R>> })

/** Does something: logic, an integration, a service. */
export type Action<B extends BlockBase = BlockBase, K extends CallKind = never> = BlockTypeBase<
  B,
  K
> & {
  kind: "action"
  run(block: B, context: BlockContext): Step<K>
  /** Whether it is left with "pass" by default. Absent: along its own edge, else to the next block. */
  passes?(block: B): boolean
  /** Whether it always waits for the client. Absent: not always. */
  waits?(block: B): boolean
  /**
   * True: other systems may call it while it waits. Whatever the client sends then makes it ask for
   * that call, whose outcome `resume` gets; `receive` is not used.
   */
  isCallable?: true
  /** Whether it asks for the transcript, which must be read before it runs. Absent: no. */
  wantsHistory?(block: B): boolean
  /** The call whose answer the client may read as a stream; undefined: this block does not stream. */
  stream?(block: B, context: BlockContext): Call<K> | undefined
  /** What is stored as soon as that answer has been read; its text arrives with `receive`. */
  streamed?(block: B, outcome: Outcome<K>, context: BlockContext): Pick<Step, "set" | "log">
} & ([K] extends [never] ? { resume?: undefined } : { resume: AfterCalls<K, B, Step<K>> })
