/** Leads one hostile flow through every door by which flows and their variables come in. */
import { type Asked, ask, type Got } from "./ask.ts"
import type { Attack, Door, Judge } from "./attack.ts"
import { type Block, type FlowParts, flowOf, type Values } from "./flow.ts"
import { type Target, upstreamMark } from "./target.ts"

/** A flow that means harm. */
export type FlowAttack = {
  name: string
  blocks: () => Block[]
  /** Values that the attacker brings. */
  values?: () => Values
  parts?: () => Omit<FlowParts, "values">
  /** Further members of the request that starts the chat. */
  start?: object
  /** What is replied afterwards; the last answer counts. */
  replies?: readonly unknown[]
  judge: Judge
  /** Absent: all that flows can come by. */
  doors?: readonly Door[]
  crowd?: number
  isControl?: boolean
}

const allDoors: readonly Door[] = [
  "anonymous preview",
  "preview with token",
  "prefilled at start",
  "published bot",
]

/** The attack at each of its doors. */
export function atDoors(attack: FlowAttack): Attack[] {
  const { name, judge, crowd, isControl, doors = allDoors } = attack
  return doors.map((door) => ({
    name,
    door,
    judge,
    run: (target) => converse(target, attack, door),
    ...(crowd !== undefined && { crowd }),
    ...(isControl !== undefined && { isControl }),
  }))
}

async function converse(target: Target, attack: FlowAttack, door: Door): Promise<Got> {
  const { address } = target
  let got = await ask(address, await openingOf(target, attack, door))
  const sessionId = /"sessionId":"([^"]+)"/.exec(got.text)?.[1]
  for (const message of attack.replies ?? []) {
    if (sessionId === undefined || got.status !== 200) return got
    got = await ask(address, {
      path: `/api/v1/sessions/${sessionId}/continueChat`,
      body: { message },
    })
  }
  return got
}

async function openingOf(target: Target, attack: FlowAttack, door: Door): Promise<Asked> {
  const { start = {} } = attack
  const values = attack.values?.() ?? {}
  const isPrefilled = door === "prefilled at start"
  const flow = () => {
    const parts = attack.parts?.() ?? {}
    const names = [...Object.keys(values), ...(parts.names ?? [])]
    return withUpstream(
      flowOf(attack.blocks(), { ...parts, names, ...(!isPrefilled && { values }) }),
      target,
    )
  }
  if (door === "anonymous preview" || door === "preview with token") {
    const token = door === "preview with token" ? { token: target.token } : {}
    // With a token it is the author's own bot, for which nothing is restricted.
    const isOwn = door === "preview with token"
    const botId = isOwn ? (await target.publish("own", emptyFlow)).botId : "none"
    return {
      path: `/api/v1/bots/${botId}/preview/startChat`,
      body: { bot: flow(), ...start },
      ...token,
    }
  }
  const { publicId } = await target.publish(`${attack.name} ${door}`, flow)
  const path = `/api/v1/bots/${publicId}/startChat`
  if (!isPrefilled) return { path, body: start }
  // Strangers may give so little that most of these are refused at once: a caller with a token is worse.
  const isLarge = JSON.stringify(values).length > strangersCharacters
  const body = { prefilledVariables: values, ...start }
  return { path, body, ...(isLarge ? { token: target.token } : {}) }
}

/** What callers without a token may prefill. */
const strangersCharacters = 64_000

const emptyFlow = () => flowOf([])

function withUpstream(flow: object, { upstreamUrl }: Target): object {
  const text = JSON.stringify(flow)
  return text.includes(upstreamMark) ? JSON.parse(text.replaceAll(upstreamMark, upstreamUrl)) : flow
}
