/** Stores `data:` addresses of a bot as its files. */
import type { FilesOwner } from "../db/bots/authorFiles.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { extensionOfFile } from "../effects/files/servedAs.ts"
import { mapTexts } from "../lib/json.ts"
import { isMedia } from "./storeAuthorFiles.ts"

/** A stored file, and its name for authors. */
export type StoredFile = { key: string; name: string; bytes: number }

const maxFiles = 100

// Bounded, so that no text makes it rescan the same part.
const dataUrl =
  /data:([a-z]{1,20}\/[\w.+-]{1,100})(?:;[\w=.-]{1,100}){0,5};base64,([A-Za-z0-9+/]+={0,2})/gi

type Deps = { files: Pick<FileStore, "newAuthorKey" | "saveAuthorFile" | "addressOf"> }

/**
 * Stores pictures, audio, video and fonts, and returns the JSON with their addresses. Others stay as they
 * are, and so do those beyond 100 files or `maxBytes`.
 */
export async function storeDataUrls<Json>(
  { files }: Deps,
  json: Json,
  { owner, maxBytes }: { owner: FilesOwner; maxBytes: number },
): Promise<{ json: Json; stored: StoredFile[] }> {
  const found = new Map<string, { fileType: string; base64: string }>()
  mapTexts(json, (text) => {
    for (const [url, fileType = "", base64 = ""] of text.matchAll(dataUrl))
      found.set(url, { fileType, base64 })
    return text
  })
  const stored: StoredFile[] = []
  const addresses = new Map<string, string>()
  let leftBytes = maxBytes
  for (const [url, { fileType, base64 }] of found) {
    const extension = extensionOfFile({ fileName: "", fileType })
    const bytes = Buffer.from(base64, "base64")
    const hasRoom = stored.length < maxFiles && bytes.length <= leftBytes
    if (!isMedia(extension) || bytes.length === 0 || !hasRoom) continue
    leftBytes -= bytes.length
    const key = files.newAuthorKey(owner, extension)
    await files.saveAuthorFile(key, bytes)
    const name = `${fileType.split("/")[0]?.toLowerCase()}-${stored.length + 1}.${extension}`
    stored.push({ key, name, bytes: bytes.length })
    addresses.set(url, files.addressOf(key))
  }
  if (stored.length === 0) return { json, stored }
  const changed = mapTexts(json, (text) =>
    text.includes("data:") ? text.replace(dataUrl, (url) => addresses.get(url) ?? url) : text,
  )
  return { json: changed as Json, stored }
}
