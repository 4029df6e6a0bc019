/** The keys of the canvas; `Mod` is Command on Apple's machines, else Control. */
import { useEffect } from "react"
import type { Commands } from "./useCommands.ts"

type Options = {
  commands: Commands
  mayEdit: boolean
  root: React.RefObject<HTMLElement | null>
  onSearch(): void
  onAdd(): void
  onLeave(): void
}

const steps = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" } as const

export function useCanvasKeys({
  commands,
  mayEdit,
  root,
  onSearch,
  onAdd,
  onLeave,
}: Options): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const isMod = event.metaKey || event.ctrlKey
      const key = event.key.toLowerCase()
      const done = (act: () => void) => {
        event.preventDefault()
        act()
      }
      if (isMod && key === "f" && !isInDialog(event)) return done(onSearch)
      if (isWriting(event) || isInDialog(event)) return
      if (isMod && key === "z")
        return mayEdit && done(event.shiftKey ? commands.redo : commands.undo)
      if (isMod && key === "y") return mayEdit && done(commands.redo)
      if (!isHere(event, root.current)) return
      const row = rowOf(event.target)
      const step = steps[event.key as keyof typeof steps]
      if (event.altKey && row && step && mayEdit)
        return done(() => {
          commands.step(row, step)
          focusRow(row)
        })
      if (row && (step === "up" || step === "down") && !isMod && !event.altKey)
        return done(() => focusBeside(event.target, step === "up" ? -1 : 1))
      if (isMod && key === "a") return done(commands.selectAll)
      if (event.key === "Escape") return onLeave()
      if (!mayEdit) return
      if (key === "a" && !event.altKey) return done(onAdd)
      const selection = row ? commands.chosenWith({ type: "block", id: row }) : commands.chosen()
      if (isMod && key === "d") return done(() => commands.duplicate(selection))
      if (event.key === "Delete" || event.key === "Backspace")
        return done(() => commands.remove(selection))
    }
    const copy = (event: ClipboardEvent) => {
      if (isWriting(event) || isInDialog(event) || !isHere(event, root.current)) return
      if (String(getSelection()) !== "") return
      const row = rowOf(document.activeElement)
      const selection = row ? commands.chosenWith({ type: "block", id: row }) : commands.chosen()
      const text = commands.copied(selection)
      if (text === undefined) return
      event.preventDefault()
      event.clipboardData?.setData("text/plain", text)
      if (event.type === "cut" && mayEdit) commands.remove(selection)
    }
    const paste = (event: ClipboardEvent) => {
      if (!mayEdit || isWriting(event) || isInDialog(event) || !isHere(event, root.current)) return
      event.preventDefault()
      commands.paste(event.clipboardData?.getData("text/plain") ?? "")
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener("keydown", press, { signal })
    document.addEventListener("copy", copy, { signal })
    document.addEventListener("cut", copy, { signal })
    document.addEventListener("paste", paste, { signal })
    return () => listening.abort()
  }, [commands, mayEdit, root, onSearch, onAdd, onLeave])
}

const elementOf = (event: Event) => (event.target instanceof Element ? event.target : null)

function isWriting(event: Event): boolean {
  const at = elementOf(event)
  return (
    at?.closest("input, textarea, select, [contenteditable=true], .cm-editor") !== null &&
    at !== null
  )
}

const isInDialog = (event: Event) => elementOf(event)?.closest("[role=dialog], [role=menu]") != null

/** Whether nothing has the focus, or something of the canvas. */
function isHere(event: Event, root: HTMLElement | null): boolean {
  const at = elementOf(event)
  return at === null || at === document.body || root?.contains(at) === true
}

function rowOf(target: EventTarget | null): string | undefined {
  return target instanceof HTMLElement ? target.dataset.row : undefined
}

/** Gives a row the focus again that moving or writing it has taken. */
export function focusRow(blockId: string): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(blockId)}"]`)?.focus()
  })
}

function focusBeside(target: EventTarget | null, by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")]
  const at = rows.indexOf(target as HTMLElement)
  rows[at + by]?.focus()
}
