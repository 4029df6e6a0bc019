/** Schemas of merge patches (RFC 7396): any part of an object, in which null removes a member. */
import { z } from "zod"

type Objects<T> = Exclude<Extract<T, object>, readonly unknown[]>
type NameIn<T> = T extends unknown ? keyof T : never
type MemberIn<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never

/** Any part of a value; of a choice of objects, any part of each. */
export type Patch<T> =
  | Exclude<T, Objects<T>>
  | ([Objects<T>] extends [never]
      ? never
      : {
          [Name in NameIn<Objects<T>>]?:
            | Patch<Exclude<MemberIn<Objects<T>, Name>, undefined>>
            | null
            | undefined
        })

const known = new WeakMap<z.core.$ZodType, z.ZodType>()

/** The schema of patches of a schema's values. */
export function patchSchemaOf<T extends object>(
  schema: z.ZodType<T>,
): z.ZodType<Patch<T>, Patch<T>> {
  const { id } = z.globalRegistry.get(schema) ?? {}
  return patchOf(schema).meta({
    id: `${id}Patch`,
    description: `Any part of a ${id}; null removes a member (RFC 7396)`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.properties
      jsonSchema.additionalProperties = true
    },
  }) as z.ZodType<Patch<T>, Patch<T>>
}

function patchOf(schema: z.core.$ZodType): z.ZodType {
  const patch = known.get(schema) ?? makePatch(schema)
  known.set(schema, patch)
  return patch
}

function makePatch(schema: z.core.$ZodType): z.ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === "optional" || def.type === "nullable") return patchOf(def.innerType)
  if (def.type === "object") return patchOfObjects([def.shape])
  if (def.type !== "union") return schema as z.ZodType
  const shapes: z.core.$ZodShape[] = []
  const others: z.core.$ZodType[] = []
  for (const option of def.options) {
    const inner = (option as z.core.$ZodTypes)._zod.def
    if (inner.type === "object") shapes.push(inner.shape)
    else others.push(option)
  }
  return shapes.length === 0 ? (schema as z.ZodType) : z.union([...others, patchOfObjects(shapes)])
}

/** Members of the same name may have any of their types. */
function patchOfObjects(shapes: readonly z.core.$ZodShape[]): z.ZodType {
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)))
  const members = [...names].map((name) => {
    const schemas = [...new Set(shapes.flatMap((shape) => shape[name] ?? []))]
    const [first = z.never(), ...others] = schemas.map(patchOf)
    const patch = others.length === 0 ? first : z.union([first, ...others])
    const { description } = schemas[0] ? (z.globalRegistry.get(schemas[0]) ?? {}) : {}
    const member = patch.nullable().optional()
    return [name, description === undefined ? member : member.describe(description)]
  })
  return z.object(Object.fromEntries(members))
}
