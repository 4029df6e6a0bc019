/** Runs code in a frame without an origin, where it can reach neither the page nor the service. */
import { type Code, type CodeAnswer, type CodeRequest, readyMessage } from "./messages.ts"

type CodeHost = {
  host: string
  root: ParentNode & Node
  openPage(url: string, isNewTab: boolean): void
}

type Waiting = { resolve(value: unknown): void; reject(error: Error): void }

/** The page may forbid the frame, which then never responds. */
const openingTimeoutMs = 10_000

/** Makes the runner; the frame opens with the first code. */
export function runIsolated({ host, root, openPage }: CodeHost): (code: Code) => Promise<unknown> {
  const waiting = new Map<number, Waiting>()
  let opened: Promise<Window> | undefined
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
    opened ??= openFrame(`${host}/embed/code`, root, onAnswer)
    const frame = await opened
    lastId += 1
    const request: CodeRequest = { id: lastId, content, args, facts: factsOf() }
    const outcome = new Promise((resolve, reject) => waiting.set(request.id, { resolve, reject }))
    // A frame without an origin can only be addressed as `*`; it contains only our own code.
    frame.postMessage(request, "*")
    return await outcome
  }
}

function openFrame(
  address: string,
  root: ParentNode & Node,
  onAnswer: (answer: CodeAnswer) => void,
): Promise<Window> {
  const frame = document.createElement("iframe")
  frame.src = address
  frame.hidden = true
  frame.title = ""
  frame.setAttribute("sandbox", "allow-scripts")
  return new Promise((resolve, reject) => {
    addEventListener("message", ({ source, data }) => {
      if (!source || source !== frame.contentWindow) return
      if (data === readyMessage) resolve(frame.contentWindow)
      else onAnswer(data as CodeAnswer)
    })
    setTimeout(() => reject(new Error("The frame for code did not open")), openingTimeoutMs)
    root.append(frame)
  })
}

function factsOf(): CodeRequest["facts"] {
  const { innerWidth: width, innerHeight: height } = window
  return { url: location.href, referrer: document.referrer, title: document.title, width, height }
}
