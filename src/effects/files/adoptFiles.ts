/** Copies the files that an imported flow refers to, so that they survive the original bot. */
import { mapTexts } from "../../lib/json.ts"
import { type AddressSettings, filesPath } from "./fileAddress.ts"
import { publicFolder, publicFolders, readFileKey } from "./fileKeys.ts"
import type { FileStorage } from "./storage.ts"

/** The ids of the old and the new bot. */
type Move = {
  from: string
  to: string
  /** Called with each copy: its original, its address, and its bytes. */
  onCopy?: (copy: FileCopy) => void
  /** Max bytes of all copies together; absent: 100 MB. */
  maxBytes?: number
}

/** A copied file of another bot. */
export type FileCopy = { original: string; key: string; bytes: number }

/**
 * Copies the public files of the old bot, and returns the JSON with the addresses of the copies. The caller
 * must be allowed to read the old bot. Files that no longer exist keep their addresses, and so do those
 * beyond 100 files or 100 MB.
 */
export type AdoptFiles = <T>(json: T, move: Move) => Promise<T>

const maxFiles = 100
const usualMaxBytes = 100_000_000

/** Copies within one storage. */
export function createAdoptFiles(
  storage: FileStorage,
  { publicUrl, folders }: AddressSettings,
): AdoptFiles {
  const filesUrl = `${publicUrl}${filesPath}`
  return async (json, { from, to, onCopy, maxBytes = usualMaxBytes }) => {
    const prefixes = publicFolders(folders, from).map((folder) => `${filesUrl}${folder}/`)
    const named = new Set<string>()
    const note = (url: string) => {
      named.add(url)
      return url
    }
    mapTexts(json, (text) => replaceAll(text, prefixes, note))
    if (named.size === 0) return json
    const copies = new Map<string, string>()
    let leftBytes = Math.min(maxBytes, usualMaxBytes)
    for (const url of [...named].slice(0, maxFiles)) {
      const key = url.slice(filesUrl.length)
      const facts = readFileKey(key)
      const bytes = facts && (await storage.read(key))
      if (!bytes || bytes.byteLength > leftBytes) continue
      leftBytes -= bytes.byteLength
      const copy = `${publicFolder(folders, to)}/${facts.name}`
      await storage.write(copy, bytes)
      copies.set(url, `${filesUrl}${copy}`)
      onCopy?.({ original: key, key: copy, bytes: bytes.byteLength })
    }
    const copyOf = (url: string) => copies.get(url) ?? url
    return mapTexts(json, (text) => replaceAll(text, prefixes, copyOf)) as typeof json
  }
}

/** Replaces each address that starts with one of the prefixes. */
function replaceAll(text: string, prefixes: readonly string[], replace: (url: string) => string) {
  return prefixes.reduce((before, prefix) => replaceUrls(before, prefix, replace), text)
}

function replaceUrls(text: string, prefix: string, replace: (url: string) => string): string {
  const [first = "", ...rest] = text.split(prefix)
  return rest.reduce((before, after) => {
    const [path = ""] = /^[\w/-]*\w\.\w+/.exec(after) ?? []
    const put = path === "" ? prefix : replace(prefix + path)
    return before + put + after.slice(path.length)
  }, first)
}
