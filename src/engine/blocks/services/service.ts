/** Blocks of services: an action chosen by name, perhaps with a credential, and what each one does. */
import type { z } from "zod"
import {
  type Assignment,
  type Call,
  type CallKind,
  type Credential,
  type Failure,
  isFailure,
  type ModelAnswer,
  type Outcome,
} from "../../calls.ts"
import { readJson } from "../../foreignJson.ts"
import { interpolateStructure } from "../../variables/interpolate.ts"
import { readApiAnswer } from "../api.ts"
import type { Action, BlockBase, BlockContext, Step } from "../block.ts"

/** The kinds of calls that services make. */
export type ServiceCall = "http" | "model" | "script" | "email" | "jwt" | "qrCode"

/** A step of a service. */
export type ServiceStep = Step<ServiceCall>

type ServiceOptions = { action?: string | undefined; credentialsId?: string | undefined }

/** A block of a service. */
type ServiceBlock<O extends ServiceOptions = ServiceOptions> = BlockBase & {
  options?: O | undefined
}

/** One action about to run, or to go on. */
export type ActionContext<O> = {
  /** Variables filled in and empty texts dropped, except within lists of texts. */
  options: O
  /** As the author wrote them. */
  raw: O
  /** Of the block's own type; its id is empty where the service needs none. */
  credential: Credential
  context: BlockContext
}

/** What a model answered; the text is absent when the client has it already. */
export type ModelOutcome = Failure | (Omit<ModelAnswer, "text"> & { text?: string | undefined })

/** What an action does: how it begins, and how it goes on after each kind of call that it makes. */
export type ServiceAction<O> = {
  run(action: ActionContext<O>): ServiceStep
  resume?: {
    [Kind in ServiceCall]?: (action: ActionContext<O>, outcome: Outcome<Kind>) => ServiceStep
  }
  /** Absent: the client never reads the answer bit by bit. */
  stream?: {
    /** The variable that receives the text of the answer; undefined: it is not streamed. */
    target(options: O): string | undefined
    /** What is kept of a streamed answer besides its text. */
    keep(action: ActionContext<O>, outcome: ModelOutcome): Pick<Step, "set" | "log">
  }
}

type OptionsOf<B extends ServiceBlock> = NonNullable<B["options"]>
type ActionOf<B extends ServiceBlock> = ServiceAction<OptionsOf<B>>

/** Does one thing with the action that a block names. */
type Perform<B extends ServiceBlock> = (
  block: B,
  context: BlockContext,
  part: (action: ActionOf<B>, at: ActionContext<OptionsOf<B>>) => ServiceStep | undefined,
) => ServiceStep

/** The block type of a service, made of what each action does by the name that options give. */
export function serviceBlock<B extends ServiceBlock>(
  schema: z.ZodType<B, B>,
  actions: Readonly<Record<string, ActionOf<B>>>,
  { needsAccount = true } = {},
): Action<B, ServiceCall> {
  const actionOf = ({ options }: B): ActionOf<B> | undefined => {
    const name = options?.action ?? ""
    return Object.hasOwn(actions, name) ? actions[name] : undefined
  }
  const perform: Perform<B> = (block, context, part) => {
    const { type } = block
    const raw: OptionsOf<B> | undefined = block.options ?? undefined
    const action = actionOf(block)
    const unconfigured = { log: [{ description: `${type} is not configured` }] }
    if (!raw || !action) return unconfigured
    if (needsAccount && !raw.credentialsId) return refusal(`${type} has no account to use`)
    const options = interpolateStructure(raw, context, { dropsEmpty: true })
    const credential = { id: raw.credentialsId ?? "", type }
    return part(action, { options, raw, credential, context }) ?? unconfigured
  }
  const target = (block: B) => block.options && actionOf(block)?.stream?.target(block.options)
  const after =
    <Kind extends ServiceCall>(kind: Kind) =>
    (block: B, outcome: Outcome<Kind>, context: BlockContext) =>
      perform(block, context, (action, at) => action.resume?.[kind]?.(at, outcome))
  return {
    kind: "action",
    schema,
    ...(needsAccount ? { needsCredentials: ({ options }) => Boolean(options?.action) } : {}),
    run: (block, context) => startStream(target(block), context) ?? begin(perform, block, context),
    resume: {
      http: after("http"),
      model: after("model"),
      script: after("script"),
      email: after("email"),
      jwt: after("jwt"),
      qrCode: after("qrCode"),
    },
    ...(Object.values(actions).some(({ stream }) => stream) ? streaming(perform, target) : {}),
  }
}

function begin<B extends ServiceBlock>(perform: Perform<B>, block: B, context: BlockContext) {
  return perform(block, context, (action, at) => action.run(at))
}

function streaming<B extends ServiceBlock>(
  perform: Perform<B>,
  target: (block: B) => string | undefined,
): Pick<Action<B, ServiceCall>, "receive" | "stream" | "streamed"> {
  return {
    // The client has read and shown the whole text; JSON is stored as its value.
    receive: (block, text) => {
      const variableId = target(block)
      if (variableId === undefined) return {}
      return { set: [{ variableId, value: readJson(text) }], skipsNextBubble: true }
    },
    stream: (block, context) =>
      target(block) ? callOf(begin(perform, block, context)) : undefined,
    streamed: (block, outcome, context) => {
      if (!isFailure(outcome) && (!("text" in outcome) || "status" in outcome)) return {}
      const rest = isFailure(outcome) ? outcome : { ...outcome, text: undefined }
      return perform(block, context, (action, at) => action.stream?.keep(at, rest))
    },
  }
}

/** The step that hands over to the client; undefined when the answer is not to be streamed. */
export function startStream(
  variableId: string | undefined,
  context: BlockContext,
): Step | undefined {
  if (variableId === undefined || !context.chat.isStreamEnabled) return undefined
  if (!context.isNextSpoken(variableId)) return undefined
  return { act: [{ type: "stream", stream: true }], next: "waitForClient" }
}

/** Goes on with the data that an API answered; a request that failed becomes a log. */
export function withData<O>(
  activity: string,
  goOn: (action: ActionContext<O>, data: unknown) => ServiceStep = () => ({}),
) {
  return (action: ActionContext<O>, outcome: Outcome<"http">): ServiceStep => {
    const answer = readApiAnswer(outcome, activity)
    return "log" in answer ? { log: [answer.log] } : goOn(action, answer.data)
  }
}

/** A step that only says why nothing was done. */
export function refusal(description: string) {
  return { log: [{ status: "error", description }] }
}

/** The call that a step asks for, if any. */
export function callOf<K extends CallKind>({ next }: Step<K>): Call<K> | undefined {
  return typeof next === "object" && "call" in next ? next.call : undefined
}

/**
 * What the step that made the call left for this one; undefined when it left nothing. Its shape is
 * taken as known, because nothing but the block itself writes it.
 */
export function carried<Carry extends object>({ carry }: BlockContext): Carry | undefined {
  return (carry ?? undefined) as Carry | undefined
}

/** The text that an earlier step may have saved in a variable, such as the id of a conversation. */
export function savedText(
  variableId: string | undefined,
  { variables }: BlockContext,
): string | undefined {
  const value = variableId === undefined ? undefined : variables.value(variableId)
  return typeof value === "string" ? value : undefined
}

type ItemMapping = { item?: string | undefined; variableId?: string | undefined }[] | undefined

/** Values for the variables of a mapping; parts that the answer does not have change nothing. */
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
