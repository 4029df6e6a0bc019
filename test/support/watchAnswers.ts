/** Holds whatever REST operations answer to their schemas, which the service itself does not do. */
import { isDeepStrictEqual } from "node:util"
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { z } from "zod"
import { appRouter } from "../../src/routers/app.ts"
import { whenOver } from "./whenOver.ts"

/** A difference between an answer and what its schema makes of it. */
export class UndescribedAnswer extends Error {}

type Definition = { output?: z.ZodType; meta?: { isTrusted?: boolean; isConstant?: boolean } }

/**
 * Makes every operation fail whose answer is not exactly what its schema describes: no
 * unknown member, none lost, none changed. Returns the names of those that answered, as they do;
 * call it at the top level of a file.
 */
export function watchAnswers(): ReadonlySet<string> {
  const answered = new Set<string>()
  const router: AnyTRPCRouter = appRouter
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  for (const [name, { _def }] of Object.entries(procedures)) {
    const definition = _def as unknown as Definition
    const { output, meta } = definition
    if (output === undefined) continue
    const known = new WeakSet<object>()
    const parse = (raw: unknown) => {
      // The same object every time is held to its schema once.
      if (meta?.isConstant && isObject(raw) && known.has(raw)) return raw
      const parsed = requireDescribed(name, output, raw)
      if (isObject(raw)) known.add(raw)
      answered.add(name)
      return meta?.isTrusted ? raw : parsed
    }
    definition.output = Object.assign(output.clone(), { parse })
    definition.meta = { ...definition.meta, isTrusted: false }
    // The next file of this process watches anew.
    whenOver(() => {
      Object.assign(definition, { output, meta })
    })
  }
  return answered
}

/**
 * What the schema makes of an answer. Throws unless the schema takes it and changes nothing about it; `name`
 * says whose it is.
 */
export function requireDescribed(name: string, schema: z.ZodType, raw: unknown): unknown {
  const { data, error } = z.safeParse(schema, raw)
  if (error === undefined && isDeepStrictEqual(raw, data)) return data
  const [sent, parsed] = [raw, data].map((value) => JSON.parse(JSON.stringify(value) ?? "{}"))
  if (error === undefined && isDeepStrictEqual(sent, parsed)) return data
  const reason = error?.message ?? differenceOf(sent, parsed, "$")
  // The service answers 500 and logs it; tests are usually silent about both.
  console.error(`${name} answers what its schema does not describe: ${reason}`)
  throw new UndescribedAnswer(`${name}: ${reason}`)
}

/** The first place where two values of JSON differ. */
function differenceOf(sent: unknown, parsed: unknown, place: string): string {
  if (!isObject(sent) || !isObject(parsed)) {
    return `${place} is ${JSON.stringify(sent)}, but ${JSON.stringify(parsed)} once parsed`
  }
  const names = [...new Set([...Object.keys(sent), ...Object.keys(parsed)])]
  const name = names.find((each) => !isDeepStrictEqual(sent[each], parsed[each])) ?? ""
  return differenceOf(sent[name], parsed[name], `${place}.${name}`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
