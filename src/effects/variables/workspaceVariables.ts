/**
 * The variables of workspaces, kept in memory because a turn must not query for them. Processes notify each
 * other of changes, and poll so that none is more than five seconds behind.
 */
import { LRUCache } from "lru-cache"
import type { Notifications } from "../../db/connection/notifications.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import {
  listVariables,
  resealVariable,
  type VariableRow,
  variableVersions,
} from "../../db/people/workspaceVariables.ts"
import type { Log } from "../../telemetry/log.ts"
import type { Cipher } from "../credentials/cipher.ts"
import type { KnownVariables } from "./turnVariables.ts"

export type WorkspaceVariableMemory = {
  /** The variables of a workspace: from memory, but for the first time. */
  of(workspaceId: string): KnownVariables | Promise<KnownVariables>
  /** Forgets those of a workspace that were just changed here, in every process. */
  changed(workspaceId: string): Promise<void>
  close(): void
}

type MemoryDeps = {
  /** Connections that turns wait for only once. */
  db: Db
  cipher: Cipher
  notifications: Pick<Notifications, "on" | "notify">
  log: Pick<Log, "warn">
  /** Interval of polls. Absent: four seconds. */
  everyMs?: number
}

/** A workspace holds at most some 2 MB. */
const maxCharacters = 32_000_000
const maxWorkspaces = 10_000

type Entry = {
  /** Absent: not read yet. */
  known?: KnownVariables
  reading: Promise<KnownVariables>
  /** As `variableVersions` has it. */
  version: string
}

export function openWorkspaceVariables(deps: MemoryDeps): WorkspaceVariableMemory {
  const { db, notifications, log, everyMs = 4_000 } = deps
  const entries = new LRUCache<string, Entry>({ max: maxWorkspaces, maxSize: maxCharacters })

  const begin = (workspaceId: string): Entry => {
    const entry: Entry = { version: "", reading: read() }
    async function read() {
      try {
        // Taken before the list, so that the next poll sees a change in between.
        const version = (await variableVersions(db, [workspaceId])).get(workspaceId) ?? ""
        const known = await knownOf(deps, await listVariables(db, workspaceId))
        Object.assign(entry, { known, version })
        // A change meanwhile has removed the entry: only the turns that wait for it use it.
        if (entries.peek(workspaceId) === entry) {
          entries.set(workspaceId, entry, { size: sizeOf(known) })
        }
        return known
      } catch (error) {
        if (entries.peek(workspaceId) === entry) entries.delete(workspaceId)
        throw error
      }
    }
    entries.set(workspaceId, entry, { size: 1 })
    return entry
  }

  const poll = async () => {
    const read = [...entries.entries()].filter(([, { known }]) => known)
    if (read.length === 0) return
    const versions = await variableVersions(
      db,
      read.map(([workspaceId]) => workspaceId),
    )
    for (const [workspaceId, entry] of read) {
      const isSame = (versions.get(workspaceId) ?? "") === entry.version
      if (!isSame && entries.peek(workspaceId) === entry) entries.delete(workspaceId)
    }
  }
  const timer = setInterval(() => {
    poll().catch((error) => log.warn({ err: error }, "Variables of workspaces could not be read"))
  }, everyMs).unref()
  const forget = notifications.on("variables_changed", (workspaceId) => {
    entries.delete(workspaceId)
  })

  return {
    of(workspaceId) {
      const entry = entries.get(workspaceId) ?? begin(workspaceId)
      return entry.known ?? entry.reading
    },
    async changed(workspaceId) {
      entries.delete(workspaceId)
      await notifications.notify("variables_changed", workspaceId)
    },
    close() {
      clearInterval(timer)
      forget()
    },
  }
}

/** Leaves out secrets whose key is lost; those of a former key are encrypted with the current one. */
async function knownOf(
  { db, cipher }: Pick<MemoryDeps, "db" | "cipher">,
  rows: readonly VariableRow[],
): Promise<KnownVariables> {
  const known = new Map<string, { value: string; isSecret: boolean }>()
  for (const row of rows) {
    const value = row.value ?? openSecret(row, cipher)
    if (value === undefined) continue
    const { workspaceId, name, nonce, keyId } = row
    known.set(name, { value, isSecret: row.value === null })
    if (nonce && keyId !== null && cipher.isOutdated({ keyId })) {
      const sealed = cipher.seal(sealedFor(workspaceId, name), value)
      await resealVariable(db, { workspaceId, name, nonce }, sealed)
    }
  }
  return known
}

/** The value of a secret; undefined: its key is lost. */
export function openSecret(
  { workspaceId, name, data, nonce, keyId }: VariableRow,
  cipher: Pick<Cipher, "open">,
): string | undefined {
  if (!data || !nonce || keyId === null) return undefined
  const value = cipher.open(sealedFor(workspaceId, name), { data, nonce, keyId })
  return typeof value === "string" ? value : undefined
}

/** What a secret is bound to by its encryption. */
export function sealedFor(workspaceId: string, name: string): string {
  return `variable ${workspaceId} ${name}`
}

function sizeOf(known: KnownVariables): number {
  let size = 1
  for (const [name, { value }] of known) size += name.length + value.length
  return size
}
