/** Versions of bots, prepared for running and kept in memory: they never change. */
import { createHash } from "node:crypto"
import { LRUCache } from "lru-cache"
import { type Bot, type Flow, prepareBot } from "../engine/bot.ts"
import type { Db, Statement } from "./open.ts"
import { findPreviewFlow, savePreviewFlow } from "./previews.ts"

/** A version that can be run, and the workspace whose bots and credentials it may use. */
export type Snapshot = { bot: Bot; workspaceId: string }

type VersionRow = {
  botId: string
  workspaceId: string
  schemaVersion: Flow["version"]
  payload: string
}

/** The read of a version that is not in memory. */
export const findVersionStatement: Statement = {
  name: "find_version",
  text: `select v.bot_id as "botId", b.workspace_id as "workspaceId",
  v.schema_version as "schemaVersion", v.payload::text as payload
from bot_versions v join bots b on b.id = v.bot_id where v.id = $1`,
}

/** The versions of this process. */
export type Snapshots = {
  /** A published version; undefined when it is gone. */
  load(versionId: string): Promise<Snapshot | undefined>
  /** A flow under preview by the hash that `keep` gave; undefined when it is gone. */
  loadPreview(hash: string, botId: string): Promise<Bot | undefined>
  /** Stores a flow under preview and prepares it; `bot.version` is its hash in hex. */
  keepPreview(flow: Flow, botId: string): Promise<Bot>
}

const defaultMaxBytes = 128 * 1024 * 1024

// A prepared flow takes a few times the memory of its JSON text.
const bytesPerCharacter = 4

/** Opens the cache; the least recently used versions go when `maxBytes` are held. */
export function openSnapshots(db: Db, maxBytes = defaultMaxBytes): Snapshots {
  const versions = new LRUCache<string, Snapshot, void>({
    maxSize: maxBytes,
    fetchMethod: async (versionId, _stale, { options }) => {
      const rows = await db.run<VersionRow>(findVersionStatement, [versionId])
      const row = rows[0]
      if (!row) return undefined
      options.size = row.payload.length * bytesPerCharacter
      const flow: Flow = { version: row.schemaVersion, ...JSON.parse(row.payload) }
      return { bot: prepareBot(flow, versionId, row.botId), workspaceId: row.workspaceId }
    },
  })
  const previews = new LRUCache<string, Bot>({ maxSize: maxBytes / 4 })
  const remember = (hash: string, botId: string, payload: string) => {
    const bot = prepareBot(JSON.parse(payload) as Flow, hash, botId)
    previews.set(`${hash} ${botId}`, bot, { size: payload.length * bytesPerCharacter })
    return bot
  }
  return {
    load: (versionId) => versions.fetch(versionId),
    async loadPreview(hash, botId) {
      const known = previews.get(`${hash} ${botId}`)
      if (known) return known
      const payload = await findPreviewFlow(db, Buffer.from(hash, "hex"))
      return payload === undefined ? undefined : remember(hash, botId, payload)
    },
    async keepPreview(flow, botId) {
      const payload = JSON.stringify(flow)
      const digest = createHash("sha256").update(payload).digest()
      await savePreviewFlow(db, digest, payload)
      const hash = digest.toString("hex")
      return previews.get(`${hash} ${botId}`) ?? remember(hash, botId, payload)
    },
  }
}
