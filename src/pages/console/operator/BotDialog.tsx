/** What an operator decides about a bot: whether it takes chats, and its risk. */
import { Button, Divider, Group, Modal, NumberInput, Stack, Text, Textarea } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { closeTexts } from "../shell/closeTexts.ts"
import { notify } from "../shell/notify.ts"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import type { OperatedBot } from "./operated.ts"
import { operatorTexts } from "./operatorTexts.ts"

const texts = defineTexts({
  en: {
    reason: "Reason",
    reasonWhy: "Its authors read it.",
    close: "Close the bot",
    closeWhy: "New chats are refused at once, and its authors cannot open it again.",
    open: "Open the bot again",
    openWhy: "It takes chats again, unless its authors have closed it, too.",
    risk: "Risk",
    riskWhy:
      "From 0 to 100; no later rating changes it. Above 80 it is not published until you verify its workspace. Empty: the next rating decides.",
    saveRisk: "Save the risk",
  },
  de: {
    reason: "Grund",
    reasonWhy: "Die Autoren lesen ihn.",
    close: "Bot schließen",
    closeWhy:
      "Neue Chats werden sofort abgewiesen, und die Autoren können ihn nicht selbst öffnen.",
    open: "Bot wieder öffnen",
    openWhy: "Er nimmt wieder Chats an, wenn ihn nicht auch die Autoren geschlossen haben.",
    risk: "Risiko",
    riskWhy:
      "Von 0 bis 100; keine spätere Bewertung ändert es. Über 80 wird er erst veröffentlicht, wenn du den Arbeitsbereich geprüft hast. Leer: Die nächste Bewertung entscheidet.",
    saveRisk: "Risiko speichern",
  },
})

export function BotDialog({ bot, close }: { bot: OperatedBot; close(): void }) {
  const t = useTexts(texts)
  const shared = useTexts(operatorTexts)
  const { close: closeWord } = useTexts(closeTexts)
  const queries = useQueryClient()
  const [reason, setReason] = useState("")
  const [riskLevel, setRiskLevel] = useState(bot.riskLevel)
  const decide = useMutation({
    ...api.operator.updateBot.mutationOptions(),
    onSuccess: async () => {
      await queries.invalidateQueries(api.operator.pathFilter())
      close()
      void notify({ message: shared.saved })
    },
  })
  const { error } = decide
  const atField = issueAt(error, "reason") ?? issueAt(error, "riskLevel")
  return (
    <Modal opened onClose={close} title={bot.name} closeButtonProps={{ "aria-label": closeWord }}>
      <Stack>
        {bot.isClosed ? (
          <>
            <Text size="sm">{bot.closedReason}</Text>
            <Text size="sm" c="dimmed">
              {t.openWhy}
            </Text>
            <Group>
              <Button
                loading={decide.isPending}
                onClick={() => decide.mutate({ botId: bot.id, isClosed: false })}
              >
                {t.open}
              </Button>
            </Group>
          </>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              decide.mutate({ botId: bot.id, isClosed: true, reason: reason.trim() })
            }}
          >
            <Stack gap="sm">
              <Textarea
                label={t.reason}
                description={t.reasonWhy}
                value={reason}
                maxLength={1_000}
                autosize
                minRows={2}
                required
                error={issueAt(error, "reason")}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
                data-autofocus
              />
              <Text size="sm" c="dimmed">
                {t.closeWhy}
              </Text>
              <Group>
                <Button
                  type="submit"
                  color="red"
                  loading={decide.isPending}
                  disabled={reason.trim() === ""}
                >
                  {t.close}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
        <Divider />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            decide.mutate({ botId: bot.id, riskLevel })
          }}
        >
          <Stack gap="sm">
            <NumberInput
              label={t.risk}
              description={t.riskWhy}
              value={riskLevel ?? ""}
              min={0}
              max={100}
              allowDecimal={false}
              error={issueAt(error, "riskLevel")}
              onChange={(value) => setRiskLevel(value === "" ? null : Number(value))}
            />
            <Group>
              <Button type="submit" variant="default" loading={decide.isPending}>
                {t.saveRisk}
              </Button>
            </Group>
          </Stack>
        </form>
        {error && !atField && (
          <Text size="sm" c="red" role="alert">
            {sentenceOf(error)}
          </Text>
        )}
      </Stack>
    </Modal>
  )
}
