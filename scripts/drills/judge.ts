/** Judges answers by the OpenAPI document: status, media type and body must be the documented ones. */
import { Ajv2020 } from "ajv/dist/2020.js"

/** What came back. */
export type Answer = { status: number; contentType: string; text: string }

/** Finds what is wrong with an answer to an operation; undefined: nothing. */
export type Judge = (operation: Documented | undefined, answer: Answer) => string | undefined

/** An operation of the document: its path, and its method in lower case. */
export type Documented = { path: string; method: string }

type Json = Record<string, unknown>

/** Opens a judge; refusals of requests for no operation must have a Problem as their body, too. */
export function openJudge(document: Json): Judge {
  const ajv = new Ajv2020({ strict: false, formats, validateSchema: false })
  ajv.addSchema(document, "openapi")
  const validators = new Map<string, ReturnType<Ajv2020["compile"]>>()
  const validate = (pointer: string[], body: unknown): string | undefined => {
    const $ref = `openapi#/${pointer.map(escaped).join("/")}`
    const validator = validators.get($ref) ?? ajv.compile({ $ref })
    validators.set($ref, validator)
    return validator(body) ? undefined : ajv.errorsText(validator.errors)
  }

  return (operation, answer) => {
    const { status } = answer
    if (status >= 500 && status !== 503) return `status ${status}`
    let body: unknown
    try {
      body = JSON.parse(answer.text)
    } catch {
      return `status ${status} whose body is no JSON`
    }
    const isProblem = status >= 400
    const mediaType = isProblem ? "application/problem+json" : "application/json"
    if (!answer.contentType.startsWith(mediaType)) return `media type ${answer.contentType}`
    if (isProblem) {
      const wrong = validate(["components", "schemas", "Problem"], body)
      if (wrong !== undefined) return `status ${status}: ${wrong}`
    }
    if (!operation) return isProblem ? undefined : `status ${status} without an operation`
    const place = ["paths", operation.path, operation.method, "responses", String(status)]
    if (at(document, place) === undefined) return `status ${status}, which is not documented`
    if (isProblem) return undefined
    return validate([...place, "content", mediaType, "schema"], body)
  }
}

function at(document: Json, keys: string[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document)
}

/** One part of a JSON pointer (RFC 6901), inside the fragment of a URI. */
export function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))
}

const formats = {
  double: true as const,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
}
