/** What is said in a chat, from its first line on and as it goes on. */
import { useSubscription } from "@trpc/tanstack-react-query"
import { useEffect, useState } from "react"
import { api, type Outputs } from "../shell/api.ts"

type Line = Outputs["conversation"]["listSessionMessages"]["messages"][number]

/** The service repeats the sign every few seconds while it lasts. */
const typingMs = 5_000

/** `onNews` is called after each event. */
export function useChatNews(sessionId: string, onNews: () => void) {
  const [lines, setLines] = useState<readonly Line[]>([])
  const [typedAt, setTypedAt] = useState(0)
  const { error } = useSubscription(
    api.conversation.listenToSession.subscriptionOptions(
      { sessionId },
      {
        onData: ({ data }) => {
          if (data.type === "typing") return setTypedAt(Date.now())
          if (data.type === "message") {
            const { message } = data
            if (message.from === "person") setTypedAt(0)
            // A stream that was opened again begins at the first line.
            setLines((known) =>
              known.some(({ id }) => id === message.id) ? known : [...known, message],
            )
          }
          onNews()
        },
      },
    ),
  )
  useEffect(() => {
    if (typedAt === 0) return
    const timer = setTimeout(() => setTypedAt(0), typingMs)
    return () => clearTimeout(timer)
  }, [typedAt])
  return { lines, error, isTyping: typedAt > 0 }
}
