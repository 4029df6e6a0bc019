/** Serves the OpenAPI document: as a whole, in parts, and the webhooks beside it. */
import type { AnyTRPCRouter } from "@trpc/server"
import { LRUCache } from "lru-cache"
import { badRequest } from "../../lib/errors.ts"
import { once } from "../../lib/once.ts"
import { type Prepared, prepare, sendTagged } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { partOf, type SplitDocument, webhooksPath } from "./documentParts.ts"
import { referenceDocument } from "./referenceDocument.ts"
import { inOpenApi32, openApi32Path } from "./streamItems.ts"

/** Max parts kept in memory, each with its compressed form. */
const maxParts = 20
/** Max names of one part. */
const maxNames = 100

/** The pages of the document by path. `/openapi.json?operations=startChat,continueChat` is a part. */
export function createDocumentPages(
  split: SplitDocument,
  router: AnyTRPCRouter,
): Record<string, Page> {
  const whole = once(() => prepare(JSON.stringify(split.document)))
  const parts = new LRUCache<string, Prepared>({ max: maxParts })
  const part = async (names: string[]) => {
    const key = names.join()
    const kept = parts.get(key) ?? (await prepare(JSON.stringify(partOf(split.document, names))))
    parts.set(key, kept)
    return kept
  }
  const answer: Page = async (exchange) => {
    const names = namesIn(exchange)
    send(exchange, await (names.length > 0 ? part(names) : whole()))
  }
  return {
    "/openapi.json": answer,
    "/api/openapi.json": answer,
    [openApi32Path]: pageOf(() => JSON.stringify(inOpenApi32(split.document))),
    [webhooksPath]: pageOf(() => JSON.stringify(split.webhooks)),
    "/docs/openapi.json": pageOf(() => JSON.stringify(referenceDocument(split, router))),
  }
}

function pageOf(write: () => string): Page {
  const content = once(() => prepare(write()))
  return async (exchange) => send(exchange, await content())
}

function send(exchange: Exchange, content: Prepared): void {
  exchange.headers["access-control-allow-origin"] = "*"
  exchange.headers["cache-control"] = "public, max-age=300"
  sendTagged(exchange, content)
}

/** The operations and tags that a request names, each once, in the order of the alphabet. */
function namesIn({ search }: Exchange): string[] {
  if (search === "") return []
  const query = new URLSearchParams(search)
  const sent = [...query.getAll("operations"), ...query.getAll("tag")].join()
  const names = new Set(sent.split(",").map((name) => name.trim().toLowerCase()))
  names.delete("")
  if (names.size > maxNames) throw badRequest(`A part has at most ${maxNames} names`)
  return [...names].sort()
}
