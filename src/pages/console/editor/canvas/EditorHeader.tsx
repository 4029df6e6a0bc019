/** What the editor offers beside the tabs: who is there, whether all is saved, undo and redo, the chat. */
import { ActionIcon, Avatar, Button, Tooltip } from "@mantine/core"
import { useNetwork } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { createPortal } from "react-dom"
import { botActionsId } from "../../bots/BotLayout.tsx"
import { api } from "../../shell/api.ts"
import { Icon } from "../../shell/Icon.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { useEditing, useSelected } from "../editing.ts"
import classes from "./EditorHeader.module.css"
import type { Person } from "./flowModel.ts"
import { colourOf } from "./people.ts"

const texts = defineTexts({
  en: {
    saved: "Saved",
    saving: "Saving…",
    offline: "Offline: your changes are kept here and saved later",
    readOnly: "Read only",
    undo: "Undo",
    redo: "Redo",
    tryIt: "Try it",
    unnamed: "A person without a name",
    isHere: (name: string) => `${name} is here`,
    more: (count: number) => `${count} more`,
  },
  de: {
    saved: "Gespeichert",
    saving: "Wird gespeichert …",
    offline: "Offline: Deine Änderungen bleiben hier und werden später gespeichert",
    readOnly: "Nur lesen",
    undo: "Rückgängig",
    redo: "Wiederholen",
    tryIt: "Ausprobieren",
    unnamed: "Eine Person ohne Namen",
    isHere: (name: string) => `${name} ist hier`,
    more: (count: number) => `${count} weitere`,
  },
})

/** Everybody but the one who looks at it, each once. */
export function useOthers(): readonly Person[] {
  const { present } = useEditing()
  const { data: me } = useQuery(api.user.getMe.queryOptions())
  return useMemo(
    () =>
      present.filter(
        ({ userId }, index) =>
          userId !== me?.id && present.findIndex((each) => each.userId === userId) === index,
      ),
    [present, me?.id],
  )
}

const maxShown = 4

export function EditorHeader() {
  const t = useTexts(texts)
  const { mayEdit, undo, redo } = useEditing()
  const { try: isTrying = false, select, ...kept } = useSelected()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => setPlace(document.getElementById(botActionsId)), [])
  if (!place) return null
  return createPortal(
    <>
      <People />
      <SavedSign />
      {mayEdit && (
        <>
          <Tooltip label={t.undo}>
            <ActionIcon className={classes.back} aria-label={t.undo} onClick={undo}>
              <Icon name="undo-2" size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t.redo}>
            <ActionIcon className={classes.back} aria-label={t.redo} onClick={redo}>
              <Icon name="redo-2" size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      <Button
        size="xs"
        variant={isTrying ? "filled" : "light"}
        leftSection={<Icon name="play" size={14} />}
        aria-pressed={isTrying}
        className={classes.tryIt}
        onClick={() => select(isTrying ? kept : { ...kept, try: true })}
      >
        {t.tryIt}
      </Button>
    </>,
    place,
  )
}

function People() {
  const t = useTexts(texts)
  const others = useOthers()
  if (others.length === 0) return null
  return (
    <Avatar.Group className={classes.people}>
      {others.slice(0, maxShown).map((person) => {
        const name = person.name || t.unnamed
        return (
          <Tooltip key={person.userId} label={t.isHere(name)}>
            <Avatar
              size={26}
              radius="xl"
              variant="filled"
              color={`${colourOf(person)}.9`}
              name={name}
              alt={t.isHere(name)}
              aria-label={t.isHere(name)}
              role="img"
            />
          </Tooltip>
        )
      })}
      {others.length > maxShown && (
        <Avatar size={26} radius="xl" aria-label={t.more(others.length - maxShown)}>
          +{others.length - maxShown}
        </Avatar>
      )}
    </Avatar.Group>
  )
}

function SavedSign() {
  const t = useTexts(texts)
  const { mayEdit, isSaved } = useEditing()
  const { online } = useNetwork()
  useEffect(() => {
    if (isSaved) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [isSaved])
  const words = !mayEdit ? t.readOnly : online ? (isSaved ? t.saved : t.saving) : t.offline
  const icon = !mayEdit ? "eye" : online ? (isSaved ? "check" : "refresh-cw") : "triangle-alert"
  return (
    <Tooltip label={words}>
      <span className={classes.saved} role="status" data-offline={!online || undefined}>
        <Icon name={icon} size={14} />
        <span>{words}</span>
      </span>
    </Tooltip>
  )
}
