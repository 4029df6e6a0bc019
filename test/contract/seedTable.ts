/** Reads seed.json, the table of the ten endpoints that the service must always have. */
import { readFileSync } from "node:fs"

type Shape = string | [Shape] | { [member: string]: Shape }

/** A field by its way from the root: names of members, `[]` into a list, `{}` into a map. */
export type Field = {
  path: string[]
  type: "string" | "number" | "boolean" | "any" | "object" | "array"
  /** A value that the field must be able to have. */
  example?: string
}

export type Endpoint = {
  name: string
  method: string
  /** With its parameters in braces. */
  path: string
  needsToken: boolean
  /** Whether a query flag converts the bot to the latest version. */
  hasConversionFlag: boolean
  /** Every field of the body; none when there is no body. */
  request: Field[]
  response: Field[]
  /** Response fields, joined by dots, that this endpoint does not have although others do. */
  absent: string[]
}

type Table = {
  shapes: Record<string, Shape>
  endpoints: (Pick<Endpoint, "name" | "method" | "path" | "needsToken"> & {
    hasConversionFlag?: boolean
    request?: Shape
    response: Shape
    absent?: string[]
  })[]
}

const table: Table = JSON.parse(readFileSync(new URL("seed.json", import.meta.url), "utf8"))

/** The ten endpoints, in the order of the table. */
export const endpoints: Endpoint[] = table.endpoints.map((endpoint) => ({
  hasConversionFlag: false,
  absent: [],
  ...endpoint,
  request: endpoint.request === undefined ? [] : fieldsIn(endpoint.request, []),
  response: fieldsIn(endpoint.response, []),
}))

/** The own fields of all shapes, `Shape.path`; those of a shape that a field has are the fields of that shape. */
export const shapedFields: string[] = Object.entries(table.shapes).flatMap(([name, shape]) =>
  ownFieldsIn(shape, name),
)

function ownFieldsIn(shape: Shape, path: string): string[] {
  if (typeof shape === "string") return [path]
  if (Array.isArray(shape))
    return typeof shape[0] === "string" ? [path] : ownFieldsIn(shape[0], `${path}[]`)
  return Object.entries(shape)
    .filter(([name]) => name !== "+")
    .flatMap(([name, member]) => ownFieldsIn(member, `${path}.${name}`))
}

/** As people write it: `groups[].blocks[].id`. */
export function nameOf({ path }: Pick<Field, "path">): string {
  return path.join(".").replaceAll(".[]", "[]").replaceAll(".{}", "{}")
}

/** The fields below a place, the place itself left out. */
function fieldsIn(shape: Shape, path: string[]): Field[] {
  return Object.entries(membersOf(shape)).flatMap(([name, member]) =>
    fieldsAt(member, [...path, name]),
  )
}

/** The field at a place and those below it. */
function fieldsAt(shape: Shape, path: string[]): Field[] {
  if (Array.isArray(shape)) {
    return [{ path, type: "array" }, ...fieldsAt(shape[0], [...path, "[]"])]
  }
  if (typeof shape !== "string") return fieldsOfObject(shape, path)
  const [type = "", example] = shape.split(" = ")
  if (type === "map") return [{ path, type: "object" }]
  if (type === "string" || type === "number" || type === "boolean" || type === "any") {
    return [{ path, type, ...(example === undefined ? {} : { example }) }]
  }
  return fieldsOfObject(shape, path)
}

function fieldsOfObject(shape: Shape, path: string[]): Field[] {
  const members = membersOf(shape)
  const elements = members["*"]
  return [
    { path, type: "object" },
    ...(elements === undefined ? fieldsIn(members, path) : fieldsAt(elements, [...path, "{}"])),
  ]
}

function membersOf(shape: Shape): Record<string, Shape> {
  if (typeof shape === "string") {
    const named = table.shapes[shape]
    if (named === undefined) throw new Error(`seed.json has no shape ${shape}`)
    return membersOf(named)
  }
  if (Array.isArray(shape)) throw new Error("A list has no members")
  const { "+": base, ...own } = shape
  return base === undefined ? own : { ...membersOf(base), ...own }
}
