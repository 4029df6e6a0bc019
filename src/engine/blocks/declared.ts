/** What a block type declares for storing and checking flows, besides how it runs. */
import type { Condition } from "../schema/condition.ts"

/** The keys that lead from a block to a value in it. */
export type PathInBlock = readonly (string | number)[]

/** What upgrades, imports and publication need to know about a type. */
export type AuthoringTraits<B> = {
  /** True: a flow of a version below 6 begins at the edge of this block. */
  isStart?: true
  /** True: it stands for every type that this service does not know. */
  isUnknown?: true
  /** True: a bot with such a block cannot be published on the free plan. */
  isPaid?: true
  /** Brings blocks of older versions up to date. Absent: nothing changes. */
  upgrade?: {
    /** From version 3 to 4. */
    from3?(block: B): B
    /** From version 4 or 5 to the latest; `newId` makes ids of new parts. */
    from5?(block: B, newId: () => string): B
  }
  /** Marks whether a block of an untrusted import runs code in the visitor's browser. */
  flagUnsafe?(block: B): B
  /** The label of an item, by index, or of one of its paths: a text, or its condition. */
  itemLabel?(block: B, item: number, path?: number): string | Condition | undefined
  /** On paid plans, replaces credentials that were removed from a flow. Absent: nothing does. */
  fallbackCredentialsId?: string
  /** Variable whose value must not be stored in results. Absent: none. */
  hides?(block: B): string | undefined
  /** The expressions that look into the body of a call, as `data`. Absent: nobody calls it. */
  readsBody?(block: B): string[]
  /** The template of the body that it sends; "": all that the chat has collected; undefined: none. */
  sendsBody?(block: B): string | undefined
}

/** A place to which a block leads without an edge. */
type StaticTarget = {
  /** Where the block names it. */
  at: PathInBlock
  /** The bot; absent or "current": the block's own. */
  botId?: string | undefined
  /** Id of the group, or one {{variable}} that holds its title; absent: the start. */
  groupId?: string | undefined
  /** Absent: the first block of the group. */
  blockId?: string | undefined
}

/** Something that keeps a block from doing its job. */
export type Problem = {
  /** The rule of authoring/lint that it breaks. */
  rule:
    | "address-without-scheme"
    | "choice-without-items"
    | "choice-without-label"
    | "endless-wait"
    | "http-without-url"
    | "invalid-json"
    | "missing-jump-target"
    | "no-recipients"
    | "one-sided-test"
    | "unknown-country"
  at: PathInBlock
  /** What is wrong, as a sentence. */
  message: string
}

/** Code of a block: a program may wait, an expression may not; browsers have names of their own. */
export type BlockCode = {
  at: PathInBlock
  code: string
  mode: "expression" | "program"
  isAtClient: boolean
}

/** An address that an author wrote for an API, perhaps with variables. */
export type KeyAddress = { at: PathInBlock; address: string; credentialsId: string }

/** What the linter needs to know about a type. */
export type LintTraits<B> = {
  /** True: it only decides where to go, sets variables or waits, which visitors do not see. */
  isSilent?: true
  /** True: an item without an edge ends the path, whatever follows the block. */
  needsItemEdges?: true
  /** Where it leads without an edge; undefined: nowhere. Absent: this type never does. */
  staticTarget?(block: B): StaticTarget | undefined
  /** The conditions it depends on; undefined where one is missing. Absent: none. */
  conditions?(block: B): { at: PathInBlock; condition: Condition | undefined }[]
  /** Whether it does nothing without `options.credentialsId`. Absent: it works without. */
  needsCredentials?(block: B): boolean
  /** The address, other than its provider's, to which it sends its credential. Absent: none. */
  sendsKeyTo?(block: B): KeyAddress | undefined
  /** JavaScript that it has run, besides inline code in its texts. Absent: none. */
  codes?(block: B): BlockCode[]
  /** Problems that only this type can have. Absent: none. */
  problems?(block: B): Problem[]
  /** Names of members whose texts are never filled in: notes, leftovers of older versions. */
  unfilled?: readonly string[]
}
