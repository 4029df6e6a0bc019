/** Name and icon of a workspace, and its end. */
import { Button, Group, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { notify, reportProblem } from "../shell/notify.ts"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import type { PartProps } from "./workspaceSearch.ts"

const texts = defineTexts({
  en: {
    title: "Name and icon",
    name: "Name",
    icon: "Icon",
    iconHint: "An emoji, or the address of a picture",
    save: "Save",
    saved: "Saved.",
    leave: "Leave the workspace",
    leaving: "You no longer see its bots. A member has to invite you to bring you back.",
    delete: "Delete the workspace",
    deleting: (name: string) =>
      `${name} goes with all of its bots, results, conversations, files and credentials. This cannot be taken back.`,
    end: "Leave or delete",
  },
  de: {
    title: "Name und Symbol",
    name: "Name",
    icon: "Symbol",
    iconHint: "Ein Emoji oder die Adresse eines Bildes",
    save: "Speichern",
    saved: "Gespeichert.",
    leave: "Arbeitsbereich verlassen",
    leaving: "Du siehst seine Bots nicht mehr. Nur eine neue Einladung bringt dich zurück.",
    delete: "Arbeitsbereich löschen",
    deleting: (name: string) =>
      `${name} wird mit allen Bots, Ergebnissen, Gesprächen, Dateien und Zugangsdaten gelöscht. Das lässt sich nicht zurücknehmen.`,
    end: "Verlassen oder löschen",
  },
})

export function GeneralPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(api.workspace.get.queryOptions({ workspaceId }))
  const { workspace, currentUserMode } = data
  const mayManage = currentUserMode === "write"
  const [name, setName] = useState(workspace.name)
  const [icon, setIcon] = useState(workspace.icon ?? "")
  const [ending, setEnding] = useState<"leave" | "delete">()
  const renew = () => queries.invalidateQueries(api.workspace.pathFilter())
  const save = useMutation({
    ...api.workspace.update.mutationOptions(),
    onSuccess: async () => {
      await renew()
      void notify({ message: t.saved })
    },
  })
  const goHome = async () => {
    setEnding(undefined)
    await renew()
    await navigate({ to: "/", search: {} })
  }
  const leave = useMutation({
    ...api.workspace.leave.mutationOptions(),
    onSuccess: goHome,
    onError: reportProblem,
  })
  const remove = useMutation({
    ...api.workspace.delete.mutationOptions(),
    onSuccess: goHome,
    onError: reportProblem,
  })
  return (
    <Stack>
      <Card title={t.title}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate({ workspaceId, name, icon: icon.trim() || null })
          }}
        >
          <Stack maw="28rem">
            <TextInput
              label={t.name}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={save.error && (issueAt(save.error, "name") ?? sentenceOf(save.error))}
              maxLength={255}
              disabled={!mayManage}
              required
            />
            <TextInput
              label={t.icon}
              description={t.iconHint}
              value={icon}
              onChange={({ currentTarget }) => setIcon(currentTarget.value)}
              error={save.error && issueAt(save.error, "icon")}
              maxLength={2048}
              disabled={!mayManage}
            />
            {mayManage && (
              <Group>
                <Button type="submit" loading={save.isPending}>
                  {t.save}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Card>
      <Card title={t.end}>
        <Group>
          <Button variant="default" onClick={() => setEnding("leave")}>
            {t.leave}
          </Button>
          {mayManage && (
            <Button variant="light" color="red" onClick={() => setEnding("delete")}>
              {t.delete}
            </Button>
          )}
        </Group>
      </Card>
      <Confirm
        isOpen={ending !== undefined}
        title={ending === "delete" ? t.delete : t.leave}
        text={ending === "delete" ? t.deleting(workspace.name) : t.leaving}
        action={ending === "delete" ? t.delete : t.leave}
        isPending={leave.isPending || remove.isPending}
        onConfirm={() => (ending === "delete" ? remove : leave).mutate({ workspaceId })}
        onClose={() => setEnding(undefined)}
      />
    </Stack>
  )
}
