/** Chats of the chaos drill: each says one thing after the other and remembers what was confirmed. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Clients } from "./insistentClients.ts"

/** What one client knows of its chat in the end. */
export type ChatRecord = {
  index: number
  resultId: string
  /** Messages whose turn was confirmed, in their order. */
  confirmed: string[]
  /** Messages that may or may not have been stored, because their answer got lost. */
  doubtful: string[]
  /** What went wrong for good; absent: nothing. */
  problem?: string
}

/** Where to talk, and how long. */
export type ChaosTalk = {
  address: string
  publicIds: readonly string[]
  clients: Clients
  /** Once it is, every chat says one last thing. */
  isFinished(): boolean
  /** Called for each confirmed turn. */
  onConfirmed(): void
}

/** Holds a chat; never rejects. */
export async function holdChat(index: number, talk: ChaosTalk): Promise<ChatRecord> {
  const record: ChatRecord = { index, resultId: "", confirmed: [], doubtful: [] }
  try {
    await converse(record, talk)
    return record
  } catch (error) {
    return { ...record, problem: `chat ${index}: ${String(error)}` }
  }
}

async function converse(record: ChatRecord, talk: ChaosTalk): Promise<void> {
  const { index } = record
  const { clients, publicIds } = talk
  const api = `${talk.address}/api/v1`
  // Every third client repeats nothing: what was confirmed to it must be stored all the same.
  const isKeyed = index % 3 !== 0
  const startUrl = `${api}/bots/${publicIds[index % publicIds.length]}/startChat`
  const started = await clients.insist(() => startUrl, { body: {}, key: `start ${index}` })
  const { sessionId, resultId } = JSON.parse(started)
  record.resultId = resultId
  const url = `${api}/sessions/${sessionId}/continueChat`
  for (let turn = 0; ; turn++) {
    const isLast = talk.isFinished()
    const message = `chat ${index} turn ${turn}`
    const body = { message }
    if (isKeyed || isLast) await clients.insist(() => url, { body, key: message })
    else if ((await clients.attempt(url, { body })) === undefined) {
      record.doubtful.push(message)
      await sleep(200)
      continue
    }
    record.confirmed.push(message)
    talk.onConfirmed()
    if (isLast) return
    await sleep(Math.random() * 400)
  }
}
