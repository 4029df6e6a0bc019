/** Prints Zod schemas as TypeScript: one declaration for each that has an id, with its descriptions. */
import { z } from "zod"

/** Which side of a schema: what is sent, or what is read. */
export type Side = "input" | "output"

/** Prints types, and keeps the declarations that they name. */
export type TypePrinter = {
  /** The type of one side, by its name when it has one. */
  typeOf(schema: z.core.$ZodType, side: Side): string
  /** Whether a member of that schema may be left out. */
  isOptional(schema: z.core.$ZodType, side: Side): boolean
  /** Opens a type whose name, or that of its member, is in the list of those that may grow. */
  opened(name: string, type: string): string
  /** Every declaration so far, by name. */
  declarations: ReadonlyMap<string, string>
}

type Substitute = z.core.$ZodType | string

/**
 * `substitutes` are printed for schemas that do not show their type: another schema, or a type. `open` names
 * the schemas (`Plan`) and members (`UserSession.method`) that may hold more than their enum lists.
 */
export function createTypePrinter(
  substitutes: ReadonlyMap<z.core.$ZodType, Substitute>,
  open: ReadonlySet<string>,
): TypePrinter {
  const declarations = new Map<string, string>()
  const names = new Map<z.core.$ZodType, Record<Side, string>>()
  const printer: TypePrinter = {
    declarations,
    opened: (name, type) => (open.has(name) ? `Open<${type}>` : type),
    typeOf(schema, side) {
      const named = namedAncestor(schema)
      if (!named) return structureOf(schema, side)
      const known = names.get(named.schema) ?? declare(named)
      return known[side]
    },
    isOptional(schema, side) {
      const substitute = substituteOf(schema)
      const { optin, optout } = (typeof substitute === "object" ? substitute : schema)._zod
      return (side === "input" ? optin : optout) !== undefined
    },
  }

  function structureOf(schema: z.core.$ZodType, side: Side): string {
    const substitute = substituteOf(schema)
    if (typeof substitute === "string") return substitute
    return substitute
      ? printer.typeOf(substitute, side)
      : print(schema as z.core.$ZodTypes, side, printer)
  }

  function substituteOf(schema: z.core.$ZodType): Substitute | undefined {
    const { parent } = schema._zod
    return substitutes.get(schema) ?? (parent && substituteOf(parent))
  }

  // Both sides have one name wherever they have one type.
  function declare({ schema, id, description }: Named): Record<Side, string> {
    const known = { input: id, output: id }
    names.set(schema, known)
    if (declarations.has(id)) throw new Error(`Two schemas have the id ${id}`)
    declarations.set(id, "")
    const output = printer.opened(id, structureOf(schema, "output"))
    const input = printer.opened(id, structureOf(schema, "input"))
    declarations.set(id, declarationOf(id, output, description))
    if (input === output) return known
    known.input = `${id}Input`
    if (declarations.has(known.input)) throw new Error(`${known.input} is taken`)
    declarations.set(known.input, declarationOf(known.input, input, description))
    return known
  }

  return printer
}

/** The comment above a member or a type; none without words. */
export function commentOf(words: string | undefined): string {
  return !words ? "" : `/** ${words.replaceAll("*/", "*\\/")} */\n`
}

/** Members in braces, one a line and indented. */
export function braced(members: readonly string[]): string {
  return `{${members.map((member) => `\n${member}`.replaceAll("\n", "\n  ")).join("")}\n}`
}

function declarationOf(name: string, type: string, description: string | undefined): string {
  return `${commentOf(description)}export type ${name} = ${type}`
}

type Named = { schema: z.core.$ZodType; id: string; description?: string | undefined }

/** The schema itself or the one that it only describes or checks further, if that has an id. */
function namedAncestor(schema: z.core.$ZodType): Named | undefined {
  const { id, description } = z.globalRegistry.get(schema) ?? {}
  if (typeof id === "string") return { schema, id, description }
  const { parent } = schema._zod
  return parent && namedAncestor(parent)
}

function print(schema: z.core.$ZodTypes, side: Side, printer: TypePrinter): string {
  const { typeOf } = printer
  const { def } = schema._zod
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "undefined":
    case "unknown":
      return def.type
    case "literal":
      return def.values.map((value) => JSON.stringify(value)).join(" | ")
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ")
    case "array":
      return `${enclosed(typeOf(def.element, side))}[]`
    case "object":
      return printObject(schema as z.core.$ZodObject, side, printer)
    case "record":
      return `Record<${typeOf(def.keyType, side)}, ${typeOf(def.valueType, side)}>`
    case "union":
      return either(def.options.map((option) => typeOf(option, side)))
    case "intersection":
      return [def.left, def.right].map((part) => enclosed(typeOf(part, side))).join(" & ")
    case "optional":
      return either([typeOf(def.innerType, side), "undefined"])
    case "nullable":
      return either([typeOf(def.innerType, side), "null"])
    case "default":
    case "prefault":
      return either([typeOf(def.innerType, side), ...(side === "input" ? ["undefined"] : [])])
    case "lazy":
      return typeOf(def.getter(), side)
    case "pipe":
      return typeOf(side === "input" ? def.in : def.out, side)
    // A function: a schema on the side that is asked for must come before or after it.
    case "transform":
      return "unknown"
    default:
      throw new Error(`No type of TypeScript is known for schemas of type ${def.type}`)
  }
}

function printObject(schema: z.core.$ZodObject, side: Side, printer: TypePrinter): string {
  const { typeOf, isOptional, opened } = printer
  const { def } = schema._zod
  const owner = namedAncestor(schema)?.id
  const members = Object.entries(def.shape).map(([name, member]) => {
    const type = opened(`${owner}.${name}`, typeOf(member, side))
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    return `${commentOf(wordsOf(member))}${key}${isOptional(member, side) ? "?" : ""}: ${type}`
  })
  if (def.catchall && def.catchall._zod.def.type !== "never") {
    members.push(`[member: string]: ${typeOf(def.catchall, side)}`)
  }
  if (members.length === 0) return "{}"
  return braced(members)
}

/** What a member is described by: itself, or what it wraps, as long as that has no name. */
function wordsOf(schema: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(schema) ?? {}
  const def = schema._zod.def as { innerType?: z.core.$ZodType }
  return (
    description ??
    (def.innerType && !namedAncestor(def.innerType) ? wordsOf(def.innerType) : undefined)
  )
}

function either(types: readonly string[]): string {
  return [...new Set(types)].join(" | ")
}

function enclosed(type: string): string {
  return type.includes(" | ") || type.includes(" & ") ? `(${type})` : type
}
