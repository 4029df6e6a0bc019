/** Stores files in a bucket of an S3-compatible object store. */
import { randomUUID } from "node:crypto"
import { openAsBlob } from "node:fs"
import { rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { AwsClient } from "aws4fetch"
import { unavailable } from "../../lib/errors.ts"
import { servedAs } from "./servedAs.ts"
import type { FileBytes, FileStorage } from "./storage.ts"

/** A bucket, and the keys to use it with. */
export type Bucket = {
  /** Address of the object store without the bucket, such as `https://s3.eu-west-1.amazonaws.com`. */
  endpoint: string
  region: string
  name: string
  accessKeyId: string
  secretAccessKey: string
}

const pageSize = 1_000
const retries = 2
const pauseMs = 50
/** For a request with its repetitions and the answer to its end: files have some megabytes. */
const usualMs = 60_000

type S3Options = {
  requestMs?: number
  /** Called with the failure of a request, or without one when the store has answered. */
  onAnswer?(problem?: unknown): void
}

/** Creates a storage in a bucket. The bucket is part of the path, which every object store supports. */
export function createS3Storage(
  bucket: Bucket,
  { requestMs = usualMs, onAnswer = () => {} }: S3Options = {},
): FileStorage {
  const { accessKeyId, secretAccessKey, region } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" })
  const root = `${bucket.endpoint.replace(/\/+$/, "")}/${bucket.name}`
  const send: Send = async (path, init, fine = []) => {
    const fail = (problem: unknown) => {
      onAnswer(problem)
      return reportGone(problem)
    }
    const response = await request(client, `${root}${path}`, { ...init, requestMs }).catch(fail)
    const { ok, status } = response
    if (!ok && !fine.includes(status))
      return fail(new Error(`The file store answered ${init.method} with status ${status}`))
    onAnswer()
    return response
  }
  return {
    async write(key, bytes) {
      return await withLength(bytes, async (body) => {
        // Some stores ignore the condition.
        const found = await send(`/${key}`, { method: "HEAD" }, [404])
        if (found.status !== 404) return false
        const type = servedAs(key).contentType
        const headers = {
          "content-type": type,
          "if-none-match": "*",
          // Of a file on the disk no hash is made: TLS protects it, and the signature the rest.
          "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
        }
        const response = await send(`/${key}`, { method: "PUT", headers, body }, [409, 412])
        return response.ok
      })
    },
    async read(key) {
      const response = await send(`/${key}`, { method: "GET" }, [404])
      if (response.status === 404) return undefined
      return new Uint8Array(await response.arrayBuffer().catch(reportGone))
    },
    serve: async (key, seconds) => ({
      redirectTo: await signGet(client, `${root}/${key}`, { key, seconds }),
    }),
    async measure(key) {
      const response = await send(`/${key}`, { method: "HEAD" }, [404])
      return response.status === 404 ? undefined : Number(response.headers.get("content-length"))
    },
    async delete(key) {
      await send(`/${key}`, { method: "DELETE" }, [404])
    },
    ...folders(send),
  }
}

/**
 * Hands on bytes whose length is known, as object stores need it: a stream is kept on the disk meanwhile, so that
 * uploads take no memory, however many come at a time.
 */
async function withLength<Result>(
  bytes: FileBytes,
  work: (body: Uint8Array<ArrayBuffer> | Blob) => Promise<Result>,
): Promise<Result> {
  if (bytes instanceof Uint8Array) return await work(new Uint8Array(bytes))
  const path = join(tmpdir(), `parley-upload-${randomUUID()}`)
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: "wx" })
    const { size } = await stat(path)
    if (size === 0) return await work(new Uint8Array())
    return await work(await openAsBlob(path))
  } finally {
    await rm(path, { force: true })
  }
}

/** The 503 for a store that cannot be reached, or fails. */
function reportGone(error: unknown): never {
  throw unavailable("Files cannot be stored or read now", 10, error)
}

/** Makes a request, again when the store has too much to do. */
async function request(
  client: AwsClient,
  address: string,
  { requestMs, ...init }: RequestInit & { requestMs: number },
): Promise<Response> {
  // Given to `fetch`: the signal of a signed request is collected with it, and never aborts.
  const signal = AbortSignal.timeout(requestMs)
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(await client.sign(address, init), { signal })
    const isBusy = response.status >= 500 || response.status === 429
    if (!isBusy || attempt === retries) return response
    await response.body?.cancel()
    await sleep(Math.random() * pauseMs * 2 ** attempt)
  }
}

/** Sends a request to the bucket; throws for any status except success and those in `fine`. */
type Send = (path: string, init: RequestInit, fine?: readonly number[]) => Promise<Response>

function folders(send: Send): Pick<FileStorage, "measureFolder" | "listFolders" | "deleteFolder"> {
  const list = async (folder: string, more: Record<string, string> = {}) => {
    const query = { "list-type": "2", "max-keys": String(pageSize), prefix: `${folder}/`, ...more }
    const response = await send(`?${new URLSearchParams(query)}`, { method: "GET" })
    return await response.text().catch(reportGone)
  }
  return {
    // One page is enough: more files than it holds are over every limit.
    async measureFolder(folder) {
      const page = await list(folder)
      const sizes = textsOf(page, "Size").map(Number)
      return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    },
    async listFolders(folder) {
      const page = await list(folder, { delimiter: "/" })
      return textsOf(page, "Prefix").flatMap((prefix) => {
        const name = prefix.slice(folder.length + 1, -1)
        return name === "" ? [] : [name]
      })
    },
    async deleteFolder(folder) {
      for (;;) {
        const page = await list(folder)
        const keys = textsOf(page, "Key")
        for (const key of keys) await send(`/${key}`, { method: "DELETE" }, [404])
        // A page may be shorter than was asked for although others follow.
        if (keys.length === 0 || !page.includes("<IsTruncated>true<")) return
      }
    },
  }
}

async function signGet(
  client: AwsClient,
  address: string,
  { key, seconds }: { key: string; seconds: number },
): Promise<string> {
  const { contentType, isInline } = servedAs(key)
  const query = new URLSearchParams({
    "X-Amz-Expires": String(seconds),
    "response-content-type": contentType,
    "response-content-disposition": isInline ? "inline" : "attachment",
  })
  return (await client.sign(`${address}?${query}`, { aws: { signQuery: true } })).url
}

/** The contents of all elements of a name. Our keys contain nothing that XML would escape. */
function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(
    ([, text = ""]) => text,
  )
}
