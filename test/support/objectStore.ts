/** Stands in for an object store that speaks S3: a bucket in memory. */
import { type Peer, startPeer } from "../effects/peer.ts"

/** A bucket: what it holds, and how the service finds it. */
export type ObjectStore = {
  objects: Map<string, { text: string; type: string }>
  peer: Peer
  bucket: {
    endpoint: string
    region: string
    name: string
    accessKeyId: string
    secretAccessKey: string
  }
  /** Stores decide by themselves how many keys are on a page. */
  listsOnPage(count: number): void
}

/** Starts a store, which ignores `If-None-Match` if it is told so, as some do. */
export async function startObjectStore({ ignoresConditions = false } = {}): Promise<ObjectStore> {
  const objects: ObjectStore["objects"] = new Map()
  const peer = await startPeer()
  let onPage = 1_000
  peer.answers((response, { method, path, headers, text }) => {
    const url = new URL(path, "http://s3")
    if (!String(headers.authorization).startsWith("AWS4-HMAC-SHA256 Credential=key/")) {
      return void response.writeHead(403).end()
    }
    const key = url.pathname.slice("/bucket/".length)
    if (url.searchParams.has("list-type"))
      return void response.writeHead(200).end(listing(url, objects, onPage))
    if (method === "PUT") {
      const isTaken = !ignoresConditions && headers["if-none-match"] === "*" && objects.has(key)
      if (!isTaken) objects.set(key, { text, type: String(headers["content-type"]) })
      return void response.writeHead(isTaken ? 412 : 200).end()
    }
    if (method === "DELETE") {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    const found = objects.get(key)
    response.writeHead(found ? 200 : 404, { "content-length": found?.text.length ?? 0 })
    response.end(method === "HEAD" ? undefined : found?.text)
  })
  const bucket = {
    endpoint: `${peer.url}/`,
    region: "eu-west-1",
    name: "bucket",
    accessKeyId: "key",
    secretAccessKey: "secret-of-the-bucket",
  }
  const listsOnPage = (count: number) => {
    onPage = count
  }
  return { objects, peer, bucket, listsOnPage }
}

function listing(url: URL, objects: ObjectStore["objects"], onPage: number): string {
  const prefix = url.searchParams.get("prefix") ?? ""
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix))
  if (!url.searchParams.has("delimiter")) {
    const contents = keys.slice(0, onPage).map((key) => `<Contents><Key>${key}</Key></Contents>`)
    const isTruncated = `<IsTruncated>${keys.length > onPage}</IsTruncated>`
    return `<ListBucketResult>${isTruncated}${contents.join("")}</ListBucketResult>`
  }
  const folders = new Set(keys.map((key) => `${prefix}${key.slice(prefix.length).split("/")[0]}/`))
  const listed = [...folders].map(
    (each) => `<CommonPrefixes><Prefix>${each}</Prefix></CommonPrefixes>`,
  )
  return `<ListBucketResult><Prefix>${prefix}</Prefix>${listed.join("")}</ListBucketResult>`
}
