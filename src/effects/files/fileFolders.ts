/** Names the folders of bots and results in the store, so that they tell nothing and can be found again. */
import { createHmac } from "node:crypto"

/** Who a file belongs to. */
export type FileOwner = {
  botId: string
  /** Absent in previews, whose files are public and temporary. */
  resultId?: string | undefined
}

/** The names, each of 128 bits that nobody can compute without the key. */
export type FileFolders = {
  ofBot(botId: string): string
  ofResult(owner: { botId: string; resultId: string }): string
}

/** Opens the names. `key` must never change: files that are kept are found by it when they are removed. */
export function openFileFolders(key: Buffer): FileFolders {
  const name = (...ids: string[]) =>
    createHmac("sha256", key).update(JSON.stringify(ids)).digest("hex").slice(0, 32)
  return {
    ofBot: (botId) => name("bot", botId),
    ofResult: ({ botId, resultId }) => name("result", botId, resultId),
  }
}
