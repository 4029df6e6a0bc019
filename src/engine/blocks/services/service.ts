/** What running any service block begins with: which action is meant, with which credential. */
import type { Assignment, Call, CallKind, Credential } from "../../calls.ts"
import { interpolateStructure } from "../../variables/interpolate.ts"
import type { BlockBase, BlockContext, Step } from "../block.ts"

type ServiceOptions = { action?: string | undefined; credentialsId?: string | undefined }

/** A block of a service. */
export type ServiceBlock<O extends ServiceOptions = ServiceOptions> = BlockBase & {
  options?: O | undefined
}

/** One action about to run, or to go on. */
export type Visit<O> = {
  /** Variables filled in and empty texts dropped, except within lists of texts. */
  options: O
  /** As the author wrote them. */
  raw: O
  /** Of the block's own type; its id is empty where the service needs none. */
  credential: Credential
  context: BlockContext
}

/** What each action does, by the name that options give. */
export type ServiceActions<O, K extends CallKind> = Readonly<
  Record<string, (visit: Visit<O>) => Step<K>>
>

/** Runs the block's action; without one, or one that is unknown, there is a log. */
export function act<O extends ServiceOptions, K extends CallKind>(
  block: ServiceBlock<O>,
  context: BlockContext,
  actions: ServiceActions<O, K>,
): Step<K> {
  const raw = block.options
  const name = raw?.action ?? ""
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!raw || !action) return { log: [{ description: `${block.type} is not configured` }] }
  return action({
    options: interpolateStructure(raw, context, { dropsEmpty: true }),
    raw,
    credential: { id: raw.credentialsId ?? "", type: block.type },
    context,
  })
}

/** The same for services that need a credential; a missing one is logged. */
export function actWithCredential<O extends ServiceOptions, K extends CallKind>(
  block: ServiceBlock<O>,
  context: BlockContext,
  actions: ServiceActions<O, K>,
): Step<K> {
  return act(
    block,
    context,
    Object.fromEntries(
      Object.entries(actions).map(([name, action]) => [
        name,
        (visit: Visit<O>) =>
          visit.credential.id ? action(visit) : refusal(`${block.type} has no account to use`),
      ]),
    ),
  )
}

/** Whether a block of such a service is of no use without a credential: once it is to do something. */
export function needsAccount({ options }: ServiceBlock): boolean {
  return Boolean(options?.action)
}

/** A step that only says why nothing was done. */
export function refusal(description: string, details?: string) {
  return { log: [{ status: "error", description, ...(details ? { details } : {}) }] }
}

/** The call that a step asks for, if any. */
export function callOf<K extends CallKind>({ next }: Step<K>): Call<K> | undefined {
  return typeof next === "object" && "call" in next ? next.call : undefined
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
