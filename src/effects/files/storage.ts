/** Where the bytes of files lie: the contract of the local disk and of an object store. */
import type { FileAmount } from "../../db/chats/uploads.ts"

/** The bytes of a file: at hand, or as they come. */
export type FileBytes = Uint8Array | AsyncIterable<Uint8Array>

/** A place for bytes under checked keys. */
export type FileStorage = {
  /**
   * Keeps bytes under a key; false: there are some already, which stay. When the bytes come to an
   * error instead of their end, it rejects with that and keeps nothing.
   */
  write(key: string, bytes: FileBytes): Promise<boolean>
  /** Undefined: nothing lies there. */
  read(key: string): Promise<Uint8Array | undefined>
  /** How much lies in a folder, in whatever depth. */
  measureFolder(folder: string): Promise<FileAmount>
  /** Names of the folders directly below a folder. */
  listFolders(folder: string): Promise<string[]>
  /** Removes a folder with everything in it; one that is not there is no error. */
  removeFolder(folder: string): Promise<void>
  /** Object stores let clients come to them directly; absent: this process passes the bytes on. */
  direct?: DirectStorage
}

/** Addresses of an object store that work for a while and for one key. */
export type DirectStorage = {
  signUpload(
    key: string,
    limits: { maxBytes: number; seconds: number },
  ): { url: string; fields: Record<string, string> }
  signDownload(key: string, seconds: number): Promise<string>
}
