/** Finds each list and map in a schema, and makes inputs that lead to one. */
import type { z } from "zod"
import { blockSchema, blockSchemas } from "../../src/engine/blocks/registry.ts"

/** A list or map of a schema. */
export type Container = {
  /** Such as `groups[].blocks[].items`; the same place may be reached by several branches. */
  path: string
  kind: "list" | "map"
  schema: z.core.$ZodTypes
  /** An input whose list or map at this place is `contents`; what else is needed is left out. */
  around(contents: unknown): unknown
}

type Around = Container["around"]

/** All of a schema; of a recursive one, those of the first level. */
export function containersIn(root: z.core.$ZodType): Container[] {
  const found: Container[] = []
  const open = new Set<z.core.$ZodType>()
  const visit = (schema: z.core.$ZodType, path: string, around: Around): void => {
    if (open.has(schema)) return
    open.add(schema)
    descend(schema as z.core.$ZodTypes, path, around)
    open.delete(schema)
  }
  const descend = (schema: z.core.$ZodTypes, path: string, around: Around): void => {
    const { def } = schema._zod
    if (schema === (blockSchema as unknown)) {
      for (const each of blockSchemas) visit(each, path, around)
    } else if (def.type === "array") {
      found.push({ path, kind: "list", schema, around })
      visit(def.element, `${path}[]`, (inner) => around([inner]))
    } else if (def.type === "record") {
      found.push({ path, kind: "map", schema, around })
      visit(def.valueType, `${path}.*`, (inner) => around({ name: inner }))
    } else if (def.type === "object") {
      const fixed = literalsOf(def.shape)
      for (const [name, member] of Object.entries(def.shape)) {
        visit(member, path === "" ? name : `${path}.${name}`, (inner) =>
          around({ ...fixed, [name]: inner }),
        )
      }
    } else if (def.type === "union") for (const each of def.options) visit(each, path, around)
    else if (def.type === "pipe") {
      const from = def.in as z.core.$ZodTypes
      visit(from._zod.def.type === "transform" ? def.out : from, path, around)
    } else if (def.type === "lazy") visit(def.getter(), path, around)
    else if (def.type === "tuple") throw new Error(`${path} is a tuple, which the walk lacks`)
    else if ("innerType" in def) visit(def.innerType, path, around)
  }
  visit(root, "", (contents) => contents)
  return found
}

/** What tells the branches of a choice apart; and an id, without which blocks are refused early. */
function literalsOf(shape: z.core.$ZodShape): Record<string, unknown> {
  const literals: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(shape)) {
    const { def } = (member as z.core.$ZodTypes)._zod
    if (def.type === "literal") literals[name] = def.values[0]
    if (name === "id") literals[name] = "x"
  }
  return literals
}
