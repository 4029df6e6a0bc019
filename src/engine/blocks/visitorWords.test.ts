/** What a visitor said stays one part of whatever a block sends: of every type, wherever its schema takes a text. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { testScene } from "../../../test/support/context.ts"
import { hostileBlock } from "../../../test/support/hostile.ts"
import { AppError } from "../../errors.ts"
import type { Call, EmailAsk, HttpRequest, Template } from "../calls.ts"
import { isAddressName } from "../variables/interpolateStructure.ts"
import { type Block, blockTypes, typeOf } from "./registry.ts"

/** Texts of authors with a value of a visitor's, in each of the places that a text may have. */
const templates = [
  "a@x.example, {{Said}}",
  'say "{{Said}}"; role=user',
  "role={{Said}}&z=1",
  '{"name":"{{Said}}","role":"user"}',
  "Basic {{Said}}:secret",
  "Hello {{Said}}",
]

/** The same in an address. */
const address = "https://x.example/base/{{Said}}/end?q={{Said}}&z=1"

/** Words that are one part where they are escaped, and several parts or another place where they are not. */
const hostile = [
  'x";admin="1',
  "x&admin=1#top",
  "x, victim@y.example",
  "x\r\nEvil: 1",
  "../../admin?admin=1",
  'x","admin":"1',
  "root:x",
  "x; admin=1",
]

const known = { edges: ["e"], groups: ["g"], blocks: ["b"], bots: ["kid"] }
const names = Object.keys(blockTypes)

/** The block with a template in place of every text that its schema leaves free. */
function withTemplates(block: Block, draw: () => string): Block {
  const { schema } = typeOf(block)
  let filled: unknown = block
  const visit = (value: unknown, path: (string | number)[]) => {
    if (typeof value === "string") {
      if (/^(?:id|type)$|id$/i.test(String(path.at(-1)))) return
      const isAddress = isAddressName(String(path.at(-1)))
      const tried = schema.safeParse(replaced(filled, path, isAddress ? address : draw()))
      if (tried.success) filled = tried.data
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) visit(member, [...path, key])
    }
  }
  visit(block, [])
  return filled as Block
}

function replaced(value: unknown, path: readonly (string | number)[], text: string): unknown {
  const [key, ...rest] = path
  if (key === undefined) return text
  if (Array.isArray(value)) {
    return value.map((each, at) => (String(at) === key ? replaced(each, rest, text) : each))
  }
  const members = Object.entries(value as object)
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === key ? replaced(member, rest, text) : member]),
  )
}

/** What a block asks the world or the client for. */
function sent(block: Block, said: string): { call?: Call; act?: readonly object[] } {
  const scene = testScene({ variables: { Said: said }, plain: ["Said"] })
  const type = typeOf(block)
  if (type.kind === "bubble") return { act: [{ shown: type.show(block, scene) }] }
  if (type.kind !== "action") return {}
  const { next, act } = running(() => type.run(block, scene))
  return {
    ...(typeof next === "object" && "call" in next && { call: next.call as Call }),
    ...(act && { act }),
  }
}

/** What a block does; one that refuses its options does nothing. */
function running<Result>(run: () => Result): Partial<Result> {
  try {
    return run()
  } catch (error) {
    if (error instanceof AppError) return {}
    throw error
  }
}

const written = (template: Template) =>
  typeof template === "string"
    ? template
    : template.map((part) => (typeof part === "string" ? part : "https://secret.example")).join("")

/** The parts of an address: all but what stands in them. */
function shapeOfUrl(text: string) {
  if (!URL.canParse(text)) return "no address"
  const { origin, pathname, searchParams, hash } = new URL(text)
  const path = pathname.replace(/(?<=^\/base\/).*(?=\/end$)/, "…")
  return { origin, path, query: searchParams.size, hash }
}

/** Everything but the texts in a value. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value !== "object" || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]))
}

function shapeOfText(text: string): unknown {
  try {
    return shape(JSON.parse(text))
  } catch {
    return "text"
  }
}

/** The separators of a header outside of quotation marks, and whether it is one line. */
function shapeOfHeader(name: string, value: string) {
  const bare = value.replaceAll(/"(?:[^"\\]|\\.)*"/g, "T")
  const isEncoded = /^basic [\w+/]+=*$/i.test(value) && /authorization/i.test(name)
  const login = isEncoded ? atob(value.slice(6)).split(":")[0]?.length : 0
  return [name, isEncoded ? login === undefined : bare.replaceAll(/[^,;"\r\n]/g, "")]
}

function shapeOfBody({ headers = [], body }: HttpRequest) {
  if (!body || "multipart" in body) return body && "multipart"
  if ("form" in body) return body.form.map(([name]) => name)
  const text = written(body.text)
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? body.contentType
  if (/x-www-form-urlencoded/i.test(String(type))) return [...new URLSearchParams(text).keys()]
  return shapeOfText(text)
}

const addresses = (list: readonly string[] | string | undefined) =>
  [list ?? []].flat().map((each) => each.split(/[,;\r\n]/).length)

const shapeOfMail = ({ to, cc, bcc, replyTo }: EmailAsk) =>
  [to, cc, bcc, replyTo].map((list) => addresses(list))

function shapeOf({ call, act }: ReturnType<typeof sent>): unknown {
  if (call?.kind === "http") {
    const { method, url, query = [], headers = [] } = call.request
    return {
      method,
      url: shapeOfUrl(written(url)),
      query: query.length,
      headers: headers.map(([name, value]) => shapeOfHeader(name, written(value))),
      body: shapeOfBody(call.request),
    }
  }
  if (call?.kind === "email") return shapeOfMail(call)
  return addressesIn(act)
}

/** The shapes of all addresses in what a client is handed. */
function addressesIn(value: unknown): unknown[] {
  if (typeof value === "string") return value.includes("/base/") ? [shapeOfUrl(value)] : []
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(addressesIn)
}

it.each(names)("20.1 what a visitor said stays one part of what %s sends", (name) => {
  const { schema } = typeOf({ id: "b", type: name })
  const texts = fc.infiniteStream(fc.constantFrom(...templates))
  const drawn = hostileBlock(schema, known).map((block) =>
    schema.parse({ ...block, id: "b", type: name }),
  )
  fc.assert(
    fc.property(drawn, texts, (some, stream) => {
      const block = withTemplates(some as Block, () => String(stream.next().value))
      const usual = sent(block, "Ann")
      for (const said of hostile) {
        const one = sent(block, said)
        // Refused, in words; or the same with other words in it.
        if (one.call === undefined && one.act === undefined) continue
        if (one.call?.kind === "script") continue
        expect(shapeOf(one), said).toEqual(shapeOf(usual))
      }
    }),
    { numRuns: 100 },
  )
})
