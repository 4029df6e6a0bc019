/** A file store in a temporary folder. */
import { randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import {
  createFileStore,
  type Download,
  type FileStore,
} from "../../src/effects/files/fileStore.ts"
import { createLocalStorage } from "../../src/effects/files/localStorage.ts"

/** Opens a store of its own; its folder is only made once a file is kept. */
export function testFiles(): FileStore {
  return createFileStore({
    storage: createLocalStorage(join(tmpdir(), `parley-files-${randomUUID()}`)),
    publicUrl: "http://parley.test",
    keys: [Buffer.alloc(32, 1)],
    folderKey: Buffer.alloc(32, 2),
  })
}

/** What a reader gets of a file; undefined: nothing. */
export async function contentOf(download: Download | undefined): Promise<string | undefined> {
  return download && "read" in download ? await text(download.read()) : undefined
}

const amount = { files: 50, bytes: 100_000_000 }

/** Bounds that no test comes near by accident. */
export const testUploadBounds = { perChat: amount, perAddress: amount }
