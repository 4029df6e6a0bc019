/**
 * The types of the router in TypeScript without foreign types: no Zod, no Kysely, no server. A bundler
 * of declarations would bring those along, because the inferred type of the router is made of them.
 */
import { readFileSync } from "node:fs"
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { z } from "zod"
import { importedBotSchema } from "../../src/authoring/upgrade/importedBot.ts"
import { blockSchema, blockSchemas } from "../../src/engine/blocks/registry.ts"
import { unknownBlockSchema } from "../../src/engine/blocks/unknown/block.ts"
import { richTextSchema } from "../../src/engine/schema/richText.ts"
import { openEnums } from "../../src/http/openapi/openEnums.ts"
import { errorCodeOf, errorReasons, type ParleyErrorCode } from "../../src/lib/errors.ts"
import { problemData } from "../../src/lib/problemData.ts"
import { chatNewsSchema } from "../../src/routers/conversation/hearMessages.ts"
import { botChangeSchema } from "../../src/routers/edit/hearBot.ts"
import { metaOf } from "../../src/routers/trpc.ts"
import { braced, commentOf, createTypePrinter, type TypePrinter } from "./typePrinter.ts"

const reasons = Object.keys(errorReasons) as ParleyErrorCode[]

/** Types that no schema shows; a test compares them with those of the sources. */
const head = `/** What the procedures of the service take and answer. Generated: do not edit. */
import type {
  TRPC_ERROR_CODE_NUMBER,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from "@trpc/server"

/** A block type that this version does not know: \`"hologram" as UnknownBlockType\` makes one. */
export type UnknownBlockType = Unlisted

/** A reason that this version does not know: only members of enums narrow unions. */
export type UnknownErrorCode = Unlisted

declare enum Unlisted {
  type = "",
}

${declarationIn("engine/schema/richText.ts", "RichTextNode")}
${declarationIn("lib/errors.ts", "Issue")}
${declarationIn("routers/chat/streams.ts", "ChatEvent")}
/** Names that this version knows, which editors complete, and those of versions to come. */
export type Open<Known> = Known | (string & {})

/** Why a call was refused: finer than its status. */
export type ParleyErrorCode = Open<${reasons.map((name) => `\n  /** ${errorReasons[name].when}. */\n  | "${name}"`).join("")}
>

/** What a refused call says of itself. */
export type ErrorShape = {
  code: TRPC_ERROR_CODE_NUMBER
  message: string
  data: {
    /** What tRPC calls the status. */
    code: Open<${[...new Set(reasons.map(errorCodeOf))].map((kind) => JSON.stringify(kind)).join(" | ")}>
    httpStatus: number
    issues?: Issue[]
    /** Names the call in the log of the service. */
    requestId?: string
  } & Reasoned
}
`

/** By reason, what programs can act on. */
function reasonedTypes({ typeOf }: TypePrinter): string {
  const withData = Object.entries(problemData).map(
    ([reason, schema]) => `\n  | { reason: "${reason}"; data: ${typeOf(schema, "output")} }`,
  )
  const others = reasons.filter((reason) => !Object.hasOwn(problemData, reason))
  return `/** Why a call was refused, and what programs can act on. */
export type Reasoned =${withData.join("")}
  | { reason: ${others.map((reason) => `"${reason}"`).join(" | ")}; data?: undefined }
  | { reason: UnknownErrorCode; data?: unknown }
`
}

const substitutes = new Map<z.core.$ZodType, z.core.$ZodType | string>([
  [blockSchema, z.union(blockSchemas)],
  [(unknownBlockSchema as unknown as z.ZodObject).shape.type as z.ZodType, "UnknownBlockType"],
  [richTextSchema.element, "RichTextNode"],
  // It accepts more than it documents.
  [importedBotSchema, (importedBotSchema as unknown as z.ZodPipe).def.out],
])

/** The events of streams. */
const events: Readonly<Record<string, string>> = {
  "bot.changes": "{ id: string; data: BotChange }",
  "chat.streamAnswer":
    '{ id: string; data: { type: "text"; text: string } | { type: "error"; message: string } }',
  "chat.listen": "{ id: string; data: ChatEvent }",
  "conversation.listen": "{ id: string; data: ChatNews }",
  "conversation.listenToSession": "{ id: string; data: ChatNews }",
}

/** A type as the sources declare it, with its comment; only for types that name no foreign ones. */
function declarationIn(file: string, name: string): string {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")
  const declaration = new RegExp(
    `/\\*\\*[^/]*\\*/\\nexport type ${name} =(?: \\{\\n[^]*?\\n\\}|(?:\\n  \\|)?.*(?:\\n  \\|.*)*)\\n`,
  )
  const [found] = declaration.exec(text) ?? []
  if (!found) throw new Error(`src/${file} declares no ${name} with a comment`)
  return found
}

/** The text of a module that declares `AppRouter`. */
export function routerTypes(router: AnyTRPCRouter): string {
  const printer = createTypePrinter(substitutes, new Set(openEnums))
  const record = printRecord(router._def.record, [], printer)
  const reasoned = reasonedTypes(printer)
  // With what it is made of, which callers name, too.
  for (const schema of [botChangeSchema, chatNewsSchema]) printer.typeOf(schema, "output")
  const declarations = [...printer.declarations].sort(([a], [b]) => (a < b ? -1 : 1))
  const root = "{ ctx: object; meta: object; errorShape: ErrorShape; transformer: true }"
  return [
    head,
    reasoned,
    ...declarations.map(([, text]) => `${text}\n`),
    `/** Every procedure of the service. */\nexport type AppRouter = TRPCBuiltRouter<${root}, ${record}>\n`,
  ].join("\n")
}

type RouterRecord = AnyTRPCRouter["_def"]["record"]

function printRecord(record: RouterRecord, place: string[], printer: TypePrinter): string {
  const members = Object.entries(record).map(([name, member]) => {
    const path = [...place, name]
    if (!isProcedure(member)) return `${name}: ${printRecord(member, path, printer)}`
    const { openapi: { summary, description } = {}, deprecated } = metaOf(member)
    const end =
      deprecated && `@deprecated Works until ${deprecated.sunset}: use ${deprecated.instead}`
    const words = [summary, description, end].filter((each) => each !== undefined).join(". ")
    return `${commentOf(words)}${name}: ${printProcedure(member, path.join("."), printer)}`
  })
  return braced(members)
}

function printProcedure(procedure: AnyTRPCProcedure, path: string, printer: TypePrinter): string {
  const { typeOf } = printer
  const { type, inputs, output } = procedure._def as unknown as {
    type: string
    inputs: readonly z.ZodType[]
    output?: z.ZodType
  }
  const [input] = inputs
  const event = events[path]
  const answer = output ? typeOf(output, "output") : event && `AsyncIterable<${event}>`
  if (inputs.length > 1 || !answer) throw new Error(`Say what ${path} takes and answers`)
  const members = [
    `input: ${input === undefined ? "void" : typeOf(input, "input")}`,
    `output: ${answer}`,
    "meta: object",
  ]
  const kind = type.charAt(0).toUpperCase() + type.slice(1)
  return `TRPC${kind}Procedure<${braced(members)}>`
}

function isProcedure(member: unknown): member is AnyTRPCProcedure {
  return typeof member === "function"
}
