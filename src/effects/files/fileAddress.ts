/** Addresses of files: public ones lead to the file, private ones ask for a token, both last. */
import { type NewFile, privateFileKey, readFileKey } from "./fileKeys.ts"

/** Path, below the public address, of everything that is kept. */
export const filesPath = "/files/"

// Files of no block have a place in the path all the same.
const noBlock = "-"

/** The lasting address of a file. */
export function fileAddress(publicUrl: string, key: string, file: NewFile): string {
  const facts = readFileKey(key)
  if (!facts?.isPrivate) return `${publicUrl}${filesPath}${key}`
  const { botId, resultId = "", blockId = noBlock } = file
  const [bot, result, block] = [botId, resultId, blockId].map(encodeURIComponent)
  return `${publicUrl}/api/v1/bots/${bot}/results/${result}/blocks/${block}/${facts.name}`
}

/** The key behind an address; undefined: it is none of ours. */
export function keyOfAddress(publicUrl: string, url: string): string | undefined {
  if (!url.startsWith(`${publicUrl}/`)) return undefined
  const path = url.slice(publicUrl.length).split(/[?#]/)[0] ?? ""
  return path.startsWith(filesPath)
    ? publicKeyOf(path.slice(filesPath.length))
    : privatePathOf(path)?.key
}

/** What the path of a private file says; undefined: it is another path. */
export function privatePathOf(path: string): PrivatePath | undefined {
  const [, ...parts] = privatePattern.exec(path) ?? []
  try {
    const [botId, resultId, block, name] = parts.map(decodeURIComponent)
    if (botId === undefined || resultId === undefined || name === undefined) return undefined
    const blockId = block === noBlock ? undefined : block
    const key = privateFileKey({ botId, resultId, blockId, name })
    return key === undefined ? undefined : { botId, resultId, key }
  } catch {
    // A malformed percent escape.
    return undefined
  }
}

/** A private file as its path names it. */
export type PrivatePath = { botId: string; resultId: string; key: string }

const privatePattern = /^\/api\/v1\/bots\/([^/]+)\/results\/([^/]+)\/blocks\/([^/]+)\/([\w.]+)$/

function publicKeyOf(key: string): string | undefined {
  return readFileKey(key) && key
}
