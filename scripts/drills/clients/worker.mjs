/** A worker that uses the client: answers what it heard, read and was refused. */
import { createParleyClient, isParleyError } from "@parley/client"

// biome-ignore lint/style/noDefaultExport: Workers are default exports.
export default {
  async fetch(request) {
    const { url, token, botId, publicId } = await request.json()
    const parley = createParleyClient({ url, token })
    const heard = []
    const chat = parley.chat(publicId)
    await chat.send("Ann")
    const { sessionId } = chat.state
    const steer = (state) => parley.conversation.updateSession.mutate({ sessionId, state })
    const connections = []
    const listening = createParleyClient({
      url,
      fetch: (input, init) => {
        const lost = new AbortController()
        connections.push(lost)
        return fetch(input, { ...init, signal: AbortSignal.any([lost.signal, init.signal]) })
      },
    })
    await new Promise((resolve, reject) => {
      listening.chat.listen.subscribe(
        { sessionId },
        {
          onError: reject,
          onData(event) {
            heard.push(event)
            const { type } = event.data
            if (heard.length === 1) void steer("paused")
            if (type === "conversation.paused") {
              connections[0].abort(new TypeError("lost"))
              void steer("active")
            }
            if (type === "conversation.resumed") resolve()
          },
        },
      )
    })
    const lines = await (await parley.exportResults({ botId, format: "ndjson" })).text()
    const picture = new File(["bytes"], "a.png", { type: "image/png" })
    const { url: address } = await parley.uploadFile({ botId }, picture)
    const refused = await parley.exportResults({ botId: "none" }).catch((error) => error)
    return Response.json({
      heard: heard.map(({ data }) => data.type),
      areNumbered: heard.every(({ id }) => id),
      connections: connections.length,
      lines: lines.trim().split("\n").length,
      file: await (await parley.downloadFile(address)).text(),
      refused: isParleyError(refused) && refused.data?.reason,
    })
  },
}
