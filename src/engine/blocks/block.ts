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

/** Members of every block. */
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

/** Constant facts about the chat that blocks may read. */
export type ChatFacts = {
  isPreview: boolean
  /** Absent in previews. */
  resultId?: string | undefined
  isStreamEnabled: boolean
  /** The format of texts in the answer to this call. */
  textFormat: TextFormat
  /** Versions below 6: a list in a text bubble prints only its last element. */
  printsLastOfList: boolean
  /** Versions below 6: links merge results by default. */
  mergesLinks: boolean
  /** The language of built-in texts and formats; absent: that of the API, English. */
  language?: Language | undefined
  /** Host name of this service's own public address, under which uploads live; absent: none. */
  ownHost?: string | undefined
}

/** Everything that a block may read: never the bot or other blocks. */
export type BlockContext = Scope & {
  readonly world: World
  readonly chat: ChatFacts
  /** Answers given so far in the current bot, in order. */
  answers(): readonly (readonly [key: string, value: string])[]
  /** The chat so far as text; empty without messages. */
  transcript(): string
  /** Whether the following block is a text bubble that begins with exactly this variable. */
  isNextSpoken(variableId: string): boolean
  /** The `carry` of the call that was just answered; absent: it had none. */
  readonly carry?: unknown
  /** The `runtimeOptions` that `ask` last returned for this block; absent: none, or not asked yet. */
  readonly runtimeOptions?: object | undefined
}

/** Where an action sends the walk. Absent: the block's own edge, else the next block of the group. */
type Next<K extends CallKind> =
  /** The next block of the group, even if the block has its own edge. */
  | "pass"
  /** This path ends. */
  | "end"
  /** Back to where a jump or an event came from; without a mark, the next block. */
  | "back"
  /** Wait for the client to report the outcome of the last action or embed of this step. */
  | "waitForClient"
  /** Keep waiting: the awaited event has not arrived. */
  | "waitOn"
  | { edge: string }
  | { jump: JumpTarget }
  | { enter: LinkTarget }
  | { call: Call<K> }

/** A group, by id or by title, and a block in it; without `blockId` its first block. */
export type JumpTarget = { groupId?: string; groupTitle?: string; blockId?: string }

/** A version of a bot to enter, and where its results go. */
export type LinkTarget = {
  /** Version id from the bot call; absent: a copy of the current bot. */
  version?: string
  groupId?: string
  groupTitle?: string
  mergesResults: boolean
}

/**
 * The result of an action. Every part is optional; an empty step does nothing, and the walk continues.
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
 * // Makes a call: the outcome goes to `resume.qrCode` of the block.
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

/** Result of processing a client's report; after a call it continues in `resume`. */
export type Received<K extends CallKind = never> = {
  set?: Assignment[]
  /** True: the client has already shown the bubble that follows. */
  skipsNextBubble?: boolean
  next?: { call: Call<K> }
}

/** Handlers of call outcomes, by kind. */
export type AfterCalls<K extends CallKind, B, R> = {
  [k in K]: (block: B, outcome: Outcome<k>, context: BlockContext) => R
}

/** Variables that texts, pictures or conditions mention, by name and by id. */
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

/** Shows something and continues. */
export type Bubble<B extends BlockBase = BlockBase> = BlockTypeBase<B> & {
  kind: "bubble"
  /** What to show; undefined: nothing. */
  show(block: B, context: BlockContext): BubbleContent | undefined
  /** Whether the chat waits for an event of the shown page. Absent: never. */
  waits?(block: B): boolean
  /** Name of the variable that the bubble begins with; undefined: none. */
  speaks?(block: B): string | undefined
}

/**
 * The question cannot be asked now: its options are incomplete or another system failed. The text `postponed`
 * is shown instead, and any reply tries again.
 */
export type Postponed = {
  postponed: TextName
  log: Log[]
  /** Returned to the block with that reply. */
  runtimeOptions?: object | undefined
}

/** The parts of the block that change from display to display, for the client. */
export type InputPrompt<K extends CallKind = never> =
  | {
      options?: object | undefined
      items?: object[] | undefined
      prefilledValue?: string | undefined
      runtimeOptions?: object | undefined
    }
  | { call: Call<K> }
  | Postponed

/** An input's judgement of a reply. */
export type Verdict<K extends CallKind = never> =
  | {
      accept: string
      /** Edge of the chosen item; absent: the block's own. */
      edge?: string | undefined
      set?: Assignment[]
      attachedFileUrls?: string[] | undefined
      /** True: `options.variableId` is not set. */
      isSavedElsewhere?: boolean
    }
  | "skip"
  | "retry"
  /** The question was not asked yet, so this was no reply to it. */
  | "ask"
  | Postponed
  | { call: Call<K> }

/** Storage rules for a file uploaded with a reply. */
export type UploadRules = {
  /** True: only members of the workspace may read it. */
  isPrivate: boolean
  /** Largest size in megabytes; absent: that of the service. */
  maxMegabytes?: number | undefined
}

/** A choice of a question, as displayed. */
export type Offer = {
  id: string
  label: string
  /** The title of its card. Absent: it has no card. */
  of?: string | undefined
  /** Value stored when it is chosen; "": its label. */
  value: string
  /** The text of a reply that chooses it alone. */
  reply: string
  /** More about it: descriptions, addresses of pictures. */
  details: string[]
}

/** Replies to try on a question. */
export type Samples = {
  /** Accepted replies, the plainest first; empty: the question's bounds exclude everything. */
  fitting: Message[]
  /** Refused replies; empty: the question accepts any text. */
  refused: Message[]
}

/**
 * Asks something and waits for a reply. An input that is typed is shorter with `typedInput` of
 * `inputs/asking.ts`.
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
  /** Name of this kind of input in events. */
  replyName: string
  /** True: analytics counts each of its few answers. */
  isChoice?: true
  /** The choices that one answer may combine, by label; undefined: an answer is one choice. */
  labels?(block: B): string[] | undefined
  /** The choices as answers hold them, templates unfilled; undefined: variables decide. Absent: it has none. */
  choices?(block: B): string[] | undefined
  /** The choices of a question as displayed, in order. Absent: none. */
  offers?(displayed: B): Offer[]
  /**
   * Replies to try on a question as displayed. `wanted`: texts that the flow compares answers with; they are
   * included where they fit.
   */
  samples(displayed: B, wanted: readonly string[]): Samples
  /** Form of its answers, for replacing them with others of the same form. Absent: words. */
  answersAre?: "numbers" | "dates" | "phone numbers" | "ratings"
  /** Whether a message sent with the start of a chat may answer it. */
  takesOpeningMessage: boolean
  /** Storage rules for uploads with that extension; undefined: refused. Absent: refuses all uploads. */
  uploads?(block: B, extension: string): UploadRules | undefined
  ask(block: B, context: BlockContext): InputPrompt<A>
  /** `message` is absent when the client proceeds without an answer. */
  reply(block: B, message: Message | undefined, context: BlockContext): Verdict<R>
  /** The default text for an invalid reply. Absent: the text of the bot, else the general default. */
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
   * True: other systems may call it while it waits. Any message of the client then triggers a check for that
   * call, whose outcome goes to `resume`; `receive` is not used.
   */
  isCallable?: true
  /** Whether it reads the transcript, which must be loaded before it runs. Absent: no. */
  wantsHistory?(block: B): boolean
  /** The call whose answer the client may read as a stream; undefined: this block does not stream. */
  stream?(block: B, context: BlockContext): Call<K> | undefined
  /** Values stored once that answer was read; its text arrives with `receive`. */
  streamed?(block: B, outcome: Outcome<K>, context: BlockContext): Pick<Step, "set" | "log">
} & ([K] extends [never] ? { resume?: undefined } : { resume: AfterCalls<K, B, Step<K>> })
