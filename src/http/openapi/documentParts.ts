/** Cuts parts out of the OpenAPI document that stand alone: every reference in them is resolved. */
import { badRequest } from "../../lib/errors.ts"
import { isJson, type Json, memberOf, operationsOf } from "./openapiSchemas.ts"

/** The document without its webhooks, and the webhooks as a document of their own. */
export type SplitDocument = { document: Json; webhooks: Json }

/** Where the webhooks are served. */
export const webhooksPath = "/openapi.webhooks.json"

/**
 * Moves the webhooks into a document of their own: several generators of clients take them for operations
 * and make code that does not compile.
 */
export function splitWebhooks(whole: Json): SplitDocument {
  const { webhooks = {}, components, ...rest } = whole
  const { openapi, info, tags } = whole
  const used = componentsOf(whole, rest.paths)
  const ofWebhooks = componentsOf(whole, webhooks)
  // Receivers prove nothing.
  const { securitySchemes: _, ...received } = pruned(components, (name) => ofWebhooks.has(name))
  return {
    document: {
      ...rest,
      components: pruned(components, (name) => used.has(name) || !ofWebhooks.has(name)),
    },
    webhooks: {
      openapi,
      info: {
        ...(isJson(info) ? info : {}),
        title: "Parley webhooks",
        description: "The events that webhook endpoints receive, signed as Standard Webhooks.",
      },
      tags: listOf(tags).filter(({ name }) => name === "Webhooks"),
      webhooks,
      components: received,
    },
  }
}

/** Joins both again, for readers who show them on one page. */
export function joinWebhooks({ document, webhooks }: SplitDocument): Json {
  const kinds = new Set(
    [document, webhooks].flatMap((each) => Object.keys(memberOf(each, "components"))),
  )
  const components = [...kinds].map((kind): [string, Json] => {
    const members = [document, webhooks].map((each) => memberOf(each, "components")[kind])
    return [kind, Object.assign({}, ...members)]
  })
  return { ...document, webhooks: webhooks.webhooks, components: Object.fromEntries(components) }
}

/**
 * The part of the document with the operations of some names: operation ids or tags, in any case. Throws a
 * 400 for an unknown name.
 */
export function partOf(document: Json, names: readonly string[]): Json {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const met = new Set<string>()
  const paths = Object.entries(memberOf(document, "paths")).flatMap(([path, item]) => {
    const kept = Object.entries(isJson(item) ? item : {}).filter(([, operation]) => {
      const own = namesOf(operation).filter((name) => wanted.has(name))
      for (const name of own) met.add(name)
      return own.length > 0
    })
    return kept.length > 0 ? [[path, Object.fromEntries(kept)] as const] : []
  })
  const unknown = [...wanted].find((name) => !met.has(name))
  if (unknown !== undefined) {
    throw badRequest(`No operation or tag is called \`${unknown}\`: send operation ids or tags`)
  }
  const part = { ...document, paths: Object.fromEntries(paths) }
  const tags = new Set(JSON.stringify(part.paths).match(/(?<="tags":\[")[^"]+/g))
  const used = componentsOf(document, part.paths)
  const operations = operationsOf(part)
  const named = (key: string) => new Set(operations.flatMap((operation) => operation[key]))
  return {
    ...part,
    "x-admissions": picked(document["x-admissions"], named("x-admits")),
    "x-scopes": picked(document["x-scopes"], named("x-scope")),
    tags: listOf(document.tags).filter(({ name }) => tags.has(String(name))),
    components: pruned(document.components, (name) => used.has(name)),
  }
}

function namesOf(operation: unknown): string[] {
  if (!isJson(operation)) return []
  return [operation.operationId, ...(Array.isArray(operation.tags) ? operation.tags : [])].map(
    (name) => String(name).toLowerCase(),
  )
}

function picked(members: unknown, names: ReadonlySet<unknown>): Json {
  const all = Object.entries(isJson(members) ? members : {})
  return Object.fromEntries(all.filter(([name]) => names.has(name)))
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** The components that a value refers to, also through others: `schemas/Bot`. */
function componentsOf(document: Json, value: unknown): Set<string> {
  const found = new Set<string>()
  const visit = (part: unknown) => {
    const references = JSON.stringify(part ?? {}).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)
    for (const [, kind = "", name = ""] of references) {
      const key = `${kind}/${name}`
      if (found.has(key)) continue
      found.add(key)
      visit(memberOf(document, "components", kind)[name])
    }
  }
  visit(value)
  return found
}

/** The components of these names; security schemes stay, since operations name them otherwise. */
function pruned(components: unknown, isKept: (name: string) => boolean): Json {
  const kinds = Object.entries(isJson(components) ? components : {}).map(([kind, members]) => {
    const all = Object.entries(isJson(members) ? members : {})
    const kept = all.filter(([name]) => kind === "securitySchemes" || isKept(`${kind}/${name}`))
    return [kind, Object.fromEntries(kept)] as const
  })
  return Object.fromEntries(kinds.filter(([, members]) => Object.keys(members).length > 0))
}
