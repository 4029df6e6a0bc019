/** What a changed bot does otherwise in a conversation that was recorded. */

/** Kinds of differences. */
export const differenceKinds = [
  "text",
  "question",
  "answer",
  "path",
  "action",
  "outside",
  "end",
  "variable",
] as const

export type DifferenceKind = (typeof differenceKinds)[number]

/** Where something was shown, and what. */
export type Place = {
  /** Absent: the block is no longer there, or no block showed it. */
  groupTitle?: string
  blockId?: string
  /** The part around what differs. */
  excerpt?: string
}

/** The first difference of a conversation; a side is absent where nothing was shown. */
export type Difference = {
  kind: DifferenceKind
  /** The name of a variable of which the result holds something else. */
  variable?: string
  before?: Place | undefined
  after?: Place | undefined
}

/** Why a conversation cannot be replayed. */
export const replayObstacles = [
  "oldRecord",
  "cutRecord",
  "versionDeleted",
  "continued",
  "steered",
  "unrecorded",
  "diverged",
  "tooLong",
] as const

export type ReplayObstacle = (typeof replayObstacles)[number]

/** What the replay of a conversation came to. */
export type Replayed =
  | { isSame: true }
  /** `isReadOtherwise`: the reply that followed, or that differs, would have been read otherwise. */
  | { difference: Difference; isReadOtherwise: boolean }
  | { obstacle: ReplayObstacle }
