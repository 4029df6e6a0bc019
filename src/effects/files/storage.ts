/** The contract of storages for the bytes of files: the local disk, or an object store. */
import type { FileAmount } from "../../db/chats/uploads.ts"

/** The bytes of a file: all at once, or as a stream. */
export type FileBytes = Uint8Array | AsyncIterable<Uint8Array>

/** Stores bytes under keys that have been checked. */
export type FileStorage = {
  /**
   * Stores bytes under a key. Returns false if the key is taken, and changes nothing. If the stream ends
   * in an error, rejects with it and stores nothing.
   */
  write(key: string, bytes: FileBytes): Promise<boolean>
  /** Returns undefined if the key holds nothing. */
  read(key: string): Promise<Uint8Array | undefined>
  /** Finds how clients read a file. May return undefined if the key holds nothing. */
  serve(key: string, seconds: number): Promise<Served | undefined>
  /** The bytes of a file. Returns undefined if the key holds nothing. */
  measure(key: string): Promise<number | undefined>
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>
  /** Measures the files in a folder and its subfolders. */
  measureFolder(folder: string): Promise<FileAmount>
  /** Lists the names of the folders directly below a folder. */
  listFolders(folder: string): Promise<string[]>
  /** Deletes a folder and everything in it, if it exists. */
  deleteFolder(folder: string): Promise<void>
}

/**
 * How clients read a file: as it is read from the disk, whole or from one byte to another, or from a temporary
 * address of an object store.
 */
export type Served =
  | { size: number; read(part?: { start: number; end: number }): AsyncIterable<Uint8Array> }
  | { redirectTo: string }
