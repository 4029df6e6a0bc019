/** Reads the records of conversations over REST: traces and transcripts. */
import { expect } from "vitest"
import { chatOver, type PublishedBot } from "./publish.ts"
import type { TestServer } from "./server.ts"

/** The trace of a result. */
export type Traced = {
  isTraced: boolean
  turns: {
    blocks: { blockId: string; type?: string; groupTitle?: string; at: string; edgeId?: string }[]
    variables: { name?: string; value?: unknown; isSessionVariable: boolean }[]
    calls: { blockId?: string; kind: string; status: string; httpStatus?: number; ms: number }[]
    errors: { description: string; details: string | null }[]
    isCut: boolean
  }[]
}

/** The transcript of a result. */
export type Transcript = {
  lines: {
    from: string
    groupTitle?: string
    blockId?: string
    type: string
    text: string
    wasPaused?: boolean
  }[]
  markdown?: string
  isExact: boolean
  reasons: string[]
}

/** Who said what. */
export const said = ({ lines }: Transcript) => lines.map(({ from, text }) => `${from}: ${text}`)

/** How to read the record of a conversation. */
export function recordOf(server: TestServer, { botId }: PublishedBot, resultId: string) {
  const read = async <Body>(what: string) => {
    const path = `/api/v1/bots/${botId}/results/${resultId}/${what}`
    const { status, body } = await server.send("GET", path)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as Body
  }
  return {
    resultId,
    trace: () => read<Traced>("trace"),
    transcript: () => read<Transcript>("transcript"),
    markdown: () => read<Transcript>("transcript?format=markdown"),
  }
}

/** Talks to a bot, and reads the record of it. */
export async function talkTo(server: TestServer, published: PublishedBot, ...texts: string[]) {
  const chat = await chatOver(server, published.publicId)
  for (const text of texts) expect((await chat.say(text)).status).toBe(200)
  return recordOf(server, published, chat.step.resultId)
}
