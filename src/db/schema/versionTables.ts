/** The tables of versions and publications, as Kysely sees them. */
import type { Generated } from "kysely"
import type { DefaultTimestamp, GivenTimestamp, Json } from "./columnTypes.ts"

/** What a version holds: the flow as it was published. */
export type VersionPayload = {
  events: unknown[] | null
  groups: unknown[]
  edges: unknown[]
  variables: unknown[]
  theme: Record<string, unknown>
  settings: Record<string, unknown>
}

/** Origin of a version: published, kept on request, or kept because a restore replaced it. */
export type VersionOrigin = "publish" | "keep" | "restore"

export type PublicationKind = "publish" | "rollback" | "unpublish"

export type EditKind = "edit" | "undo" | "redo"

export type VersionTables = {
  /**
   * `bot_edits`: what each edit of a draft changed, kept for 30 days; a revision without a row changed
   * everything; no author = account deleted.
   */
  botEdits: {
    botId: string
    revision: number
    kind: EditKind
    target: number | null
    authorId: string | null
    changeId: string | null
    edits: Json<unknown[]>
    inverses: Json<unknown[]>
    elements: Json<string[]>
    bytes: number
    createdAt: DefaultTimestamp
  }

  /**
   * `bot_versions`: flows never change; `number` counts from 1 within a bot; no author = account deleted.
   */
  botVersions: {
    id: string
    botId: string
    number: number
    authorId: string | null
    schemaVersion: string
    contentHash: Buffer
    payload: Json<VersionPayload>
    createdAt: DefaultTimestamp
    note: string | null
    origin: Generated<VersionOrigin>
  }

  /** `published_bots`: the version of each bot that runs now. */
  publishedBots: {
    id: string
    botId: string
    versionId: string
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `publications`: the history of what was live; only added to; no version = unpublished. */
  publications: {
    botId: string
    at: GivenTimestamp
    kind: PublicationKind
    versionId: string | null
    authorId: string | null
    note: string | null
  }
}
