/** Calls a preview that waits at a block, as the other system would. */
import { Button, JsonInput, Stack } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../shell/api.ts"
import { notify } from "../../shell/notify.ts"
import { Problem } from "../../shell/Problem.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { useEditing } from "../editing.ts"

const texts = defineTexts({
  en: {
    body: "Body of a test call",
    send: "Send a test call",
    sent: "The chat that waits here has the call.",
    notJson: "This is not JSON.",
  },
  de: {
    body: "Inhalt eines Testaufrufs",
    send: "Testaufruf senden",
    sent: "Der Chat, der hier wartet, hat den Aufruf.",
    notJson: "Das ist kein JSON.",
  },
})

export function TestCall({ blockId }: { blockId: string }) {
  const t = useTexts(texts)
  const { botId } = useEditing()
  const [body, setBody] = useState('{ "status": "paid" }')
  const [isBroken, setBroken] = useState(false)
  const call = useMutation(
    api.chat.executeTestWebhook.mutationOptions({
      onSuccess: () => notify({ message: t.sent }),
    }),
  )
  const send = () => {
    try {
      call.mutate({ ...JSON.parse(body), botId, blockId })
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <Stack gap="xs">
      <JsonInput
        label={t.body}
        autosize
        minRows={2}
        value={body}
        onChange={setBody}
        error={isBroken && t.notJson}
      />
      <Button variant="default" onClick={send} loading={call.isPending}>
        {t.send}
      </Button>
      {call.error && <Problem error={call.error} />}
    </Stack>
  )
}
