/** Facts of flows and of their findings. */
import type { Finding } from "../authoring/lint/finding.ts"
import { typeOf } from "../engine/blocks/registry.ts"
import { type Flow, linkedBotIds } from "../engine/bot.ts"
import { namesWorkspaceVariable } from "../engine/variables/workspaceVariables.ts"
import { credentialsIn } from "./sanitise.ts"

export type FlowReferences = {
  botIds: string[]
  credentialIds: string[]
  /** Whether it names variables of the workspace. */
  namesVariables: boolean
}

export function referencesOf(flow: Pick<Flow, "groups">): FlowReferences {
  const { groups } = flow
  return {
    botIds: linkedBotIds(groups),
    credentialIds: credentialsIn(groups),
    namesVariables: namesWorkspaceVariable(flow),
  }
}

/** Whether a flow has a block that only paid plans may publish. */
export function hasPaidBlock({ groups }: Flow): boolean {
  return groups.some(({ blocks }) => blocks.some((block) => typeOf(block).isPaid))
}

/** The first finding of every rule, in order, and the number of its findings. */
export function countByRule(findings: readonly Finding[]): (Finding & { count: number })[] {
  const counted = new Map<string, Finding & { count: number }>()
  for (const finding of findings) {
    const known = counted.get(finding.rule)
    if (known) known.count++
    else counted.set(finding.rule, { ...finding, count: 1 })
  }
  return [...counted.values()]
}
