/** Imports a bot of a file, after its findings were seen. */
import { Button, Group, Loader, Stack, Text } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Inputs, parley } from "../../shell/api.ts"
import { Icon } from "../../shell/Icon.tsx"
import { notify } from "../../shell/notify.ts"
import { Problem } from "../../shell/Problem.tsx"
import { useTexts } from "../../shell/texts.ts"
import classes from "./dialogs.module.css"
import { dialogTexts } from "./dialogTexts.ts"
import { Findings } from "./Findings.tsx"
import { FileChoice } from "./Gallery.tsx"
import type { WayProps } from "./wayProps.ts"

type SentBot = Inputs["bot"]["import"]["bot"]

type Texts = (typeof dialogTexts)["en"]

export function FileImport({
  initial,
  workspaceId,
  folderId,
  back,
  onMade,
}: WayProps & { initial: File | undefined }) {
  const t = useTexts(dialogTexts)
  const [file, setFile] = useState(initial)
  const read = useQuery({
    queryKey: ["fileToImport", workspaceId, file?.name, file?.size, file?.lastModified],
    queryFn: async () => {
      const bot = await readBot(file as File, t)
      return { bot, report: await parley.bot.lint.mutate({ bot, workspaceId }) }
    },
    enabled: file !== undefined,
    staleTime: Infinity,
    retry: false,
    // The file may be as large as a bot can be.
    gcTime: 0,
  })
  const make = useMutation({
    mutationFn: async (bot: SentBot) => {
      const made = await parley.bot.import.mutate({ workspaceId, bot })
      const botIds = [made.bot.id]
      if (folderId !== undefined)
        await parley.folder.moveBots.mutate({ workspaceId, botIds, folderId })
      return made
    },
    onSuccess: ({ bot, warnings = [] }) => {
      void notify({ message: t.imported(bot.name, warnings.length) })
      onMade(bot)
    },
  })
  if (file === undefined)
    return (
      <Stack>
        <FileChoice onFile={setFile} />
        <Group>
          <Button variant="default" onClick={back}>
            {t.back}
          </Button>
        </Group>
      </Stack>
    )
  const found = read.data
  return (
    <Stack>
      <Group gap="xs" wrap="nowrap">
        <Icon name="file" />
        <Text fw={600} truncate>
          {file.name}
        </Text>
      </Group>
      {read.isPending && (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">{t.checking}</Text>
        </Group>
      )}
      {read.error && <Problem error={read.error} />}
      {found && <Findings report={found.report} />}
      {make.error && <Problem error={make.error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={back}>
          {t.back}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            make.reset()
            setFile(undefined)
          }}
        >
          {t.otherFile}
        </Button>
        {found && (
          <Button loading={make.isPending} onClick={() => make.mutate(found.bot)}>
            {found.report.errorCount > 0 ? t.importAnyway : t.import}
          </Button>
        )}
      </div>
    </Stack>
  )
}

async function readBot(file: File, t: Texts): Promise<SentBot> {
  const text = await file.text()
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw new Error(t.notJson(file.name, error instanceof Error ? error.message : ""))
  }
  if (typeof read !== "object" || read === null || Array.isArray(read))
    throw new Error(t.notBot(file.name))
  return read as SentBot
}
