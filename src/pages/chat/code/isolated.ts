/** Runs code in a frame without an origin, where it can reach neither the page nor the service. */
import { type Code, type CodeAnswer, type CodeRequest, readyMessage } from "./messages.ts"

/** What code needs that does not run in the page itself. */
export type CodeHost = {
  /** Origin of the service, from which the frame for code comes. */
  host: string
  /** Gets the frame. */
  root: ParentNode & Node
  openPage(url: string, isNewTab: boolean): void
}

type Waiting = { request: CodeRequest; resolve(value: unknown): void; reject(error: Error): void }

/** The page may forbid the frame, which then never responds. */
const openingTimeoutMs = 10_000

/** Makes the runner; the frame opens with the first code. */
export function runIsolated({ host, root, openPage }: CodeHost): (code: Code) => Promise<unknown> {
  const waiting = new Map<number, Waiting>()
  let opened: Promise<(request: CodeRequest) => void> | undefined
  let lastId = 0

  const onAnswer = (answer: CodeAnswer) => {
    const asker = waiting.get(answer.id)
    if (!asker) return
    if (answer.kind === "open") return openPage(answer.url, answer.isNewTab)
    waiting.delete(answer.id)
    if (answer.kind === "done") asker.resolve(answer.value)
    else asker.reject(new Error(answer.message))
  }

  return async ({ content, args }) => {
    opened ??= openFrame({ host, root, waiting, onAnswer })
    const send = await opened
    lastId += 1
    const request: CodeRequest = { id: lastId, content, args, facts: factsOf() }
    return await new Promise((resolve, reject) => {
      waiting.set(request.id, { request, resolve, reject })
      send(request)
    })
  }
}

type Listening = Pick<CodeHost, "host" | "root"> & {
  waiting: ReadonlyMap<number, Waiting>
  onAnswer(answer: CodeAnswer): void
}

/** Opens the frame; the function that it resolves to sends a request there. */
function openFrame(listening: Listening): Promise<(request: CodeRequest) => void> {
  const { host, root, waiting, onAnswer } = listening
  const frame = document.createElement("iframe")
  frame.src = `${host}/embed/code`
  frame.hidden = true
  frame.title = ""
  frame.setAttribute("sandbox", "allow-scripts")
  // A frame without an origin can only be addressed as `*`; it contains only our own code.
  const send = (request: CodeRequest) => frame.contentWindow?.postMessage(request, "*")
  return new Promise((resolve, reject) => {
    addEventListener("message", ({ source, data }) => {
      if (!source || source !== frame.contentWindow) return
      if (data !== readyMessage) return onAnswer(data as CodeAnswer)
      resolve(send)
      // The browser loads a frame anew when the page moves the chat, and what ran in it is gone.
      for (const { request } of waiting.values()) send(request)
    })
    setTimeout(() => reject(new Error("The frame for code did not open")), openingTimeoutMs)
    root.append(frame)
  })
}

function factsOf(): CodeRequest["facts"] {
  const { innerWidth: width, innerHeight: height } = window
  return { url: location.href, referrer: document.referrer, title: document.title, width, height }
}
