/** A workspace, what an operator decides about it, its bots, and what was decided before. */
import { Button, Drawer, Group, Skeleton, Stack, Text, Title } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { Confirm } from "../shell/Confirm.tsx"
import { closeTexts } from "../shell/closeTexts.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { BotsOfService } from "./BotsPart.tsx"
import { DecisionsPart } from "./DecisionsPart.tsx"
import { LimitsForm } from "./LimitsForm.tsx"
import type { WorkspaceDecision } from "./operated.ts"
import { operatorTexts } from "./operatorTexts.ts"
import { StateBadges, useUsage } from "./workspaceFacts.tsx"

const texts = defineTexts({
  en: {
    made: (day: string) => `Made ${day}`,
    suspend: "Suspend",
    suspendWhy:
      "New chats are refused, and only its admins can still open the workspace. Chats that run go on to their end, and nothing is deleted. Lifting it brings everything back.",
    lift: "Lift the suspension",
    liftWhy: "Its bots take chats again, and its members open the workspace again.",
    setPastDue: "Mark as past due",
    setPastDueWhy: "Its bots are closed to its members until the payment has come.",
    setPaid: "Mark as paid",
    setPaidWhy: "Its members open its bots again.",
    verify: "Verify",
    verifyWhy: "Its members can publish every bot, also those with a high risk.",
    unverify: "Take back the verification",
    unverifyWhy: "Bots with a high risk wait for your review again before they are published.",
    states: "States",
    bots: "Bots",
    decisions: "Decisions",
  },
  de: {
    made: (day: string) => `Angelegt ${day}`,
    suspend: "Sperren",
    suspendWhy:
      "Neue Chats werden abgewiesen, und nur seine Admins können den Arbeitsbereich noch öffnen. Laufende Chats gehen zu Ende, und es wird nichts gelöscht. Wenn du die Sperre aufhebst, ist alles wieder da.",
    lift: "Sperre aufheben",
    liftWhy: "Seine Bots nehmen wieder Chats an, und die Mitglieder öffnen ihn wieder.",
    setPastDue: "Als überfällig markieren",
    setPastDueWhy: "Die Mitglieder können seine Bots nicht öffnen, bis die Zahlung da ist.",
    setPaid: "Als bezahlt markieren",
    setPaidWhy: "Die Mitglieder können seine Bots wieder öffnen.",
    verify: "Als geprüft markieren",
    verifyWhy: "Die Mitglieder dürfen alle Bots veröffentlichen, auch solche mit hohem Risiko.",
    unverify: "Prüfung zurücknehmen",
    unverifyWhy: "Bots mit hohem Risiko warten vor dem Veröffentlichen wieder auf deine Prüfung.",
    states: "Zustand",
    bots: "Bots",
    decisions: "Entscheidungen",
  },
})

type Asked = { action: string; why: string; decision: WorkspaceDecision; isHard: boolean }

export function OneWorkspace({ workspaceId, close }: { workspaceId: string; close(): void }) {
  const t = useTexts(texts)
  const shared = useTexts(operatorTexts)
  const { close: closeWord } = useTexts(closeTexts)
  const write = useWriting()
  const usage = useUsage()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const { data, error } = useQuery(api.operator.getWorkspace.queryOptions({ workspaceId }))
  const decide = useMutation({
    ...api.operator.updateWorkspace.mutationOptions(),
    onSuccess: async () => {
      setAsked(undefined)
      await queries.invalidateQueries(api.operator.pathFilter())
      void notify({ message: shared.saved })
    },
  })
  const workspace = data?.workspace
  const { isSuspended, isPastDue, isVerified } = workspace ?? {}
  const choices: Asked[] = [
    isSuspended
      ? { action: t.lift, why: t.liftWhy, decision: { isSuspended: false }, isHard: false }
      : { action: t.suspend, why: t.suspendWhy, decision: { isSuspended: true }, isHard: true },
    isPastDue
      ? { action: t.setPaid, why: t.setPaidWhy, decision: { isPastDue: false }, isHard: false }
      : { action: t.setPastDue, why: t.setPastDueWhy, decision: { isPastDue: true }, isHard: true },
    isVerified
      ? { action: t.unverify, why: t.unverifyWhy, decision: { isVerified: false }, isHard: true }
      : { action: t.verify, why: t.verifyWhy, decision: { isVerified: true }, isHard: false },
  ]
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={workspace?.name ?? workspaceId}
      closeButtonProps={{ "aria-label": closeWord }}
    >
      {error && <Problem error={error} />}
      {!error && workspace === undefined && <Skeleton height={160} radius="md" />}
      {workspace && (
        <Stack gap="xl">
          <Stack gap={4}>
            <Text size="sm">{workspace.admins.join(", ")}</Text>
            <Text size="sm" c="dimmed">
              {[t.made(write.day(workspace.createdAt)), ...usage(workspace)].join(" · ")}
            </Text>
            <StateBadges workspace={workspace} />
          </Stack>
          <Part title={t.states}>
            <Group gap="xs">
              {choices.map((choice) => (
                <Button
                  key={choice.action}
                  variant="default"
                  size="xs"
                  onClick={() => setAsked(choice)}
                >
                  {choice.action}
                </Button>
              ))}
            </Group>
          </Part>
          <LimitsForm
            key={workspace.updatedAt}
            workspace={workspace}
            error={asked ? null : decide.error}
            isPending={decide.isPending && !asked}
            onDecide={(decision) => decide.mutate({ workspaceId, ...decision })}
          />
          <Part title={t.bots}>
            <BotsOfService workspaceId={workspaceId} />
          </Part>
          <Part title={t.decisions}>
            <DecisionsPart workspaceId={workspaceId} />
          </Part>
        </Stack>
      )}
      <Confirm
        isOpen={asked !== undefined}
        title={`${asked?.action}: ${workspace?.name}`}
        text={`${asked?.why} ${shared.now}`}
        action={asked?.action ?? ""}
        color={asked?.isHard ? "red" : "accent"}
        isPending={decide.isPending}
        onConfirm={() =>
          asked && decide.mutate({ workspaceId, ...asked.decision }, { onError: reportProblem })
        }
        onClose={() => setAsked(undefined)}
      />
    </Drawer>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  )
}
