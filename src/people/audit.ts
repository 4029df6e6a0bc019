/** Writes the audit log: an entry per operation, in the transaction of its change if there is one. */

import type { ChangeLog, Source } from "../db/connection/openDatabase.ts"
import { saveAuditEntry } from "../db/people/auditLog.ts"
import { newUuid } from "../lib/ids.ts"
import type { Caller } from "./caller.ts"

export type Audit = ChangeLog & {
  /** The bot that the operation was sent for; undefined: none. */
  botId: string | undefined
  /** Says that the operation changes nothing: a dry run. */
  skip(): void
  /** Says how many things were changed, by kind. */
  count(counts: Record<string, number>): void
  /** Writes the entry, now that the operation has succeeded with this answer. */
  finish(db: Source, answer: unknown): Promise<void>
}

/** The call that an entry is about. */
type AuditedCall = {
  /** Absent: an operator at the command line, or a service that acts for them. */
  user?: Pick<Caller, "id" | "tokenId">
  /** Whether it is done with the right of an operator; absent: with a role in the workspace. */
  isByOperator?: boolean
  operationId: string
  /** The input as it was sent; only ids are taken from it. */
  input: unknown
}

/** Opens the entry of an operation, which is written only when a workspace was named. */
export function openAudit({ user, operationId, input, isByOperator = false }: AuditedCall): Audit {
  const id = newUuid()
  const target = idsIn(input)
  // Never from the input: it may name a workspace that the operation ignores and the caller has no access to.
  let workspaceId: string | undefined
  let counts: Record<string, number> | undefined
  let isSkipped = false
  const write = async (source: Source) => {
    if (workspaceId === undefined || isSkipped) return
    const { id: userId = null, tokenId = null } = user ?? {}
    const who = { userId, tokenId, isByOperator }
    await saveAuditEntry(source, {
      id,
      workspaceId,
      ...who,
      operation: operationId,
      target,
      counts,
    })
  }
  return {
    botId: target.botId,
    about(id) {
      workspaceId = id
    },
    skip() {
      isSkipped = true
    },
    count(made) {
      counts = made
    },
    write,
    async finish(db, answer) {
      if (isSkipped) return
      const made = idsOfThings(answer)
      workspaceId ??= made.workspaceId
      // Also in place of what was sent: the copy that was made instead of its original.
      Object.assign(target, made)
      await write(db)
    },
  }
}

/** Members whose values identify what an operation changes. */
const targetNames = new Set([
  "workspaceId",
  "botId",
  "version",
  "credentialsId",
  "userId",
  "invitationId",
  "collaboratorId",
  "folderId",
  "fileId",
  "templateId",
  "fromTemplate",
  "endpointId",
  "deliveryId",
  "sessionId",
  "variableName",
])
const maxIdLength = 64

/** The ids among the members of an input, and the number of a version. */
function idsIn(input: unknown): Record<string, string> {
  if (typeof input !== "object" || input === null) return {}
  const ids = Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
    const isId = targetNames.has(name) && /^[\w-]+$/.test(text) && text.length <= maxIdLength
    return isId ? [[name, text] as const] : []
  })
  return Object.fromEntries(ids)
}

/** The id of a created thing, from the answer: `{bot: {id}}` has a `botId`; or the name, if things have that as id. */
function idsOfThings(answer: unknown): Record<string, string> {
  if (typeof answer !== "object" || answer === null) return {}
  const things = Object.entries(answer).flatMap(([name, value]): [string, string][] => {
    if (typeof value !== "object" || value === null) return []
    if ("id" in value) return typeof value.id === "string" ? [[`${name}Id`, value.id]] : []
    return "name" in value ? Object.entries(idsIn({ [`${name}Name`]: value.name })) : []
  })
  return { ...idsIn(answer), ...Object.fromEntries(things) }
}
