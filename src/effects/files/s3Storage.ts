/** Keeps files in a bucket of an S3-compatible object store. */
import { AwsClient } from "aws4fetch"
import { signPost } from "./postPolicy.ts"
import { servedAs } from "./servedAs.ts"
import type { FileBytes, FileStorage } from "./storage.ts"

/** A bucket and who may use it. */
export type Bucket = {
  /** Address of the store without the bucket, for example `https://s3.eu-west-1.amazonaws.com`. */
  endpoint: string
  region: string
  name: string
  accessKeyId: string
  secretAccessKey: string
}

const pageSize = 1_000
const retries = 2

/** A storage in a bucket; addresses have the bucket in their path, which every store understands. */
export function openS3Storage(bucket: Bucket): FileStorage {
  const { accessKeyId, secretAccessKey, region } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries })
  const root = `${bucket.endpoint.replace(/\/+$/, "")}/${bucket.name}`
  const send: Send = async (path, init, fine = []) => {
    const response = await client.fetch(`${root}${path}`, init)
    if (response.ok || fine.includes(response.status)) return response
    throw new Error(`The file store answered ${init.method} with status ${response.status}`)
  }
  return {
    async write(key, bytes) {
      const headers = { "content-type": servedAs(key).contentType, "if-none-match": "*" }
      const body = await wholeOf(bytes)
      const response = await send(`/${key}`, { method: "PUT", headers, body }, [412])
      return response.status !== 412
    },
    async read(key) {
      const response = await send(`/${key}`, { method: "GET" }, [404])
      return response.status === 404 ? undefined : new Uint8Array(await response.arrayBuffer())
    },
    ...folders(send),
    direct: {
      signUpload(key, limits) {
        const { contentType } = servedAs(key)
        const upload = { bucket: bucket.name, key, contentType, ...limits }
        return { url: root, fields: signPost(bucket, upload, new Date()) }
      },
      signDownload: (key, seconds) => signGet(client, `${root}/${key}`, { key, seconds }),
    },
  }
}

/** A copy in one piece, whose length the store wants to know first. */
async function wholeOf(bytes: FileBytes): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes instanceof Uint8Array) return new Uint8Array(bytes)
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}

/** Sends a request below the bucket; throws for every status but success and those that are fine. */
type Send = (path: string, init: RequestInit, fine?: readonly number[]) => Promise<Response>

function folders(send: Send): Pick<FileStorage, "measureFolder" | "listFolders" | "removeFolder"> {
  const list = async (folder: string, more: Record<string, string> = {}) => {
    const query = { "list-type": "2", "max-keys": String(pageSize), prefix: `${folder}/`, ...more }
    const response = await send(`?${new URLSearchParams(query)}`, { method: "GET" })
    return await response.text()
  }
  return {
    // Nobody may upload more files than a page holds, or else they are too many anyway.
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
        if (keys.length < pageSize) return
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

/** Contents of the elements of that name; keys of ours hold nothing that XML would escape. */
function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(
    ([, text = ""]) => text,
  )
}
