/** Declarations of a block type for storing and checking flows. */
import type { ModelAsk } from "../calls.ts"
import type { Condition } from "../schema/condition.ts"

/** The keys that lead from a block to a value in it. */
export type PathInBlock = readonly (string | number)[]

/** A provider of language models. */
export type ModelProvider = Pick<ModelAsk, "protocol" | "baseUrl"> & {
  /** True: all its models accept a schema for their answer. Absent: some refuse it. */
  takesSchema?: true
}

/** Traits for upgrades, imports and publication. */
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
  /** The label of an item or of one of its paths: a text or its condition. */
  itemLabel?(block: B, item: number, path?: number): string | Condition | undefined
  /** On paid plans, replaces credentials that were removed from a flow. Absent: no replacement. */
  fallbackCredentialsId?: string
  /** Variable whose value must not be stored in results. Absent: none. */
  hides?(block: B): string | undefined
  /** Expressions that read the body of a call as `data`. Absent: it cannot be called. */
  readsBody?(block: B): string[]
  /** The provider that it asks, whose models editors may ask other things. Absent: none. */
  provider?: ModelProvider
  /** Template of the body that it sends; "": all values of the chat; undefined: none. */
  sendsBody?(block: B): string | undefined
}

/** A place that a block leads to without an edge. */
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

/** A defect that keeps a block from working. */
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
  /** A sentence for authors. */
  message: string
}

/** Code of a block: only programs may `await`; browsers have globals of their own. */
export type BlockCode = {
  at: PathInBlock
  code: string
  mode: "expression" | "program"
  isAtClient: boolean
}

/** An address that an author wrote for an API, perhaps with variables. */
export type KeyAddress = {
  at: PathInBlock
  address: string
  credentialsId: string
  /** False: the credential alone names the hosts. Absent: those of the provider are known. */
  hasProvider?: false
}

/** Traits for the linter. */
export type LintTraits<B> = {
  /** True: invisible to visitors: it branches, sets variables or waits. */
  isSilent?: true
  /** True: an item without an edge ends the path, even before a next block. */
  needsItemEdges?: true
  /** The place that it leads to without an edge; undefined: none. Absent: this type never does. */
  staticTarget?(block: B): StaticTarget | undefined
  /** The conditions it depends on; undefined where one is missing. Absent: none. */
  conditions?(block: B): { at: PathInBlock; condition: Condition | undefined }[]
  /** Whether it does nothing without `options.credentialsId`. Absent: it works without. */
  needsCredentials?(block: B): boolean
  /** A custom address that it sends its credential to. Absent: none. */
  sendsKeyTo?(block: B): KeyAddress | undefined
  /** True: `options.credentialsId` may sign the request in `options.webhook`. Absent: it makes none of its own. */
  signsRequest?: true
  /** Members from which secrets of the workspace leave with a request or a mail. Absent: none. */
  sendsSecrets?(block: B): PathInBlock[]
  /** JavaScript of its options, without inline code in texts. Absent: none. */
  codes?(block: B): BlockCode[]
  /** Problems that only this type can have. Absent: none. */
  problems?(block: B): Problem[]
  /** Members whose texts are never filled in: notes, leftovers of older versions. */
  unfilled?: readonly string[]
}
