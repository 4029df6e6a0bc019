/** Serves the docs: the guide, the API reference, the OpenAPI document, and the schema of bot files. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { AnyTRPCRouter } from "@trpc/server"
import { AppError } from "../../lib/errors.ts"
import { once } from "../../lib/once.ts"
import { readBotFileSchema } from "../../routers/catalogue/readCatalogue.ts"
import { prepare, sendPrepared, sendTagged } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import { createGuidePages } from "../guide/guidePages.ts"
import { createDocumentPages } from "./documentPages.ts"
import type { SplitDocument } from "./documentParts.ts"
import { problemPages } from "./problemPages.ts"

/** Contents of the reference. */
type Reference = {
  /** The committed OpenAPI documents. */
  documents: SplitDocument
  /** The procedures that the document describes. */
  router: AnyTRPCRouter
  /** Folder with `reference.js`, the packaged browser bundle of Scalar. */
  bundleFolder: string
  /** Folder with the chapters of the guide. */
  guideFolder: string
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar writes its own style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  // The page tries requests on its own host, since the server of the document is "/".
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
  url: "/docs/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
})
`

/** The pages by path: the reference, its scripts, document and schema, the kinds of problems. */
export function createDocs(reference: Reference): Record<string, Page> {
  return {
    ...problemPages(),
    ...createDocumentPages(reference.documents, reference.router),
    "/schemas/bot.json": answerSchema,
    ...createGuidePages(reference.guideFolder, reference.documents.document),
    "/docs/reference": file("text/html; charset=utf-8", async () => page),
    "/docs/start.js": file("text/javascript; charset=utf-8", async () => start),
    "/docs/reference.js": file("text/javascript; charset=utf-8", () =>
      readFile(join(reference.bundleFolder, "reference.js")),
    ),
  }
}

const botFileSchema = preparedOnce(async () => JSON.stringify(await readBotFileSchema()))

const answerSchema: Page = async (exchange) => {
  Object.assign(exchange.headers, {
    "content-type": "application/schema+json; charset=utf-8",
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
  })
  sendTagged(exchange, await botFileSchema())
}

/** Makes a page of a file, which is read at the first request. */
function file(type: string, read: () => Promise<string | Buffer>): Page {
  const content = preparedOnce(read)
  return async (exchange) => {
    const prepared = await content().catch((cause) => {
      throw new AppError("NOT_FOUND", "The reference was not built: npm run build", { cause })
    })
    exchange.headers["content-type"] = type
    exchange.headers["cache-control"] = "public, max-age=3600"
    exchange.headers["content-security-policy"] = policy.join("; ")
    sendPrepared(exchange, prepared)
  }
}

function preparedOnce(read: () => Promise<string | Buffer>) {
  return once(async () => prepare(await read()))
}
