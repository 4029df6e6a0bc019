/** Where the bytes of files are: the contract of the local disk and of object stores. */
import type { FileAmount } from "../../db/chats/uploads.ts"

/** The bytes of a file: all of them, or as they come. */
export type FileBytes = Uint8Array | AsyncIterable<Uint8Array>

/** A place for bytes under checked keys. */
export type FileStorage = {
  /**
   * Keeps bytes under a key. Returns false when the key is taken, whose bytes stay. When the bytes end
   * in an error, it rejects with that and keeps nothing.
   */
  write(key: string, bytes: FileBytes): Promise<boolean>
  /** Returns undefined when the key holds nothing. */
  read(key: string): Promise<Uint8Array | undefined>
  /** Measures the files of a folder and of the folders in it. */
  measureFolder(folder: string): Promise<FileAmount>
  /** Lists the names of the folders directly below a folder. */
  listFolders(folder: string): Promise<string[]>
  /** Removes a folder with everything in it, if it exists. */
  removeFolder(folder: string): Promise<void>
  /** Addresses of the object store for clients; absent: this process passes the bytes on. */
  direct?: DirectStorage
}

/** Addresses of an object store that work for a while and for one key. */
type DirectStorage = {
  signUpload(
    key: string,
    limits: { maxBytes: number; seconds: number },
  ): { url: string; fields: Record<string, string> }
  signDownload(key: string, seconds: number): Promise<string>
}
