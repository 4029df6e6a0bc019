/** Reads the file at an address: our own from the store, others through the network guard. */
import type { Failure } from "../../engine/calls.ts"
import { failed, networkFailure } from "../failures.ts"
import { type GuardedFetch, readBytes } from "../network/guardedFetch.ts"
import type { CallContext } from "../perform.ts"
import type { FileStore } from "./fileStore.ts"
import { extensionOfFile, servedAs } from "./servedAs.ts"

type FileContent = { bytes: Uint8Array; contentType: string; name: string }

export type ReadFile = (
  url: string,
  context: Pick<CallContext, "fileOwners" | "signal">,
  rules: { maxBytes: number; isOwnOnly?: boolean },
) => Promise<FileContent | Failure>

export function createReadFile(deps: { files: FileStore; fetch: GuardedFetch }): ReadFile {
  return async (url, context, { maxBytes, isOwnOnly = false }) => {
    const own = await deps.files.readOwn(url, context.fileOwners)
    if (own && own.bytes.length > maxBytes) return tooLarge
    if (own) {
      const name = own.key.slice(own.key.lastIndexOf("/") + 1)
      return { bytes: own.bytes, contentType: servedAs(own.key).contentType, name }
    }
    if (isOwnOnly) return notOwn
    return fetchFile(deps.fetch, url, { maxBytes, signal: context.signal })
  }
}

const tooLarge = failed("The file is too large")
const notOwn = failed("The file was not uploaded in this chat")

async function fetchFile(
  fetch: GuardedFetch,
  url: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<FileContent | Failure> {
  try {
    const response = await fetch(url, { signal })
    if (!response.ok) {
      await response.body?.cancel()
      const { status } = response
      return failed(`The file was refused with status ${status}`, { status })
    }
    const bytes = await readBytes(response, maxBytes)
    if (bytes === undefined) return tooLarge
    const contentType = response.headers.get("content-type") ?? "application/octet-stream"
    return { bytes, contentType, name: nameOf(url, contentType) }
  } catch (error) {
    return networkFailure(error, "The file")
  }
}

/** The last segment of the path, as a file name; its ending shows the type to readers such as OpenAI. */
function nameOf(url: string, fileType: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? ""
  const fileName = last.replace(/[^\w.-]/g, "_").slice(-100) || "file"
  if (/\.\w+$/.test(fileName)) return fileName
  const extension = extensionOfFile({ fileName, fileType })
  return extension === "bin" ? fileName : `${fileName}.${extension}`
}
