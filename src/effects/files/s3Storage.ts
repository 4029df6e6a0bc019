/** Stores files in a bucket of an S3-compatible object store. */
import { arrayBuffer } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { AwsClient } from "aws4fetch"
import { unavailable } from "../../errors.ts"
import { signPost } from "./postPolicy.ts"
import { servedAs } from "./servedAs.ts"
import type { FileStorage } from "./storage.ts"

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

/** Opens a storage in a bucket. The bucket is part of the path, which every object store supports. */
export function openS3Storage(bucket: Bucket, requestMs = usualMs): FileStorage {
  const { accessKeyId, secretAccessKey, region } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" })
  const root = `${bucket.endpoint.replace(/\/+$/, "")}/${bucket.name}`
  const send: Send = async (path, init, fine = []) => {
    const response = await request(client, `${root}${path}`, { ...init, requestMs }).catch(tellGone)
    if (response.ok || fine.includes(response.status)) return response
    const { status } = response
    return tellGone(new Error(`The file store answered ${init.method} with status ${status}`))
  }
  return {
    async write(key, bytes) {
      const headers = { "content-type": servedAs(key).contentType, "if-none-match": "*" }
      // In one piece, because the object store must know its length first.
      const body = new Uint8Array(bytes instanceof Uint8Array ? bytes : await arrayBuffer(bytes))
      const response = await send(`/${key}`, { method: "PUT", headers, body }, [412])
      return response.status !== 412
    },
    async read(key) {
      const response = await send(`/${key}`, { method: "GET" }, [404])
      if (response.status === 404) return undefined
      return new Uint8Array(await response.arrayBuffer().catch(tellGone))
    },
    serve: async (key, seconds) => ({
      redirectTo: await signGet(client, `${root}/${key}`, { key, seconds }),
    }),
    async measure(key) {
      const response = await send(`/${key}`, { method: "HEAD" }, [404])
      return response.status === 404 ? undefined : Number(response.headers.get("content-length"))
    },
    async remove(key) {
      await send(`/${key}`, { method: "DELETE" }, [404])
    },
    ...folders(send),
    direct: {
      signUpload(key, limits) {
        const { contentType } = servedAs(key)
        const upload = { bucket: bucket.name, key, contentType, ...limits }
        return { url: root, fields: signPost(bucket, upload, new Date()) }
      },
    },
  }
}

/** The 503 for a store that cannot be reached, or fails. */
function tellGone(error: unknown): never {
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

function folders(send: Send): Pick<FileStorage, "measureFolder" | "listFolders" | "removeFolder"> {
  const list = async (folder: string, more: Record<string, string> = {}) => {
    const query = { "list-type": "2", "max-keys": String(pageSize), prefix: `${folder}/`, ...more }
    const response = await send(`?${new URLSearchParams(query)}`, { method: "GET" })
    return await response.text().catch(tellGone)
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
    async removeFolder(folder) {
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
