/** Removes parts of a draft that its workspace may not have. Pure; arguments are not mutated. */
import { maskSecrets } from "../authoring/lint/maskSecrets.ts"
import { answerVariable, type Block, typeOf } from "../engine/blocks/registry.ts"
import { type Flow, type Group, mapBlocks } from "../engine/bot.ts"
import type { Settings } from "../engine/schema/settings.ts"
import type { Variable } from "../engine/schema/variable.ts"
import { pickList } from "../lib/foreignJson.ts"
import { isMembers } from "../lib/json.ts"
import { hasProPerks, isPaid, type Plan } from "../lib/plans.ts"

export type Destination = {
  plan: Plan
  /** True: it is new there, so that sharing and channels start disabled. */
  isNew: boolean
}

const credentialMembers = ["credentialsId", "proxyCredentialsId"] as const

type CredentialOptions = { [member in (typeof credentialMembers)[number] | "mcpServers"]?: unknown }

/** The credentials that blocks use, each once. */
export function credentialsIn(groups: readonly Group[]): string[] {
  const named = new Set<string>()
  for (const block of groups.flatMap(({ blocks }) => blocks)) {
    for (const options of holdersIn(optionsOf(block))) {
      for (const member of credentialMembers) {
        const id = options[member]
        if (typeof id === "string" && id !== "") named.add(id)
      }
    }
  }
  return [...named]
}

/**
 * The groups without unknown credentials. On paid plans, a block type may have a fallback for removed
 * ones.
 */
export function withKnownCredentials(
  groups: readonly Group[],
  known: { has(id: string): boolean },
  plan: Plan,
): Group[] {
  return mapBlocks(groups, (block) => {
    const fallback = isPaid(plan) ? typeOf(block).fallbackCredentialsId : undefined
    return filterCredentials(block, (id) => known.has(id), fallback)
  })
}

/** A flow as guests may see it: without credentials and secrets. */
export function forGuests<T extends Flow>(flow: T): T {
  const masked = maskSecrets(flow)
  const groups = mapBlocks(masked.groups, (block) => filterCredentials(block, () => false))
  return { ...masked, groups }
}

/** The groups of an untrusted import, with code that runs in browsers marked as unsafe. */
export function withSafetyFlags(groups: readonly Group[]): Group[] {
  return mapBlocks(groups, (block) => typeOf(block).flagUnsafe?.(block) ?? block)
}

/**
 * The variables, with the flag that keeps values out of results: off where an input saves its
 * answer, else on where a block stores what must not be kept, else as sent.
 */
export function withSessionFlags(
  variables: readonly Variable[],
  groups: readonly Group[],
): Variable[] {
  const answered = new Set<string | undefined>()
  const hidden = new Set<string | undefined>()
  for (const block of groups.flatMap(({ blocks }) => blocks)) {
    const [answers, hides] = flaggedBy(block)
    answered.add(answers)
    hidden.add(hides)
  }
  return variables.map((variable) => {
    if (answered.has(variable.id)) return { ...variable, isSessionVariable: false }
    return hidden.has(variable.id) ? { ...variable, isSessionVariable: true } : variable
  })
}

/** The variables whose flag a block decides: the one that its answer is saved in, and the one that it hides. */
export function flaggedBy(block: Block): [string | undefined, string | undefined] {
  const type = typeOf(block)
  return [type.kind === "input" ? answerVariable(block) : undefined, type.hides?.(block)]
}

/** The settings as the plan allows them. */
export function sanitiseSettings(settings: Settings, { plan, isNew }: Destination): Settings {
  const { publicShare, whatsApp, general, ...rest } = settings
  const isWhatsAppOff = isNew || !hasProPerks(plan)
  return {
    ...rest,
    ...(isPaid(plan)
      ? general && { general }
      : { general: { ...general, isBrandingEnabled: true } }),
    ...(whatsApp && { whatsApp: isWhatsAppOff ? { ...whatsApp, isEnabled: false } : whatsApp }),
    ...(publicShare && !isNew && { publicShare }),
  }
}

/** The options, and the entries in them that name credentials of their own. */
function holdersIn(options: CredentialOptions | undefined): CredentialOptions[] {
  return options ? [options, ...pickList(options, "mcpServers").filter(isMembers)] : []
}

function filterCredentials(block: Block, isKept: (id: string) => boolean, fallback?: string) {
  const options = optionsOf(block)
  const isRemoved = (id: unknown) => id !== undefined && !(typeof id === "string" && isKept(id))
  const removedOf = (holder: CredentialOptions) =>
    credentialMembers.filter((member) => isRemoved(holder[member]))
  if (!options || holdersIn(options).every((each) => removedOf(each).length === 0)) return block
  const without = <Holder extends CredentialOptions>(holder: Holder): Holder => {
    const kept = { ...holder }
    for (const member of removedOf(holder)) delete kept[member]
    return kept
  }
  const kept = without(options)
  if (Array.isArray(kept.mcpServers)) {
    kept.mcpServers = kept.mcpServers.map((each: unknown) =>
      isMembers(each) ? without(each) : each,
    )
  }
  const lostMain = options.credentialsId !== undefined && kept.credentialsId === undefined
  if (fallback !== undefined && lostMain) kept.credentialsId = fallback
  return { ...block, options: kept } as Block
}

function optionsOf(block: Block): CredentialOptions | undefined {
  if (!("options" in block)) return undefined
  const { options } = block
  return typeof options === "object" && options !== null ? options : undefined
}
