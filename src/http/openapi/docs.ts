/** Serves the docs: the guide, the API reference, the OpenAPI document, and the schema of bot files. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { AnyTRPCRouter } from "@trpc/server"
import { AppError } from "../../lib/errors.ts"
import { once } from "../../lib/once.ts"
import { readBotFileSchema } from "../../routers/catalogue/readCatalogue.ts"
import type { Services } from "../../routers/context.ts"
import { prepare, sendPrepared, sendTagged } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import { createGuidePages } from "../guide/guidePages.ts"
import { createDocumentPages } from "./documentPages.ts"
import type { SplitDocument } from "./documentParts.ts"
import { problemPages } from "./problemPages.ts"
import { createReferencePage, startScript } from "./referencePage.ts"

/** Contents of the reference. */
type Reference = {
  /** The committed OpenAPI documents. */
  documents: SplitDocument
  /** The procedures that the document describes. */
  router: AnyTRPCRouter
  /** Folder with `reference.js`, the packaged browser bundle of Scalar. */
  bundleFolder: string
  services: Pick<Services, "settings" | "findSignedIn">
  /** Folder with the chapters of the guide. */
  guideFolder: string
}

/** The pages by path: the reference, its scripts, document and schema, the kinds of problems. */
export function createDocs(reference: Reference): Record<string, Page> {
  return {
    ...problemPages(),
    ...createDocumentPages(reference.documents, reference.router),
    "/schemas/bot.json": answerSchema,
    ...createGuidePages({
      folder: reference.guideFolder,
      documents: reference.documents,
      publicUrl: reference.services.settings.publicUrl,
    }),
    "/docs/reference": createReferencePage(reference.services),
    "/docs/start.js": file("text/javascript; charset=utf-8", async () => startScript),
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
    sendPrepared(exchange, prepared)
  }
}

function preparedOnce(read: () => Promise<string | Buffer>) {
  return once(async () => prepare(await read()))
}
