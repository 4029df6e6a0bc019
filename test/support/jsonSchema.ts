/** Judges values by JSON Schema, and spoils them at one place. */
import { Ajv2020 } from "ajv/dist/2020.js"

/** A place in a value, as a JSON pointer. */
export type Place = string

/** Compiles a schema that must be valid under the 2020-12 rules; the result lists where a value is wrong. */
export function judgeOf(schema: object): (value: unknown) => Place[] {
  // A list may be described by its beginning, and a member may have one of several types.
  const ajv = new Ajv2020({
    strict: true,
    strictTuples: false,
    allowUnionTypes: true,
    allErrors: true,
    validateFormats: false,
  })
  ajv.addVocabulary(["x-parley"])
  const validate = ajv.compile(schema)
  return (value) => {
    validate(value)
    const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if")
    return errors.map(({ instancePath, keyword, params }) =>
      keyword === "required" ? `${instancePath}/${params.missingProperty}` : instancePath,
    )
  }
}

/** The place that a path of keys leads to. */
export function placeOf(path: readonly PropertyKey[]): Place {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
}

/** What is put in the place of something else; undefined: nothing. */
export const spoils: readonly unknown[] = [
  undefined,
  null,
  5,
  -1,
  1e9,
  "",
  "x",
  "x".repeat(300),
  true,
  [],
  [5],
  {},
  { a: 1 },
]

type Path = readonly (string | number)[]

/** Every place within a value. */
export function pathsIn(value: unknown, above: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const path = [...above, Array.isArray(value) ? Number(name) : name]
    return [path, ...pathsIn(member, path)]
  })
}

/** The same value with something else at one place. */
export function spoilt<Value>(value: Value, path: Path, spoil: unknown): Value {
  const copy = structuredClone(value)
  const last = path.at(-1) ?? ""
  let parent = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) parent = parent[key] as typeof parent
  if (spoil !== undefined) parent[last] = structuredClone(spoil)
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
  return copy
}
