/** The bots of a workspace, and the dialogs about them. */
import { Button } from "@mantine/core"
import { createLazyRoute, Link } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { lazily } from "../shell/lazily.ts"
import { moreStyles } from "../shell/moreStyles.ts"
import { useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { type ListedWorkspace, useWorkspaces } from "../shell/useWorkspace.ts"
import { AskContext, type AskedDialog, type Selected } from "./askedDialog.ts"
import { BotList } from "./BotList.tsx"
import classes from "./BotsPage.module.css"
import { botsTexts } from "./botsTexts.ts"
import { NothingHere } from "./NothingHere.tsx"
import { useDroppedFile } from "./useDroppedFile.ts"

export const Route = createLazyRoute("/home/")({ component: BotsPage })

const BotsDialog = lazily(async () => {
  const [{ BotsDialog: component }] = await Promise.all([
    import("./dialogs/BotsDialog.tsx"),
    moreStyles(),
  ])
  return component
})

function BotsPage() {
  const { current } = useWorkspaces()
  return current ? <Bots key={current.id} workspace={current} /> : <NoWorkspace />
}

function NoWorkspace() {
  const t = useTexts(botsTexts)
  useTitle(t.bots)
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t.bots}</h1>
      <NothingHere icon="building-2" title={t.noWorkspace} why={t.noWorkspaceWhy}>
        <Button renderRoot={(props) => <Link to="/newWorkspace" {...props} />}>
          {t.newWorkspace}
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to="/shared" {...props} />}>
          {t.invitations}
        </Button>
      </NothingHere>
    </div>
  )
}

const none: Selected = new Map()

function Bots({ workspace }: { workspace: ListedWorkspace }) {
  const t = useTexts(botsTexts)
  const { folder: folderId } = Route.useSearch()
  const [asked, setAsked] = useState<AskedDialog>()
  const [selected, setSelected] = useState(none)
  const canEdit = workspace.role !== "GUEST"
  const dropping = useDroppedFile((file) => canEdit && setAsked({ type: "newBot", file, folderId }))
  return (
    <AskContext value={setAsked}>
      <div className={classes.page} {...dropping.handlers}>
        <BotList {...{ workspace, canEdit, selected }} onSelect={setSelected} />
        {dropping.isOver && canEdit && <div className={classes.drop}>{t.drop}</div>}
      </div>
      {asked && (
        <Suspense>
          <BotsDialog
            {...{ asked, workspace }}
            onDone={() => setSelected(none)}
            onClosed={() => setAsked(undefined)}
          />
        </Suspense>
      )}
    </AskContext>
  )
}
