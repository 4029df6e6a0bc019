/** Above the list: search, order, and what makes new things. */
import { ActionIcon, Button, NativeSelect, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { Icon } from "../shell/Icon.tsx"
import { useTexts } from "../shell/texts.ts"
import { useAsk } from "./askedDialog.ts"
import classes from "./BotsPage.module.css"
import { type BotOrder, botOrders } from "./botsSearch.ts"
import { botsTexts } from "./botsTexts.ts"
import { useKeys } from "./useKeys.ts"

const typingMs = 200
const route = getRouteApi("/home/")

type Props = { canEdit: boolean; folderId: string | undefined }

export function BotsTools({ canEdit, folderId }: Props) {
  const t = useTexts(botsTexts)
  const ask = useAsk()
  const { sort = botOrders[0] } = route.useSearch()
  const navigate = route.useNavigate()
  const newBot = () => ask({ type: "newBot", folderId })
  useKeys(canEdit ? { c: newBot } : {})
  return (
    <div className={classes.tools}>
      <SearchField />
      <NativeSelect
        aria-label={t.order}
        value={sort}
        onChange={({ currentTarget }) => {
          const wanted = currentTarget.value as BotOrder
          void navigate({ search: (rest) => ({ ...rest, sort: wanted }), replace: true })
        }}
        data={botOrders.map((value) => ({ value, label: t[value] }))}
      />
      {canEdit && (
        <>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.newFolder}
            title={t.newFolder}
            onClick={() => ask({ type: "newFolder", parentFolderId: folderId ?? null })}
          >
            <Icon name="folder-plus" />
          </ActionIcon>
          <Button leftSection={<Icon name="plus" />} aria-keyshortcuts="c" onClick={newBot}>
            {t.newBot}
          </Button>
        </>
      )}
    </div>
  )
}

function SearchField() {
  const t = useTexts(botsTexts)
  const { q = "", ...others } = route.useSearch()
  const navigate = route.useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(q)
  // The address may change by other means than by typing here.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(q)
  }, [q])
  useKeys({ "/": () => field.current?.focus() })
  const search = useDebouncedCallback((wanted: string) => {
    void navigate({
      to: "/",
      search: wanted === "" ? others : { ...others, q: wanted },
      replace: true,
    })
  }, typingMs)
  return (
    <TextInput
      ref={field}
      className={classes.search}
      aria-label={t.search}
      placeholder={t.search}
      aria-keyshortcuts="/"
      maxLength={100}
      leftSection={<Icon name="search" size={16} />}
      rightSection={<kbd className={classes.key}>/</kbd>}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        search(currentTarget.value.trim())
      }}
      onKeyDown={({ key }) => {
        if (key !== "Escape") return
        setText("")
        search("")
      }}
    />
  )
}
