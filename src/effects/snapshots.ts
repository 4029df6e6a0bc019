/** Versions of bots, prepared for running and kept in memory: they never change. */
import { createHash } from "node:crypto"
import { LRUCache } from "lru-cache"
import { findPreviewFlow, type PreviewOwner, savePreviewFlow } from "../db/chats/previews.ts"
import { findVersionToRun } from "../db/chats/runnable.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { type Bot, type Flow, prepareBot } from "../engine/bot.ts"
import { namesWorkspaceVariable } from "../engine/variables/workspaceVariables.ts"
import { bytesInMemory } from "../lib/bytesInMemory.ts"
import { memoize } from "../lib/memoize.ts"
import { type Party, workspaceParty } from "../lib/party.ts"

/**
 * A version ready to run, the workspace whose bots and credentials it may use, and the party it counts for.
 */
export type Snapshot = { bot: Bot; workspaceId: string; party: Party }

export type Snapshots = {
  /** Returns a published version, or undefined when it is gone; no promise when it is in memory. */
  load(versionId: string): Snapshot | undefined | Promise<Snapshot | undefined>
  /**
   * Finds a flow under preview by the version from `keepPreview`. Returns undefined when it is gone.
   */
  loadPreview(version: string): Promise<Bot | undefined>
  /**
   * Stores a flow under preview and prepares it; `bot.version` is its hash in hex, a colon, and the
   * bot's id, so that a bot and the bots it links to stay apart. Owners never share a flow, so that
   * the bounds of one do not affect the previews of another.
   */
  keepPreview(flow: Flow, botId: string, owner: PreviewOwner): Promise<Bot>
}

/** Returns the hash of the flow that a preview runs, from the version from `keepPreview`. */
export function previewHash(version: string): Buffer {
  return Buffer.from(version.slice(0, hashLength), "hex")
}

const hashLength = 64

// About 150 ordinary bots. With twice as much, calls for 750 of them in turn took a default service
// beyond 400 MB.
const maxBytes = 64 * 1024 * 1024

/** About how many bytes each bot takes that was prepared here. */
const sizes = new WeakMap<Bot, number>()

function prepare(flow: Flow, version: string, botId: string): { bot: Bot; size: number } {
  const bot = prepareBot(flow, version, botId)
  const size = bytesInMemory(flow)
  sizes.set(bot, size)
  return { bot, size }
}

const namesVariable = memoize(({ flow }: Bot) => namesWorkspaceVariable(flow))

/** Whether some bots may name variables of their workspace. */
export function useWorkspaceVariables(bots: Iterable<Bot>): boolean {
  for (const bot of bots) if (namesVariable(bot)) return true
  return false
}

/**
 * Whether some bots are more than one request may hold, which is as much as all others share: any one of
 * them, however large, is not.
 */
export function areTooLarge(bots: ReadonlyMap<string, Bot>): boolean {
  // The usual case, checked in every turn.
  if (bots.size < 2) return false
  return [...bots.values()].reduce((sum, bot) => sum + (sizes.get(bot) ?? 0), 0) > maxBytes
}

/** Creates the cache, which forgets the least recently used versions when it is full. */
export function createSnapshots(db: Db): Snapshots {
  const versions = new LRUCache<string, Snapshot, void>({
    maxSize: maxBytes,
    fetchMethod: async (versionId, _stale, { options }) => {
      const row = await findVersionToRun(db, versionId)
      if (!row) return undefined
      const { botId, workspaceId, schemaVersion, payload } = row
      const flow: Flow = { version: schemaVersion as Flow["version"], ...JSON.parse(payload) }
      const { bot, size } = prepare(flow, versionId, botId)
      options.size = size
      return { bot, workspaceId, party: workspaceParty(row) }
    },
  })
  const previews = new LRUCache<string, Bot>({ maxSize: maxBytes / 4 })
  const remember = (version: string, flow: Flow) => {
    const botId = version.slice(hashLength + 1)
    const { bot, size } = prepare(flow, version, botId)
    previews.set(version, bot, { size })
    return bot
  }
  return {
    load: (versionId) => versions.get(versionId) ?? versions.fetch(versionId),
    async loadPreview(version) {
      const known = previews.get(version)
      if (known) return known
      const payload = await findPreviewFlow(db, previewHash(version))
      if (payload === undefined) return undefined
      return remember(version, JSON.parse(payload) as Flow)
    },
    async keepPreview(flow, botId, owner) {
      const payload = JSON.stringify(flow)
      const digest = createHash("sha256").update(payload).digest()
      const hash = createHash("sha256").update(digest).update(owner.name).digest()
      await savePreviewFlow(db, { hash, payload, owner })
      const version = `${hash.toString("hex")}:${botId}`
      return previews.get(version) ?? remember(version, flow)
    },
  }
}
