/** Exports and files: bytes that are streamed, by plain HTTP. */
import { type TRPCClient, TRPCClientError } from "@trpc/client"
import type { inferRouterInputs } from "@trpc/server"
import type { AppRouter } from "../routers/app.ts"
import { readRefusal } from "./readRefusal.ts"
import { authorized, type Credentials, explained, type Fetch } from "./requests.ts"

/** Which results an export has, and in which form; absent: those of the last seven days, as CSV. */
export type ExportRequest = Omit<
  inferRouterInputs<AppRouter>["result"]["list"],
  "limit" | "cursor"
> & {
  /** `csv`: a table for people; `ndjson`: a line of JSON per result. */
  format?: "csv" | "ndjson" | undefined
}

/** How bytes are read. */
export type DownloadOptions = {
  /** Gives up, also while the body is read. */
  signal?: AbortSignal
  /** Called as bytes are read, with their number so far. */
  onProgress?: (bytes: number) => void
}

/** Whose file is uploaded: that of authors, or the answer of a chat that waits for one. */
export type FileOwner =
  | { botId: string }
  | { workspaceId: string }
  | { sessionId: string; blockId?: string }

/** A file on the service. */
export type UploadedFile = {
  /** Address for flows and themes, or for the answer of the chat. */
  url: string
  /** MIME type that it is served as. */
  type: string
  /** For `parley.file.deleteOfBot`; absent: the file is that of a chat. */
  id?: string
}

/** Calls whose bytes are streamed. Errors, of calls and of the bodies that they return, are `ParleyError`s. */
export type Transfers = {
  /** Exports results. The service makes the next piece when the body is read, so none is kept in memory. */
  exportResults(request: ExportRequest, options?: DownloadOptions): Promise<Response>
  /** Reads a file by its address in a result, a flow or a theme, always from this service. */
  downloadFile(url: string, options?: DownloadOptions): Promise<Response>
  /** Uploads a file, which may be one on a disk: `new File([await openAsBlob(path)], name)`. */
  uploadFile(
    owner: FileOwner,
    file: Blob & { readonly name: string },
    options?: Pick<DownloadOptions, "signal">,
  ): Promise<UploadedFile>
}

/** Paths of files, behind what a proxy puts before them; the last is a former one. */
const filePath =
  /\/(?:files\/public\/.+|api\/v1\/bots\/[^/]+\/(?:files\/[^/]+\/[^/]+|results\/[^/]+\/blocks\/[^/]+\/[^/]+))$/

const signedPath = /\/files\/(?:public|private)\/.+$/

/** Creates the transfers of a client. */
export function createTransfers(
  { file: calls }: Pick<TRPCClient<AppRouter>, "file">,
  root: string,
  send: Fetch,
  credentials: Credentials,
): Transfers {
  const plain = explained(root, send)
  const own = authorized(plain, credentials)
  /** Follows an address that carries its own permission: on this service, under any public name. */
  const signed = (address: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(address, "http://parley")
    const [path] = signedPath.exec(pathname) ?? []
    return plain(path ? `${root}${path}${search}` : address, init)
  }

  const prepare = async (owner: FileOwner, file: Blob & { name: string }, how: object) => {
    const about = { fileName: file.name, fileType: file.type || undefined, fileSize: file.size }
    if ("sessionId" in owner) {
      const { fileUrl, fileType, ...upload } = await calls.generateUploadUrl.mutate(
        { ...owner, ...about },
        how,
      )
      return { upload, file: { url: fileUrl, type: fileType } }
    }
    const { file: kept, ...upload } =
      "botId" in owner
        ? await calls.createOfBot.mutate({ ...owner, ...about }, how)
        : await calls.createOfWorkspace.mutate({ ...owner, ...about }, how)
    return { upload, file: { url: kept.url, type: kept.type, id: kept.id } }
  }

  return {
    async exportResults({ botId, ...asked }, options = {}) {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(asked)) {
        if (value !== undefined) query.set(name, String(value))
      }
      const path = `/api/v1/bots/${encodeURIComponent(botId)}/results/export?${query}`
      return await answered(
        () => own(`${root}${path}`, { signal: options.signal ?? null }),
        options,
      )
    },
    async downloadFile(url, options = {}) {
      // Answers of visitors may hold any address: what it names is read from this service alone.
      const { pathname } = new URL(url, "http://parley")
      const [path] = filePath.exec(pathname) ?? []
      if (!path) throw new Error(`${JSON.stringify(url)} is not the address of a file`)
      const signal = options.signal ?? null
      const get = async (): Promise<Response> => {
        const first = await own(`${root}${path}`, { signal, redirect: "manual" })
        // Browsers do not show where it leads, but do not send the token to other origins.
        if (first.type === "opaqueredirect") return await own(`${root}${path}`, { signal })
        const next = first.headers.get("location")
        if (!next) return first
        await first.body?.cancel()
        return await signed(next, { signal })
      }
      return await answered(get, options)
    },
    async uploadFile(owner, file, { signal } = {}) {
      const prepared = await prepare(owner, file, { signal })
      const { presignedUrl, formData } = prepared.upload
      const body = new FormData()
      for (const [name, value] of Object.entries(formData)) body.append(name, value)
      body.append("file", file, file.name)
      const how = { method: "POST", body, signal: signal ?? null }
      const { body: rest } = await answered(() => signed(presignedUrl, how))
      await rest?.cancel()
      return prepared.file
    },
  }
}

/** Makes a request, and follows the body of its answer. */
async function answered(
  request: () => Promise<Response>,
  options: DownloadOptions = {},
): Promise<Response> {
  const response = await request().catch((error: Error) => {
    throw TRPCClientError.from(error)
  })
  if (!response.ok) throw await readRefusal(response)
  return response.body ? new Response(followed(response.body, options), response) : response
}

/** Passes bytes on when they are read. */
function followed(
  body: ReadableStream<Uint8Array>,
  { signal, onProgress }: DownloadOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((cause: Error) => {
          const words = `The connection was lost after ${bytes} bytes: the rest is missing`
          throw TRPCClientError.from(signal?.aborted ? cause : new Error(words, { cause }))
        })
        if (done) return controller.close()
        bytes += value.length
        onProgress?.(bytes)
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
