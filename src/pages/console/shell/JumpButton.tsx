/** Opens the list of places to jump to, by a button and by Ctrl+K, or Command+K. */
import { ActionIcon, UnstyledButton } from "@mantine/core"
import { Suspense, useEffect, useState } from "react"
import { Icon } from "./Icon.tsx"
import { lazily } from "./lazily.ts"
import { moreStyles } from "./moreStyles.ts"
import { defineTexts, useTexts } from "./texts.ts"

const Jump = lazily(async () => {
  const [{ Jump: component }] = await Promise.all([import("./Jump.tsx"), moreStyles()])
  return component
})

const texts = defineTexts({ en: { jump: "Jump to…" }, de: { jump: "Springen zu …" } })

const keys = navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K"

/** `isSmall`: an icon alone. */
export function JumpButton({ isSmall = false }: { isSmall?: boolean }) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isMod = event.ctrlKey || event.metaKey
      if (!isMod || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return
      // The browser searches by the same keys.
      event.preventDefault()
      const { target } = event
      if (!(target instanceof Element && target.closest("[role=dialog]"))) setOpen(true)
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])
  const shared = { onClick: () => setOpen(true), "aria-keyshortcuts": "Control+K Meta+K" }
  return (
    <>
      {isSmall ? (
        <ActionIcon {...shared} aria-label={t.jump} title={`${t.jump} (${keys})`}>
          <Icon name="search" size={16} />
        </ActionIcon>
      ) : (
        <UnstyledButton {...shared} className="jump">
          <Icon name="search" size={16} />
          <span>{t.jump}</span>
          <kbd>{keys}</kbd>
        </UnstyledButton>
      )}
      {isOpen && (
        <Suspense>
          <Jump close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
