/** Runs code in a frame without an origin, where it can reach neither the page nor the service. */
import { type Code, type CodeAnswer, type CodeRequest, readyMessage } from "./codeMessages.ts"

/** Dependencies of code that does not run in the page itself. */
export type CodeHost = {
  /** Origin of the service, from which the frame for code comes. */
  host: string
  /** Gets the frame. */
  root: ParentNode & Node
  openPage(url: string, isNewTab: boolean): void
  /** Aborts when the chat is unmounted. */
  leaving: AbortSignal
}

type Waiting = { request: CodeRequest; resolve(value: unknown): void; reject(error: Error): void }

/** The page may forbid the frame, which then never responds. */
const openingTimeoutMs = 10_000

/** Opens the frame, and makes the runner. */
export function runIsolated({
  host,
  root,
  openPage,
  leaving,
}: CodeHost): (code: Code) => Promise<unknown> {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const frame = document.createElement("iframe")
  frame.src = `${host}/embed/code`
  frame.hidden = true
  frame.title = ""
  frame.setAttribute("sandbox", "allow-scripts")
  // Without it, requests of the code would carry cookies of other sites that are sent from everywhere.
  frame.setAttribute("credentialless", "")
  // A frame without an origin can only be addressed as `*`; it contains only our own code.
  const send = (request: CodeRequest) => frame.contentWindow?.postMessage(request, "*")
  const onAnswer = (answer: CodeAnswer) => {
    const asker = waiting.get(answer.id)
    if (!asker) return
    if (answer.kind === "open") return openPage(answer.url, answer.isNewTab)
    waiting.delete(answer.id)
    if (answer.kind === "done") asker.resolve(answer.value)
    else asker.reject(new Error(answer.message))
  }
  const opened = new Promise<void>((resolve, reject) => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (!source || source !== frame.contentWindow) return
      if (data !== readyMessage) return onAnswer(data as CodeAnswer)
      resolve()
      // The browser reloads a frame when the page moves the chat, which ends code running in it.
      for (const { request } of waiting.values()) send(request)
    }
    addEventListener("message", onMessage, { signal: leaving })
    setTimeout(() => reject(new Error("The frame for code did not open")), openingTimeoutMs)
  })
  root.append(frame)
  return async ({ content, args }) => {
    await opened
    lastId += 1
    const request: CodeRequest = { id: lastId, content, args, facts: factsOf() }
    return await new Promise((resolve, reject) => {
      waiting.set(request.id, { request, resolve, reject })
      send(request)
    })
  }
}

function factsOf(): CodeRequest["facts"] {
  const { innerWidth: width, innerHeight: height } = window
  return { url: location.href, referrer: document.referrer, title: document.title, width, height }
}
