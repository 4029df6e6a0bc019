/**
 * Parses keys and addresses with ids, as early versions before 0.2.0 made them: flows and results of adopted
 * databases hold them. They are read and removed, and no longer made.
 */
import { createHash } from "node:crypto"

const keyPattern =
  /^(public|private)\/(?:previews\/\d{4}-\d\d-\d\d\/)?bots\/([\w-]+)(?:\/results\/([\w-]+))?(?:\/blocks\/[\w-]+)?\/(\w+\.\w+)$/

/** Parses a former key. Returns undefined for other keys. */
export function readFormerKey(key: string): FormerKey | undefined {
  const [, access, botId, resultId, name] = keyPattern.exec(key) ?? []
  if (botId === undefined || name === undefined) return undefined
  const isPrivate = access === "private"
  const isOwn = (owner: Owner) => {
    if (botId !== segment(owner.botId)) return false
    return !isPrivate || (owner.resultId !== undefined && resultId === owner.resultId)
  }
  return { isPrivate, name, isOwn }
}

type FormerKey = { isPrivate: boolean; name: string; isOwn(owner: Owner): boolean }

type Owner = { botId: string; resultId?: string | undefined }

/** The folders with the files of a result. */
export function formerResultFolders(owner: { botId: string; resultId: string }): string[] {
  return formerBotFolders(owner.botId).map(
    (folder) => `${folder}/results/${segment(owner.resultId)}`,
  )
}

/** The folders with the files of a bot, the public one first. */
export function formerBotFolders(botId: string): [string, string] {
  return [`public/bots/${segment(botId)}`, `private/bots/${segment(botId)}`]
}

const pathPattern = /^\/api\/v1\/bots\/([^/]+)\/results\/([^/]+)\/blocks\/([^/]+)\/([\w.]+)$/

/** Parses the former path of a private file. Returns undefined for other paths. */
export function readFormerPath(path: string): { botId: string; key: string } | undefined {
  const [, ...parts] = pathPattern.exec(path) ?? []
  const [botId, resultId, block, name] = parts.map(decodeURIComponent)
  if (botId === undefined || resultId === undefined || block === undefined) return undefined
  const blocks = block === "-" ? "" : `/blocks/${segment(block)}`
  const key = `${formerBotFolders(botId)[1]}/results/${segment(resultId)}${blocks}/${name}`
  return readFormerKey(key) && { botId, key }
}

/** Ids of imported flows can be anything; those that are not plain words are replaced by a hash. */
function segment(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id
  return `h${createHash("sha256").update(id).digest("hex").slice(0, 32)}`
}
