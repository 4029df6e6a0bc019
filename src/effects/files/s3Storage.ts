/** Keeps files in a bucket of an S3-compatible object store. */
import { AwsClient } from "aws4fetch"
import { servedAs } from "./fileKeys.ts"
import { signPost } from "./postPolicy.ts"
import type { FileStorage } from "./storage.ts"

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
  const send = async (url: string, init: RequestInit, fine: readonly number[] = []) => {
    const response = await client.fetch(url, init)
    if (response.ok || fine.includes(response.status)) return response
    throw new Error(`The file store answered ${init.method} with status ${response.status}`)
  }
  return {
    async write(key, bytes) {
      const headers = { "content-type": servedAs(key).contentType, "if-none-match": "*" }
      const body = new Uint8Array(bytes)
      const response = await send(`${root}/${key}`, { method: "PUT", headers, body }, [412])
      return response.status !== 412
    },
    async read(key) {
      const response = await send(`${root}/${key}`, { method: "GET" }, [404])
      return response.status === 404 ? undefined : new Uint8Array(await response.arrayBuffer())
    },
    async listFolders(folder) {
      const query = listing(`${folder}/`, { delimiter: "/" })
      const page = await (await send(`${root}?${query}`, { method: "GET" })).text()
      return textsOf(page, "Prefix").flatMap((prefix) => {
        const name = prefix.slice(folder.length + 1, -1)
        return name === "" ? [] : [name]
      })
    },
    async removeFolder(folder) {
      for (;;) {
        const query = listing(`${folder}/`)
        const page = await (await send(`${root}?${query}`, { method: "GET" })).text()
        const keys = textsOf(page, "Key")
        for (const key of keys) await send(`${root}/${key}`, { method: "DELETE" }, [404])
        if (keys.length < pageSize) return
      }
    },
    direct: {
      signUpload(key, limits) {
        const { contentType } = servedAs(key)
        const upload = { bucket: bucket.name, key, contentType, ...limits }
        return { url: root, fields: signPost(bucket, upload, new Date()) }
      },
      async signDownload(key, seconds) {
        const { contentType, isInline } = servedAs(key)
        const query = new URLSearchParams({
          "X-Amz-Expires": String(seconds),
          "response-content-type": contentType,
          "response-content-disposition": isInline ? "inline" : "attachment",
        })
        const signed = await client.sign(`${root}/${key}?${query}`, { aws: { signQuery: true } })
        return signed.url
      },
    },
  }
}

function listing(prefix: string, more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ "list-type": "2", "max-keys": String(pageSize), prefix, ...more })
}

/** Contents of the elements of that name; keys of ours hold nothing that XML would escape. */
function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(
    ([, text = ""]) => text,
  )
}
