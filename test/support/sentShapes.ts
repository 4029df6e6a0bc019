/** The shape of what a block sends: everything but the words in it. */
import MailComposer from "nodemailer/lib/mail-composer/index.js"
import { messageOf } from "../../src/effects/mail/mailMessage.ts"
import type {
  Call,
  EmailAsk,
  HttpRequest,
  ModelAsk,
  Secret,
  Template,
} from "../../src/engine/calls.ts"

/** What a block asks for in one step. */
export type Sent = { call?: Call | undefined; act?: readonly unknown[] | undefined }

/** A template as it stands before secrets are known. */
const written = (template: Template) =>
  typeof template === "string"
    ? template
    : template.map((part) => (typeof part === "string" ? part : standIn(part))).join("")

const standIn = ({ as, fallback = "secret" }: Secret) => (as === "json" ? '"secret"' : fallback)

/** Where words may stand in the addresses of the tests. */
const within = /(?<=^\/base\/).*(?=\/end)/

/** The words in a name are left out, too. */
type Words = { said: string }

const nameOf = (name: string, { said }: Words) => name.replaceAll(said, "…")

/** The parts of an address but the words in them. A host of the author's with words in it may lead nowhere, too. */
function shapeOfUrl(text: string, words: Words) {
  if (!URL.canParse(text) || new URL(text).host.endsWith(".x.example")) return "host"
  const { protocol, host, pathname, searchParams, hash } = new URL(text)
  const path = pathname
    .replace(within, "…")
    .split("/")
    .map((segment) => nameOf(decodeURIComponent(segment), words))
  const query = [...searchParams.keys()].map((name) => nameOf(name, words))
  return {
    protocol,
    host,
    path,
    query,
    hash: hash !== "",
  }
}

/** Everything but the words in a value; `name` is that of its member. */
function shapeOfValue(value: unknown, words: Words, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => shapeOfValue(each, words, name))
  if (typeof value === "object" && value !== null) {
    const isCode = "args" in value
    const members = Object.entries(value).map(([key, each]) =>
      isCode && key === "content"
        ? [key, shapeOfCode(String(each), words)]
        : [nameOf(key, words), shapeOfValue(each, words, key)],
    )
    return Object.fromEntries(members)
  }
  if (typeof value !== "string") return typeof value
  if (value === words.said) return "text"
  if (name === "queryParamsStr") return [...new URLSearchParams(value).keys()]
  return /^\w+:\/\//.test(value) ? shapeOfUrl(value, words) : "text"
}

const texts = /"((?:[^"\\\n]|\\.)*)"/g

/** Code with its texts replaced by their shapes. */
const shapeOfCode = (code: string, words: Words) =>
  code.replaceAll(texts, (written, text: string) =>
    /^\w+:\/\//.test(text) ? JSON.stringify(shapeOfUrl(JSON.parse(written), words)) : '""',
  )

function shapeOfText(text: string, words: Words): unknown {
  try {
    return shapeOfValue(JSON.parse(text), words)
  } catch {
    return "text"
  }
}

/** The separators of a header outside of quotation marks, and whether it is one line. */
function shapeOfHeader([name, value]: [string, string], words: Words) {
  const key = nameOf(name, words)
  const isLogin = /^basic [\w+/]+=*$/i.test(value) && /authorization/i.test(name)
  // The words are the user of the tests' login; what stands behind the last colon is the author's.
  if (isLogin) return [key, atob(value.slice(6)).replace(/^[^:]*(?=:secret$)/, "…")]
  // Beside words alone, words are free: they only must not begin a line.
  const isFree = !/[,;="]/.test(value.replace(words.said.trim(), ""))
  if (isFree) return [key, value.replaceAll(/[^\r\n]/g, "")]
  return [key, separators(value.replaceAll(/"(?:[^"\\]|\\.)*"/g, "T"))]
}

const separators = (text: string) => text.replaceAll(/[^,;"\r\n]/g, "")

function shapeOfBody({ headers = [], body }: HttpRequest, words: Words): unknown {
  if (!body) return "none"
  if ("multipart" in body) {
    return { fields: body.multipart.map(([name]) => name), file: shapeOfUrl(body.file.url, words) }
  }
  if ("form" in body) return body.form.map(([name]) => nameOf(name, words))
  const text = written(body.text)
  if (text === words.said) return "text"
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? body.contentType
  if (/x-www-form-urlencoded/i.test(String(type))) {
    return [...new URLSearchParams(text).keys()].map((name) => nameOf(name, words))
  }
  return shapeOfText(text, words)
}

function shapeOfRequest(request: HttpRequest, words: Words) {
  const { method, url, query = [], headers = [] } = request
  return {
    method,
    url: shapeOfUrl(written(url), words),
    // A condition is one, or is not sent: the records are filtered here then.
    query: query.map(([name]) => name).filter((name) => name !== "where"),
    severalConditions: query.filter(
      ([name, value]) => name === "where" && !oneCondition.test(value),
    ),
    headers: headers.map(([name, value]) => shapeOfHeader([name, written(value)], words)),
    body: shapeOfBody(request, words),
  }
}

const oneCondition = /^\([^(),~]*(?:,[^(),~]*){1,2}\)$/

/** A mail as its server gets it: the names of its headers, and the author's addresses of its envelope. */
function shapeOfMail(ask: EmailAsk, { said }: Words) {
  const message = messageOf({ ...ask, files: [] }, { email: "me@x.example" })
  const node = new MailComposer(message).compile()
  const names = node.buildHeaders().match(/^[\w-]+(?=:)/gm) ?? []
  const addresses = [node.getEnvelope().to].flat().filter((each) => each !== said)
  const body = ask.html === undefined ? "text" : (ask.html.match(/<(?!br \/)[^>]*>/g) ?? [])
  return { addresses, body, names: names.filter((name) => !/^(?:Cc|Reply-To)$/i.test(name)) }
}

/** Numbers and texts of a formula are its words. */
const shapeOfCell = (cell: string | null) =>
  cell?.startsWith("=") || cell?.startsWith("+")
    ? cell.replaceAll(/"(?:[^"]|"")*"|-?\d+(?:\.\d+)?/g, "T")
    : "text"

const shapeOfModel = ({ messages, tools, baseUrl, ...ask }: ModelAsk, words: Words) => ({
  ...(shapeOfValue(ask, words) as object),
  baseUrl: shapeOfUrl(baseUrl, words),
  messages: messages.map(({ role }) => role),
  tools: tools?.map(({ script }) => script.code),
})

/** The shape of a step in which a visitor has said something. */
export function shapeOf({ call, act }: Sent, said: string): unknown {
  const words = { said }
  if (call?.kind === "http") return shapeOfRequest(call.request, words)
  if (call?.kind === "email") return shapeOfMail(call, words)
  if (call?.kind === "script") return call.scripts.map(({ code }) => code.replaceAll(texts, "T"))
  if (call?.kind === "model") return shapeOfModel(call, words)
  if (call?.kind === "sheet" && "appendsTo" in call) return call.row.map(shapeOfCell)
  if (call?.kind === "sheet" && "overwrites" in call) {
    return call.overwrites.map(({ value }) => shapeOfCell(value))
  }
  return call ? shapeOfValue(call, words) : shapeOfAct(act, words)
}

/** What clients get; the request that one makes is a request like any other. */
function shapeOfAct(act: Sent["act"], words: Words): unknown {
  return act?.map((each) => {
    const request = (each as { httpRequestToExecute?: ClientRequest }).httpRequestToExecute
    if (!request) return shapeOfValue(each, words)
    const { body, headers = {}, ...rest } = request
    const text = typeof body === "string" ? body : JSON.stringify(body)
    const sent = { ...rest, headers: Object.entries(headers) }
    return shapeOfRequest(text === undefined ? sent : { ...sent, body: { text } }, words)
  })
}

type ClientRequest = {
  method: string
  url: string
  headers?: Record<string, string>
  body?: unknown
}
