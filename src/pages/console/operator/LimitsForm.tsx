/** Plan and limits of a workspace: each empty limit is that of the plan. */
import {
  Button,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core"
import { useState } from "react"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import type { OperatedWorkspace, WorkspaceDecision } from "./operated.ts"
import { type Plan, plans } from "./operatorSearch.ts"
import { operatorTexts } from "./operatorTexts.ts"

const texts = defineTexts({
  en: {
    title: "Plan and limits",
    plan: "Plan",
    customChatsLimit: "Chats per month",
    customSeatsLimit: "Members",
    chatsHardLimit: "Refuse chats from",
    ofPlan: "As the plan says",
    never: "Never",
    stripeId: "Customer at Stripe",
    none: "None",
    why: "A new plan and new limits count at once: chats above “Refuse chats from” are refused until the next month.",
  },
  de: {
    title: "Tarif und Grenzen",
    plan: "Tarif",
    customChatsLimit: "Chats im Monat",
    customSeatsLimit: "Mitglieder",
    chatsHardLimit: "Chats abweisen ab",
    ofPlan: "Wie im Tarif",
    never: "Nie",
    stripeId: "Kunde bei Stripe",
    none: "Keiner",
    why: "Tarif und Grenzen gelten sofort: Über „Chats abweisen ab“ hinaus werden Chats bis zum nächsten Monat abgewiesen.",
  },
})

type Props = {
  workspace: OperatedWorkspace
  error: unknown
  isPending: boolean
  onDecide(decision: WorkspaceDecision): void
}

const limits = ["customChatsLimit", "customSeatsLimit", "chatsHardLimit"] as const

export function LimitsForm({ workspace, error, isPending, onDecide }: Props) {
  const t = useTexts(texts)
  const shared = useTexts(operatorTexts)
  const [draft, setDraft] = useState({
    plan: workspace.plan as Plan,
    customChatsLimit: workspace.customChatsLimit,
    customSeatsLimit: workspace.customSeatsLimit,
    chatsHardLimit: workspace.chatsHardLimit,
    stripeId: workspace.stripeId ?? "",
  })
  const issues = ["plan", ...limits, "stripeId"].map((member) => issueAt(error, member))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onDecide({ ...draft, stripeId: draft.stripeId.trim() || null })
      }}
    >
      <Stack gap="xs">
        <Text component="h3" size="sm" fw={600}>
          {t.title}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Select
            label={t.plan}
            data={plans}
            value={draft.plan}
            allowDeselect={false}
            error={issueAt(error, "plan")}
            onChange={(plan) => setDraft({ ...draft, plan: plan as Plan })}
          />
          {limits.map((limit) => (
            <NumberInput
              key={limit}
              label={t[limit]}
              placeholder={limit === "chatsHardLimit" ? t.never : t.ofPlan}
              value={draft[limit] ?? ""}
              min={0}
              allowDecimal={false}
              hideControls
              error={issueAt(error, limit)}
              onChange={(value) =>
                setDraft({ ...draft, [limit]: value === "" ? null : Number(value) })
              }
            />
          ))}
          <TextInput
            label={t.stripeId}
            placeholder={t.none}
            value={draft.stripeId}
            maxLength={255}
            error={issueAt(error, "stripeId")}
            onChange={({ currentTarget }) => setDraft({ ...draft, stripeId: currentTarget.value })}
          />
        </SimpleGrid>
        {error && issues.every((issue) => issue === undefined) ? (
          <Text size="sm" c="red" role="alert">
            {sentenceOf(error)}
          </Text>
        ) : null}
        <Text size="xs" c="dimmed">
          {t.why}
        </Text>
        <Group>
          <Button type="submit" size="xs" loading={isPending}>
            {shared.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
