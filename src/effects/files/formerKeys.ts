/** Keys and addresses with ids of bots, results and blocks in them: read and removed, made no more. */
import { createHash } from "node:crypto"
import type { FileOwner } from "./fileFolders.ts"

const keyPattern =
  /^(public|private)\/(?:previews\/\d{4}-\d\d-\d\d\/)?bots\/([\w-]+)(?:\/results\/([\w-]+))?(?:\/blocks\/[\w-]+)?\/(\w+\.\w+)$/

/** What a former key tells; undefined when it is none. */
export function readFormerKey(key: string): FormerKey | undefined {
  const [, access, botId, resultId, name] = keyPattern.exec(key) ?? []
  if (botId === undefined || name === undefined) return undefined
  const isPrivate = access === "private"
  const isOwn = (owner: FileOwner) => {
    if (botId !== segment(owner.botId)) return false
    return !isPrivate || (owner.resultId !== undefined && resultId === owner.resultId)
  }
  return { isPrivate, name, isOwn }
}

/** A former key, and whether its file was made in a chat, or is a public one of its bot. */
export type FormerKey = { isPrivate: boolean; name: string; isOwn(owner: FileOwner): boolean }

/** The folders that hold what was kept of a result. */
export function formerResultFolders(owner: { botId: string; resultId: string }): string[] {
  return formerBotFolders(owner.botId).map(
    (folder) => `${folder}/results/${segment(owner.resultId)}`,
  )
}

/** The folders that hold what was kept of a bot, the public one first. */
export function formerBotFolders(botId: string): [string, string] {
  return [`public/bots/${segment(botId)}`, `private/bots/${segment(botId)}`]
}

const pathPattern = /^\/api\/v1\/bots\/([^/]+)\/results\/([^/]+)\/blocks\/([^/]+)\/([\w.]+)$/

/** The bot and the key that the former path of a private file names; undefined: it is none. */
export function readFormerPath(path: string): { botId: string; key: string } | undefined {
  const [, ...parts] = pathPattern.exec(path) ?? []
  const [botId, resultId, block, name] = parts.map(decodeURIComponent)
  if (botId === undefined || resultId === undefined || block === undefined) return undefined
  const blocks = block === "-" ? "" : `/blocks/${segment(block)}`
  const key = `${formerBotFolders(botId)[1]}/results/${segment(resultId)}${blocks}/${name}`
  return readFormerKey(key) && { botId, key }
}

/** Ids from imported flows may hold anything; what is no plain word is replaced by its hash. */
function segment(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id
  return `h${createHash("sha256").update(id).digest("hex").slice(0, 32)}`
}
