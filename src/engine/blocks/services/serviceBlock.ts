/** Blocks of external services: the author chooses an action by name, and usually a credential. */
import { z } from "zod"
import { readJson } from "../../../lib/foreignJson.ts"
import {
  type Assignment,
  type Call,
  type CallKind,
  type Credential,
  type Failure,
  isFailure,
  type Outcome,
} from "../../calls.ts"
import type { CatalogueTraits } from "../../schema/catalogueTraits.ts"
import { entryIdSchema, hinted, optional, variableIdSchema } from "../../schema/sharedMembers.ts"
import { interpolateStructure } from "../../variables/interpolateStructure.ts"
import { failureLog, readApiAnswer } from "../api.ts"
import type { Action, BlockBase, BlockContext, Step } from "../block.ts"

/** The kinds of calls that services make. */
export type ServiceCall = "http" | "model" | "script" | "email" | "jwt" | "qrCode" | "mcpTool"

export type ServiceStep = Step<ServiceCall>

type ServiceBlock = BlockBase & {
  options?: { action?: string | undefined; credentialsId?: string | undefined } | undefined
}

/** One action about to run or to continue. */
export type ActionContext<O> = {
  /** Variables filled in and empty texts dropped, except within lists of texts. */
  options: O
  /** As the author wrote them. */
  raw: O
  /** Of the block's own type; its id is empty where the service needs none. */
  credential: Credential
  context: BlockContext
}

type Success<Kind extends CallKind> = Exclude<Outcome<Kind>, Failure>

/** Results of successful calls, by kind. */
export type Results = {
  /** The body, parsed if it is JSON, or the address of the file that it was saved as. */
  http: { data: unknown; fileUrl?: string | undefined }
  /** The text is absent when the client has it already. */
  model: Omit<Success<"model">, "text"> & { text?: string }
  script: Success<"script">
  email: Success<"email">
  jwt: Success<"jwt">
  qrCode: Success<"qrCode">
  mcpTool: Success<"mcpTool">
}

export type ServiceAction<O> = {
  /** Activity for logs of failed calls: "While reading the sheet". */
  activity?: string
  run(action: ActionContext<O>): ServiceStep
  /** Continues after a successful call. Absent: the block is done. */
  resume?: {
    [Kind in ServiceCall]?: (action: ActionContext<O>, result: Results[Kind]) => ServiceStep
  }
  /** Continues after a failed call; undefined: logs the failure and ends the block. */
  recover?(action: ActionContext<O>): ServiceStep | undefined
  /** The variable that receives a streamed answer; undefined: not streamed. Absent: never. */
  streamsTo?(options: O): string | undefined
}

type OptionsOf<B extends ServiceBlock> = NonNullable<B["options"]>

/** One action of the blocks that a schema describes. */
export type ActionOf<Schema extends z.ZodType<ServiceBlock>> = ActionContext<
  OptionsOf<z.infer<Schema>>
>

/** Traits of a service as a whole. */
type Service<B extends ServiceBlock> = Pick<
  Action<B, ServiceCall>,
  "sendsKeyTo" | "waits" | "receive" | "unfilled" | "provider"
> & {
  catalogue: Omit<CatalogueTraits, "defaults">
  /** False: it works without a credential. Absent: it needs one. */
  needsAccount?: boolean
  /** By name; new blocks use the first. */
  actions: Readonly<Record<string, ServiceAction<OptionsOf<B>>>>
}

/**
 * Makes the block type of a service. Each action begins with `run` and continues in `resume` after a call. Templates of options are filled in, and failed calls are logged.
 *
 * ```ts
 * import { optional } from "../../schema/sharedMembers.ts"
 * import { bearer, json, request } from "../api.ts"
 * import { blockSchemaOf } from "../defineBlock.ts"
 * import {
 *   actionOption,
 *   credentialsOption,
 *   itemMappingSchema,
 *   mapItems,
 *   refusal,
 *   serviceBlock,
 * } from "./serviceBlock.ts"
 *
 * const weatherSchema = blockSchemaOf("weather", {
 *   options: optional.object("What to ask", {
 *     credentialsId: credentialsOption,
 *     action: actionOption(["Get Temperature"]),
 *     city: optional.template("Name of the city"),
 *     responseMapping: itemMappingSchema(["Temperature"]),
 *   }),
 * })
 *
 * export const weatherBlock = serviceBlock(weatherSchema, {
 *   catalogue: {
 *     label: "Weather",
 *     description: "Looks up the temperature of a city",
 *     category: "data",
 *     icon: "sun",
 *   },
 *   actions: {
 *     "Get Temperature": {
 *       activity: "While asking for the temperature",
 *       run: (action) => {
 *         const { city } = action.options
 *         if (!city) return refusal("No city is given")
 *         const url = "https://weather.example.com/v1/temperature"
 *         return request(action, { method: "POST", url, headers: [bearer()], body: json({ city }) })
 *       },
 *       resume: {
 *         http: ({ options }, { data }) => ({
 *           set: mapItems(options.responseMapping, "Temperature", { Temperature: data }),
 *         }),
 *       },
 *     },
 *   },
 * })
 * ```
 */
export function serviceBlock<B extends ServiceBlock>(
  schema: z.ZodType<B, B>,
  { catalogue, needsAccount = true, actions, ...own }: Service<NoInfer<B>>,
): Action<B, ServiceCall> {
  const actionOf = ({ options }: B): ServiceAction<OptionsOf<B>> | undefined => {
    const name = options?.action ?? ""
    return Object.hasOwn(actions, name) ? actions[name] : undefined
  }
  const perform = (
    block: B,
    context: BlockContext,
    part: (action: ServiceAction<OptionsOf<B>>, at: ActionContext<OptionsOf<B>>) => ServiceStep,
  ): ServiceStep => {
    const { type } = block
    const raw: OptionsOf<B> | undefined = block.options ?? undefined
    const action = actionOf(block)
    if (!raw || !action) return { log: [{ description: `${type} is not configured` }] }
    if (needsAccount && !raw.credentialsId) {
      return withOutcome(action, raw, refusal(`${type} has no account to use`))
    }
    const options = interpolateStructure(raw, context, { dropsEmpty: true })
    const credential = { id: raw.credentialsId ?? "", type }
    return part(action, { options, raw, credential, context })
  }
  const begin = (block: B, context: BlockContext) =>
    perform(block, context, (action, at) => withOutcome(action, at.options, action.run(at)))
  const after =
    <Kind extends ServiceCall>(kind: Kind) =>
    (block: B, outcome: Outcome<Kind> | Results[Kind], context: BlockContext) =>
      perform(block, context, (action, at) => {
        const result = resultOf(outcome, action.activity ?? "")
        if ("log" in result) {
          const step = action.recover?.(at) ?? { log: [result.log] }
          return withOutcome(action, at.options, step, isFailure(outcome) ? outcome : undefined)
        }
        const step = action.resume?.[kind]?.(at, result as Results[Kind]) ?? {}
        return withOutcome(action, at.options, step)
      })
  const target = (block: B) => block.options && actionOf(block)?.streamsTo?.(block.options)
  return {
    kind: "action",
    schema,
    catalogue: {
      ...catalogue,
      defaults: { options: { action: Object.keys(actions)[0] } } as Partial<B>,
    },
    ...(needsAccount ? { needsCredentials: ({ options }) => Boolean(options?.action) } : {}),
    run: (block, context) => startStream(target(block), context) ?? begin(block, context),
    resume: {
      http: after("http"),
      model: after("model"),
      script: after("script"),
      email: after("email"),
      jwt: after("jwt"),
      qrCode: after("qrCode"),
      mcpTool: after("mcpTool"),
    },
    ...(Object.values(actions).some(({ streamsTo }) => streamsTo) && {
      // The client has already shown the whole text; JSON is stored as its value.
      receive: (block, text) => {
        const variableId = target(block)
        if (variableId === undefined) return {}
        return { set: [{ variableId, value: readJson(text) }], skipsNextBubble: true }
      },
      stream: (block, context) => (target(block) ? callOf(begin(block, context)) : undefined),
      streamed: (block, outcome, context) => {
        const { text: _, ...rest } = { text: undefined, ...outcome }
        return after("model")(block, rest as Results["model"], context)
      },
    }),
    ...own,
  }
}

/** A step of an action that asks a model or a tool, with its outcome once that is known. */
function withOutcome<O>(
  { resume }: ServiceAction<O>,
  options: O & { responseMapping?: ItemMapping },
  step: ServiceStep,
  failure?: Failure,
): ServiceStep {
  if (!(resume?.model ?? resume?.mcpTool) || step.next !== undefined) return step
  const isFailed = step.log?.some(({ status }) => status === "error") === true
  const set = outcomeSet(options.responseMapping, isFailed, failure)
  return set.length > 0 ? { ...step, set: [...(step.set ?? []), ...set] } : step
}

/** The item of mappings that says how a call of a model or a tool ended. */
export const outcomeItem = "Outcome"

/** How such a call ended, for the variables that want to know: `ok`, `limit` or `failed`. */
export function outcomeSet(mapping: ItemMapping, isFailed: boolean, failure?: Failure) {
  const outcome = failure?.reason === "limit" ? "limit" : "failed"
  // Entries without an item mean another one.
  return mapItems(mapping, "", { [outcomeItem]: isFailed ? outcome : "ok" })
}

/** The result of a call, or a log of its failure. */
function resultOf(outcome: Outcome<ServiceCall> | Results[ServiceCall], activity: string) {
  if (isFailure(outcome)) return { log: failureLog(outcome, activity) }
  return "status" in outcome ? readApiAnswer(outcome, activity) : outcome
}

/** The step that hands over to the client; undefined: not streamed. */
export function startStream(
  variableId: string | undefined,
  context: BlockContext,
): Step | undefined {
  if (variableId === undefined || !context.chat.isStreamEnabled) return undefined
  if (!context.isNextSpoken(variableId)) return undefined
  return { act: [{ type: "stream", stream: true }], next: "waitForClient" }
}

export const calling = <C extends Call<ServiceCall>>(call: C) => ({ next: { call } })

/** A step that only logs why the action did not run. */
export function refusal(description: string) {
  return { log: [{ status: "error", description }] }
}

/** The call that a step asks for, if any. */
export function callOf<K extends CallKind>({ next }: Step<K>): Call<K> | undefined {
  return typeof next === "object" && "call" in next ? next.call : undefined
}

/**
 * Data that the step before the call left for this one; undefined: none. Its shape is trusted, because only
 * the block writes it.
 */
export function carried<Carry extends object>({ carry }: BlockContext): Carry | undefined {
  return (carry ?? undefined) as Carry | undefined
}

/** The text that an earlier step may have saved in a variable, such as the id of a conversation. */
export function savedText(
  variableId: string | undefined,
  { variables }: BlockContext,
): string | undefined {
  const value = variables.value(variableId)
  return typeof value === "string" ? value : undefined
}

type ItemMapping = { item?: string | undefined; variableId?: string | undefined }[] | undefined

/** Values for the variables of a mapping; parts missing in the answer change nothing. */
export function mapItems(
  mapping: ItemMapping,
  first: string,
  values: Readonly<Record<string, unknown>>,
): Assignment[] {
  return (mapping ?? []).flatMap(({ item = first, variableId }) => {
    const value = Object.hasOwn(values, item) ? values[item] : undefined
    return variableId && value !== undefined ? [{ variableId, value }] : []
  })
}

/** The first variable of a mapping that receives an item; `first`: what entries without one mean. */
export function variableOfItem(
  mapping: ItemMapping,
  wanted: string,
  first?: string,
): string | undefined {
  return mapping?.find(({ item = first, variableId }) => item === wanted && variableId)?.variableId
}

/** The option that names the action. Unknown names are stored but do nothing. */
export const actionOption = (names: readonly string[]) =>
  optional.text(`What to do: ${names.join(", ")}`).meta({ examples: [...names] })

export const credentialsOption = z
  .string()
  .meta({
    id: "CredentialsId",
    ...hinted("Credential of this workspace to use; it has the type of the block", {
      credentials: true,
    }),
  })
  .optional()

/**
 * Maps parts of an answer to variables; an entry without `item` means the first name.
 * `id` names the entry in the published document: needed where several types share the names.
 */
export const itemMappingSchema = (names: readonly string[], id?: string) => {
  const entry = z.object({
    id: entryIdSchema.optional(),
    item: optional
      .text(`Part: ${names.join(", ")}; default the first`)
      .meta({ examples: [...names] }),
    variableId: variableIdSchema.optional(),
  })
  return optional.list(
    "Variables to fill from the answer",
    id === undefined ? entry : entry.meta({ id }),
  )
}
