/** Serves sites of other origins that show chats, with policies of their own. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { whenOver } from "../support/whenOver.ts"

export type HostSite = {
  origin: string
  /** Serves files by path; the page is `/`. */
  serve(files: Readonly<Record<string, string>>): void
}

const types: Record<string, string> = { js: "text/javascript", css: "text/css" }

/** Starts a site whose policy allows only itself and one other origin; to be called at the top level of a suite. */
export async function hostSite(allowed: string): Promise<HostSite> {
  let files: Readonly<Record<string, string>> = {}
  const server = createServer(({ url = "/" }, response) => {
    response.setHeader("content-security-policy", `default-src 'self' ${allowed}`)
    response.setHeader("content-type", types[url.split(".").pop() ?? ""] ?? "text/html")
    response.statusCode = files[url] === undefined ? 404 : 200
    response.end(files[url])
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  whenOver(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    serve: (given) => {
      files = { "/favicon.ico": "", ...given }
    },
  }
}
