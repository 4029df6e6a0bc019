/** Stores files: uploads of visitors and authors, and files made by blocks. */
import type { FileAmount } from "../../db/chats/uploads.ts"
import { AppError } from "../../lib/errors.ts"
import { type AdoptFiles, createAdoptFiles } from "./adoptFiles.ts"
import {
  type AddressSettings,
  fileAddress,
  filesPath,
  keyOfAddress,
  type PrivatePath,
  privatePathOf,
} from "./fileAddress.ts"
import {
  botFolders,
  createFileFolders,
  type FileFolders,
  type FileOwner,
  isOwnFile,
  type NewFile,
  newAuthorKey,
  newFileKey,
  previewsFolder,
  readFileKey,
  resultFolders,
  workspaceFolder,
} from "./fileKeys.ts"
import { createSigner, type Signer } from "./fileSignature.ts"
import { servedAs } from "./servedAs.ts"
import type { FileBytes, FileStorage, Served } from "./storage.ts"

/** An upload for a client to make: a form with these fields, followed by the file as `file`. */
export type Upload = {
  presignedUrl: string
  formData: Record<string, string>
  fileUrl: string
}

/** How a file is served, and its content type. */
export type Download = Served & ReturnType<typeof servedAs>

type UploadToSign = NewFile & {
  maxBytes: number
  /** The counter of the upload, by names of letters and digits. */
  countedIn?: readonly string[]
}

/** Permission to send the bytes of one upload. */
export type UploadPermit = {
  maxBytes: number
  /** The counter of the upload, as it was passed to be signed. */
  countedIn: string[]
  /**
   * Stores the bytes as they arrive, or nothing if they end in an error. Throws a 409 for a second
   * file.
   */
  keep(bytes: FileBytes): Promise<void>
}

/** Stores files. Keys that it has not made hold nothing. */
export type FileStore = {
  /** Stores bytes and returns their address. */
  save(bytes: Uint8Array, file: NewFile): Promise<string>
  /** Lets a client upload one file within ten minutes. */
  signUpload(file: UploadToSign): Upload
  /** Makes a key for a file of a bot, or with null for one of a workspace. */
  newAuthorKey(owner: { workspaceId: string; botId: string | null }, extension: string): string
  /** Lets an author upload the file of a key, which is counted under an id, within ten minutes. */
  signAuthorUpload(file: { id: string; key: string; bytes: number }): Upload
  /** Stores the file of a key. */
  saveAuthorFile(key: string, bytes: Uint8Array): Promise<void>
  /** The permanent address of a public file. */
  addressOf(key: string): string
  /** The bytes of a file. Returns undefined if it does not exist. */
  measureFile(key: string): Promise<number | undefined>
  /** Removes a file, if it exists. */
  deleteFile(key: string): Promise<void>
  /**
   * Checks the address of an upload to this process. Throws a 403 if it is wrong or has expired.
   */
  admitUpload(key: string, query: URLSearchParams): UploadPermit
  /** Reads the file at an address if it belongs to one of these results or is a public file of its bot. */
  readOwn(
    url: string,
    owners: readonly FileOwner[],
  ): Promise<{ key: string; bytes: Uint8Array } | undefined>
  /**
   * Finds how to serve a file. Returns undefined if the file does not exist, or the query does not
   * permit reading it.
   */
  download(key: string, query: URLSearchParams): Promise<Download | undefined>
  /** Finds the private file that a path of this service names. Returns undefined for other paths. */
  privatePathOf(path: string): PrivatePath | undefined
  /** Makes an address of a private file that works for everyone for five minutes. */
  signDownload(key: string): string
  /** Copies the public files of one bot that a flow names to another bot. */
  adopt: AdoptFiles
  /** Measures the files of some results. */
  measureResults(owners: readonly FileOwner[]): Promise<FileAmount>
  /** Removes every file of a result. */
  deleteResultFiles(owner: { botId: string; resultId: string }): Promise<void>
  /** Removes every file of a bot, except those of its previews. */
  deleteBotFiles(botId: string): Promise<void>
  /** Removes the files for all bots of a workspace. */
  deleteWorkspaceFiles(workspaceId: string): Promise<void>
  /** Removes the files of previews from the days before a moment (UTC). */
  purgePreviewFiles(before: Date): Promise<void>
}

/** The 403 for an upload that was never permitted, or is not any more. */
export function uploadExpired(): AppError {
  return new AppError("UPLOAD_EXPIRED", "This upload address is not valid, or not any more")
}

type FileStoreDeps = {
  storage: FileStorage
  /** Public address of the service, without a trailing slash. */
  publicUrl: string
  /** The first signs addresses, all of them verify. */
  keys: readonly Buffer[]
  /** Names folders; it never changes. */
  folderKey: Buffer
}

const uploadSeconds = 600
const downloadSeconds = 300

export function createFileStore({ storage, publicUrl, keys, folderKey }: FileStoreDeps): FileStore {
  const signer = createSigner(keys)
  const folders = createFileFolders(folderKey)
  const address: AddressSettings = { publicUrl, folders }
  const addressOf = (key: string) => `${publicUrl}${filesPath}${key}`
  return {
    async save(bytes, file) {
      const key = newFileKey(folders, file, new Date())
      await storage.write(key, bytes)
      return fileAddress(address, key, file)
    },
    signUpload(file) {
      const key = newFileKey(folders, file, new Date())
      const fileUrl = fileAddress(address, key, file)
      return signUpload({ signer, publicUrl }, { ...file, key, fileUrl })
    },
    newAuthorKey: (owner, extension) => newAuthorKey(folders, owner, extension),
    signAuthorUpload({ id, key, bytes: maxBytes }) {
      const file = { key, fileUrl: addressOf(key), maxBytes, countedIn: [id] }
      return signUpload({ signer, publicUrl }, file)
    },
    async saveAuthorFile(key, bytes) {
      await storage.write(key, bytes)
    },
    addressOf,
    measureFile: (key) => storage.measure(key),
    deleteFile: (key) => storage.delete(key),
    admitUpload(key, query) {
      if (!readFileKey(key) || !signer.admits({ action: "upload", key }, query)) {
        throw uploadExpired()
      }
      const keep = async (bytes: FileBytes) => {
        if (!(await storage.write(key, bytes)))
          throw new AppError("FILE_EXISTS", "The file was uploaded already")
      }
      const countedIn = (query.get("tallies") ?? "").split(".").filter((name) => name !== "")
      return { maxBytes: Number(query.get("max")), countedIn, keep }
    },
    async readOwn(url, owners) {
      const key = keyOfAddress(address, url)
      if (key === undefined || !owners.some((owner) => isOwnFile(folders, key, owner)))
        return undefined
      const bytes = await storage.read(key)
      return bytes && { key, bytes }
    },
    async download(key, query) {
      const facts = readFileKey(key)
      if (!facts || (facts.isPrivate && !signer.admits({ action: "download", key }, query))) {
        return undefined
      }
      const served = await storage.serve(key, downloadSeconds)
      return served && { ...served, ...servedAs(key) }
    },
    signDownload(key) {
      return `${addressOf(key)}?${signer.sign({ action: "download", key, seconds: downloadSeconds })}`
    },
    privatePathOf: (path) => privatePathOf(folders, path),
    adopt: createAdoptFiles(storage, address),
    async measureResults(owners) {
      const all = owners.flatMap(({ botId, resultId }) =>
        resultId === undefined ? [] : resultFolders(folders, { botId, resultId }),
      )
      const amounts = await Promise.all(all.map((folder) => storage.measureFolder(folder)))
      return {
        files: amounts.reduce((sum, { files }) => sum + files, 0),
        bytes: amounts.reduce((sum, { bytes }) => sum + bytes, 0),
      }
    },
    ...removals(storage, folders),
  }
}

// Also with an object store: a form of its own could be neither revoked nor kept from replacing the file.
function signUpload(
  { signer, publicUrl }: { signer: Signer; publicUrl: string },
  file: Pick<UploadToSign, "maxBytes" | "countedIn"> & { key: string; fileUrl: string },
): Upload {
  const { key, fileUrl, maxBytes, countedIn = [] } = file
  const limits = { max: maxBytes, tallies: countedIn.join(".") }
  const query = signer.sign({ action: "upload", key, seconds: uploadSeconds }, limits)
  return { presignedUrl: `${publicUrl}${filesPath}${key}?${query}`, formData: {}, fileUrl }
}

function removals(
  storage: FileStorage,
  folders: FileFolders,
): Pick<
  FileStore,
  "deleteResultFiles" | "deleteBotFiles" | "deleteWorkspaceFiles" | "purgePreviewFiles"
> {
  const deleteAll = async (all: string[]) => {
    for (const folder of all) await storage.deleteFolder(folder)
  }
  return {
    deleteResultFiles: (owner) => deleteAll(resultFolders(folders, owner)),
    deleteBotFiles: (botId) => deleteAll(botFolders(folders, botId)),
    deleteWorkspaceFiles: (workspaceId) =>
      storage.deleteFolder(workspaceFolder(folders, workspaceId)),
    async purgePreviewFiles(before) {
      const firstKept = before.toISOString().slice(0, 10)
      const days = await storage.listFolders(previewsFolder)
      await deleteAll(
        days.filter((day) => day < firstKept).map((day) => `${previewsFolder}/${day}`),
      )
    },
  }
}
