/** The script of the frame for code: runs every piece of code in a worker of its own. */
import { type CodeAnswer, type CodeRequest, readyMessage } from "./codeMessages.ts"
import { source } from "./codeWorker.ts?text"

const timeoutMs = 10_000

const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))

addEventListener("message", ({ data, source: asker }) => {
  if (asker !== parent) return
  const request = data as CodeRequest
  const worker = new Worker(address)
  const answer = (message: CodeAnswer) => {
    // The page around the frame may have any origin; the result of the code has nothing of ours in it.
    parent.postMessage(message, "*")
    if (message.kind === "open") return
    clearTimeout(timer)
    worker.terminate()
  }
  const fail = (message: string) => answer({ id: request.id, kind: "failed", message })
  const timer = setTimeout(() => fail("The code took too long"), timeoutMs)
  worker.onmessage = (event) => answer(event.data as CodeAnswer)
  worker.onerror = (event) => fail(event.message)
  worker.postMessage(request)
})

parent.postMessage(readyMessage, "*")
