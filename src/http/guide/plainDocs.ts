/** Writes the docs as plain text for assistants: an overview of links, and everything in one file. */
import type { SplitDocument } from "../openapi/documentParts.ts"
import { isJson, type Json, memberOf } from "../openapi/openapiSchemas.ts"
import type { Chapter } from "./chapters.ts"

/** Max length of an example; longer answers are described by their members. */
const maxExample = 600

const summary =
  "Parley is a self-hosted service for conversational bots. It stores bots (flows of groups, blocks and edges), " +
  "publishes them, and runs them as chats, over REST with JSON and over tRPC."

/** What both texts are made from. */
type PlainSource = SplitDocument & { chapters: readonly Chapter[]; publicUrl: string }

/** The overview at /llms.txt: title, summary and links with a sentence each. */
export function llmsText({ chapters, document, publicUrl }: PlainSource): string {
  const link = (title: string, path: string, words: string) =>
    `- [${title}](${publicUrl}${path}): ${words}`
  return [
    `# Parley\n\n> ${summary}`,
    `Everything below is in one file: ${publicUrl}/docs.md`,
    "## Guide",
    chapters.map(({ title, path, text }) => link(title, path, introOf(text))).join("\n"),
    "## Operations",
    tagsOf(document)
      .map(([tag, words]) => link(tag, `/openapi.json?tag=${tag}`, words))
      .join("\n"),
    "## Optional",
    [
      link(
        "OpenAPI document",
        "/openapi.json",
        "all operations; `?operations=` and `?tag=` select some",
      ),
      link("Webhooks", "/openapi.webhooks.json", "the events that endpoints receive"),
      link("Bot files", "/schemas/bot.json", "the JSON Schema of bots"),
    ].join("\n"),
    "",
  ].join("\n\n")
}

/** The first sentence of a chapter. */
function introOf(text: string): string {
  const [, intro = ""] = text.split("\n\n")
  return /^.*?\.(?=\s|$)/.exec(intro.replaceAll("\n", " "))?.[0] ?? intro
}

/** The guide and every operation in compact form, at /docs.md. */
export function docsText({ chapters, document, webhooks, publicUrl }: PlainSource): string {
  const events = Object.entries(memberOf(webhooks, "webhooks")).map(
    ([type, item]) => `- \`${type}\`: ${isJson(item) ? memberOf(item, "post").summary : ""}`,
  )
  return [
    ...chapters.map(({ text }) => text.replaceAll(/^```json example\n.*?^```\n/gms, "").trim()),
    "# Operations",
    "Paths begin at the address of the service. Members without `?` are required.",
    ...tagsOf(document).flatMap(([tag, words]) => [
      `## ${tag}`,
      `${words}.`,
      ...operationsIn(document, tag),
    ]),
    "# Events",
    events.join("\n"),
    "",
  ]
    .join("\n\n")
    .replaceAll("](/", `](${publicUrl}/`)
}

function tagsOf({ tags }: Json): [name: string, description: string][] {
  const all = Array.isArray(tags) ? tags.filter(isJson) : []
  return all.map(({ name, description }) => [String(name), String(description)])
}

function operationsIn(document: Json, tag: string): string[] {
  return Object.entries(memberOf(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(isJson(methods) ? methods : {})
      .filter((entry): entry is [string, Json] => isJson(entry[1]))
      .filter(([, { tags }]) => Array.isArray(tags) && tags.includes(tag))
      .map(([method, operation]) =>
        describe(document, `${method.toUpperCase()} ${path}`, operation),
      ),
  )
}

function describe(document: Json, place: string, operation: Json): string {
  const { operationId, summary: words, description } = operation
  const parameters = [operation.parameters ?? []].flat().filter(isJson)
  const query = parameters
    .map((each) => resolved(document, each))
    .filter((each) => each.in === "query")
    .map((each) => `${each.name}${each.required ? "" : "?"}`)
  const body = isJson(operation.requestBody) ? jsonOf(operation.requestBody) : undefined
  const answer = jsonOf(memberOf(operation, "responses", "200"))
  return [
    `### ${operationId}\n\n${words}. \`${place}\``,
    ...(description ? [String(description)] : []),
    ...(query.length > 0 ? [`Query: \`${query.join(", ")}\``] : []),
    ...(body ? [`Body: ${membersOf(document, body.schema)}${exampleOf(body.example)}`] : []),
    ...(answer
      ? [`Answer: ${membersOf(document, answer.schema)}${exampleOf(answer.example)}`]
      : []),
  ].join("\n\n")
}

function jsonOf(body: Json): Json | undefined {
  const media = isJson(body.content) ? body.content["application/json"] : undefined
  return isJson(media) ? media : undefined
}

function exampleOf(example: unknown): string {
  const text = JSON.stringify(example) ?? ""
  return text === "" || text.length > maxExample ? "" : `\n\n\`\`\`json\n${text}\n\`\`\``
}

/** The members of a schema: `name: string, limit?: integer`. */
function membersOf(document: Json, schema: unknown): string {
  if (!isJson(schema)) return "anything"
  const { properties, required } = resolved(document, schema)
  if (!isJson(properties)) return `\`${typeOf(schema)}\``
  const needed = Array.isArray(required) ? required : []
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${needed.includes(name) ? "" : "?"}: ${typeOf(member)}`,
  )
  return `\`{ ${members.join(", ")} }\``
}

/** A type in a word: the name of a component, or of JSON. */
function typeOf(schema: unknown): string {
  if (!isJson(schema)) return "any"
  const { $ref, type, items, oneOf, anyOf, enum: values } = schema
  if ($ref !== undefined) return String($ref).split("/").at(-1) ?? "any"
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ")
  const choices = oneOf ?? anyOf
  if (Array.isArray(choices)) return [...new Set(choices.map(typeOf))].join(" | ")
  if (type === "array") return `${typeOf(items)}[]`
  return type === undefined ? "any" : [type].flat().join(" | ")
}

function resolved(document: Json, schema: Json): Json {
  const [kind, name] = String(schema.$ref ?? "")
    .split("/")
    .slice(-2)
  return kind && name ? memberOf(document, "components", kind, name) : schema
}
