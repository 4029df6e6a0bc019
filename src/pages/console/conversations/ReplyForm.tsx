/** Answers the visitor in the place of the bot, which is paused by the first reply. */
import { Button, Group, Text, Textarea } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { api, parley } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import classes from "./ConversationsPage.module.css"

const texts = defineTexts({
  en: {
    reply: "Reply",
    placeholder: "Write to the visitor",
    send: "Send",
    pauses: "Your reply pauses the bot.",
    enter: "Enter sends, Shift+Enter begins a line.",
    as: (name: string) => `Shown as ${name}.`,
  },
  de: {
    reply: "Antwort",
    placeholder: "Schreib eine Antwort",
    send: "Senden",
    pauses: "Deine Antwort hält den Bot an.",
    enter: "Enter sendet, Umschalt+Enter beginnt eine Zeile.",
    as: (name: string) => `Zu sehen ist der Name ${name}.`,
  },
})

/** The service takes no more signs than one in two seconds. */
const signEveryMs = 3_000

type Props = {
  sessionId: string
  isPaused: boolean
  /** The name that the visitor sees; absent: none. */
  author: string | undefined
  onSent(): void
}

export function ReplyForm({ sessionId, isPaused, author, onSent }: Props) {
  const t = useTexts(texts)
  const [text, setText] = useState("")
  const signedAt = useRef(0)
  const sending = useMutation({
    ...api.conversation.replyInSession.mutationOptions(),
    onSuccess: () => {
      setText("")
      onSent()
    },
    onError: reportProblem,
  })
  const send = () => {
    if (text.trim() === "" || sending.isPending) return
    sending.mutate({ sessionId, text, pause: true, ...(author !== undefined && { author }) })
  }
  const sign = () => {
    const now = Date.now()
    if (!isPaused || now - signedAt.current < signEveryMs) return
    signedAt.current = now
    // A sign that is lost is no loss.
    parley.conversation.typingInSession.mutate({ sessionId }).catch(() => undefined)
  }
  const hints = [!isPaused && t.pauses, author !== undefined && t.as(author), t.enter]
  return (
    <form
      className={classes.answer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <Textarea
          flex={1}
          autosize
          minRows={1}
          maxRows={8}
          aria-label={t.reply}
          placeholder={t.placeholder}
          value={text}
          dir="auto"
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            sign()
          }}
          onKeyDown={(event) => {
            // Enter also ends the composition of a word, as in Japanese.
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <Button
          type="submit"
          loading={sending.isPending}
          disabled={text.trim() === ""}
          leftSection={<Icon name="send" size={16} />}
        >
          {t.send}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {hints.filter(Boolean).join(" ")}
      </Text>
    </form>
  )
}
