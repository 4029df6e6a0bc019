/** The floor of an HTTP call: bare node:http, the same body parsed, the same bytes written. */
import { createServer } from "node:http"

/** What the bench gives it: the answers by path. */
export type HttpFloorArgument = Record<string, unknown>

const answers: HttpFloorArgument = JSON.parse(process.argv[2] ?? "{}")

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    JSON.parse(Buffer.concat(parts).toString())
    const text = JSON.stringify(answers[request.url ?? ""])
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    })
    response.end(text)
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address) console.log(`http://127.0.0.1:${address.port}`)
})
