/** The API reference: the OpenAPI document and a page that shows it, served from this host. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../../errors.ts"
import { prepare, sendPrepared, sendProblem, sendText } from "../answer.ts"
import type { Exchange } from "../exchange.ts"
import { once } from "../once.ts"
import { problemKinds, problemType } from "../problem.ts"

/** What the reference shows. */
type Reference = {
  /** The committed OpenAPI document. */
  document: Record<string, unknown>
  /** Folder with `reference.js`, the packaged browser bundle of Scalar. */
  bundleFolder: string
}

type Page = (exchange: Exchange) => void | Promise<void>

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar writes its own style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  // Requests are tried out at the host that shows the page: the server of the document is "/".
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API reference</title>
</head>
<body>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const start = `Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
})
`

/** Pages by path: the reference, its scripts and the document itself. */
export function createDocs(reference: Reference): Record<string, Page> {
  const file = fileUnder(policy.join("; "))
  const document = preparedOnce(async () => JSON.stringify(reference.document))
  const answerDocument: Page = async (exchange) => {
    exchange.headers["access-control-allow-origin"] = "*"
    sendPrepared(exchange, await document())
  }
  return {
    ...problemPages(),
    "/openapi.json": answerDocument,
    "/api/openapi.json": answerDocument,
    "/docs": file("text/html; charset=utf-8", async () => page),
    "/docs/start.js": file("text/javascript; charset=utf-8", async () => start),
    "/docs/reference.js": file("text/javascript; charset=utf-8", () =>
      readFile(join(reference.bundleFolder, "reference.js")),
    ),
  }
}

function problemPages(): Record<string, Page> {
  const pages = problemKinds.map(({ code, status, description }): [string, Page] => {
    const type = problemType(code)
    const text = JSON.stringify({ type, status, code, description })
    return [type, (exchange) => sendText(exchange, 200, text)]
  })
  return Object.fromEntries(pages)
}

type FilePage = (type: string, read: () => Promise<string | Buffer>) => Page

/** Makes pages of files, under a content security policy. */
function fileUnder(contentPolicy: string): FilePage {
  return (type, read) => {
    const content = preparedOnce(read)
    return async (exchange) => {
      try {
        const prepared = await content()
        exchange.headers["content-type"] = type
        exchange.headers["cache-control"] = "public, max-age=3600"
        exchange.headers["content-security-policy"] = contentPolicy
        sendPrepared(exchange, prepared)
      } catch (cause) {
        sendProblem(exchange, new AppError("NOT_FOUND", "The reference was not built", { cause }))
      }
    }
  }
}

function preparedOnce(read: () => Promise<string | Buffer>) {
  return once(async () => prepare(await read()))
}
