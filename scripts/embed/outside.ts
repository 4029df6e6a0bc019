/** The world around the service: a web page of another origin with the embed, and a language model. */
import { readFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What the model answers, bit by bit. */
export const modelWords = ["Tea ", "is ", "a ", "fine ", "choice."]

/** What the page shows. */
export type PageOptions = {
  /** The script of the embed. */
  script: string
  publicId: string
  /** Where the service listens. */
  apiHost: string
}

/** Listens on a free port; `show` decides what the page is. */
export async function startOutside() {
  let page: PageOptions | undefined
  const server = createServer(async (request, response) => {
    request.resume()
    if (request.url === "/v1/chat/completions") return answerAsModel(response)
    if (request.url === "/embed.js" && page) {
      response.writeHead(200, { "content-type": "text/javascript" })
      return response.end(await readFile(page.script))
    }
    if (request.url !== "/" || !page) return response.writeHead(404).end()
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    return response.end(htmlOf(page))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    // Not the name of the service, so that its answers must be open to other origins.
    address: `http://localhost:${port}`,
    modelAddress: `http://127.0.0.1:${port}/v1`,
    show: (options: PageOptions) => {
      page = options
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function htmlOf({ publicId, apiHost }: PageOptions): string {
  return `<!doctype html>
<title>A page</title>
<body style="margin: 0"><typebot-standard style="width: 100%; height: 600px"></typebot-standard>
<script type="module">
  import Typebot from "/embed.js"
  Typebot.initStandard({ typebot: ${JSON.stringify(publicId)}, apiHost: ${JSON.stringify(apiHost)} })
</script>`
}

async function answerAsModel(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (const content of modelWords) {
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  response.end("data: [DONE]\n\n")
}
