/** Makes code samples of operations from their examples: curl, `@parley/client` and Python. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { metaOf } from "../../routers/trpc.ts"
import { isJson, type Json, memberOf } from "./openapiSchemas.ts"
import { printLiteral } from "./printLiteral.ts"

type Verb = "query" | "mutate" | "subscribe"

/** An operation with the values of its example. */
type Sampled = {
  method: string
  /** The path with its query. */
  address: string
  /** The members of path and query. */
  named: Json
  body: unknown
  takesToken: boolean
  /** How the answer is read: JSON, line by line, or as a file behind a redirect. */
  answer: "json" | "lines" | "file"
  /** The procedure of the client, and how it is called; absent: the operation is none. */
  call?: { name: string; verb: Verb; takesWholeBody: boolean; takesInput: boolean } | undefined
}

/** Streams that clients of tRPC read as subscriptions. */
const streams: Readonly<Record<string, string>> = {
  streamMessage: "chat.streamAnswer",
  listenForEvents: "chat.listen",
  listenForChanges: "bot.changes",
  listenForMessages: "conversation.listen",
  listenForSessionMessages: "conversation.listenToSession",
}

/** The document with `x-codeSamples` of every operation. */
export function addCodeSamples(document: Json, router: AnyTRPCRouter): Json {
  const sampled = structuredClone(document)
  const calls = callsOf(router)
  for (const [path, methods] of Object.entries(memberOf(sampled, "paths"))) {
    for (const [method, operation] of Object.entries(isJson(methods) ? methods : {})) {
      if (!isJson(operation)) continue
      const sample = sampleOf(sampled, `${method} ${path}`, operation, calls)
      operation["x-codeSamples"] = [
        { lang: "Shell", label: "curl", source: curlOf(sample) },
        { lang: "TypeScript", label: "@parley/client", source: clientCodeOf(sample) },
        { lang: "Python", label: "Python", source: pythonOf(sample) },
      ]
    }
  }
  return sampled
}

/** The procedures by method and path. */
function callsOf(router: AnyTRPCRouter): Map<string, Sampled["call"]> {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  return new Map(
    Object.entries(procedures).flatMap(([name, procedure]) => {
      const { openapi, takesWholeBody = false } = metaOf(procedure)
      if (!openapi) return []
      const verb = procedure._def.type === "query" ? "query" : "mutate"
      const { inputs } = procedure._def as unknown as { inputs: readonly unknown[] }
      const call = { name, verb, takesWholeBody, takesInput: inputs.length > 0 } as const
      return [[`${openapi.method.toLowerCase()} ${openapi.path}`, call]]
    }),
  )
}

function sampleOf(
  document: Json,
  place: string,
  operation: Json,
  calls: ReturnType<typeof callsOf>,
): Sampled {
  const [method = "", path = ""] = place.split(" ")
  const list = Array.isArray(operation.parameters) ? operation.parameters.filter(isJson) : []
  const parameters = list
    .map((each) => resolved(document, each))
    .filter(({ in: where, example }) => where !== "header" && example !== undefined)
  const named = Object.fromEntries(parameters.map(({ name, example }) => [String(name), example]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(named[name])))
  const query = parameters.filter((each) => each.in === "query")
  const search = new URLSearchParams(
    Object.fromEntries(query.map(({ name, example }) => [String(name), String(example)])),
  )
  const [[type = ""] = []] = Object.entries(memberOf(operation, "responses", "200", "content"))
  const stream = streams[String(operation.operationId)]
  const body = isJson(operation.requestBody)
    ? (memberOf(operation.requestBody, "content", "application/json").example ?? {})
    : undefined
  return {
    method: method.toUpperCase(),
    address: search.size > 0 ? `${filled}?${search}` : filled,
    named,
    body,
    takesToken: operation.security === undefined,
    answer: type === "application/json" ? "json" : type.startsWith("text/") ? "lines" : "file",
    call: stream
      ? { name: stream, verb: "subscribe", takesWholeBody: false, takesInput: true }
      : calls.get(`${method} ${path}`),
  }
}

function resolved(document: Json, { $ref, ...parameter }: Json): Json {
  const name = String($ref).split("/").at(-1) ?? ""
  return $ref === undefined ? parameter : memberOf(document, "components", "parameters", name)
}

function curlOf({ method, address, body, takesToken, answer }: Sampled): string {
  const options = { json: "", lines: "N", file: "L" }
  const json = printLiteral(body, "json").replaceAll("'", "'\\''")
  return [
    `curl -s${options[answer]}${method === "GET" ? "" : ` -X ${method}`} "$API${address}"`,
    ...(takesToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`]),
  ].join(" \\\n  ")
}

function clientCodeOf({ address, named, body, takesToken, call }: Sampled): string {
  const token = takesToken ? ", TOKEN" : ""
  const environment = `const { API = "http://localhost:3000"${token} } = process.env`
  if (!call) {
    const headers = "{ authorization: `Bearer ${" + "TOKEN}` }"
    return `${environment}
const response = await fetch(\`\${API}${address}\`, {${takesToken ? `\n  headers: ${headers},\n` : ""}})
console.log(response.status, await response.text())`
  }
  const members = call.takesWholeBody ? { body } : isJson(body) ? body : {}
  const sent = call.takesInput ? printLiteral({ ...named, ...members }, "js") : ""
  const path = `parley.${call.name}.${call.verb}`
  const lines =
    call.verb === "subscribe"
      ? `${path}(${sent}, {\n  onData: ({ data }) => console.log(data),\n})`
      : `const answer = await ${path}(${sent})\nconsole.log(answer)`
  return `import { createParleyClient } from "@parley/client"

${environment}
const parley = createParleyClient({ url: API${takesToken ? ", token: TOKEN" : ""} })
${lines}`
}

function pythonOf({ method, address, body, takesToken, answer }: Sampled): string {
  const read = {
    json: "    print(json.load(response))",
    lines: '    for line in response:\n        print(line.decode(), end="")',
    file: "    print(response.read())",
  }
  const hasBody = body !== undefined
  const request = [
    `API + ${JSON.stringify(address)},`,
    ...(method === "GET" ? [] : [`method="${method}",`]),
    ...(hasBody ? ["data=json.dumps(body).encode(),"] : []),
  ]
  const headers = [
    ...(takesToken ? ['request.add_header("Authorization", "Bearer " + os.environ["TOKEN"])'] : []),
    ...(hasBody ? ['request.add_header("Content-Type", "application/json")'] : []),
  ]
  return [
    `import ${hasBody || answer === "json" ? "json, os" : "os"}`,
    "from urllib.request import Request, urlopen",
    "",
    'API = os.environ.get("API", "http://localhost:3000")',
    ...(hasBody ? [`body = ${printLiteral(body, "python")}`] : []),
    "request = Request(",
    ...request.map((line) => `    ${line}`),
    ")",
    ...headers,
    "with urlopen(request) as response:",
    read[answer],
  ].join("\n")
}
