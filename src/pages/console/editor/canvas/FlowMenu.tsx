/** What can be done with an element of the canvas. */
import { Menu } from "@mantine/core"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import classes from "./Canvas.module.css"
import type { Element } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import type { Commands } from "./useCommands.ts"

export type OpenMenu = { element: Element; at: { x: number; y: number } }

type Props = OpenMenu & {
  commands: Commands
  mayEdit: boolean
  onClose(): void
  onMoveTo(blockId: string): void
}

export function FlowMenu({ element, at, commands, mayEdit, onClose, onMoveTo }: Props) {
  const t = useTexts(canvasTexts)
  const selection = commands.chosenWith(element)
  const { type, id } = element
  const copy = () => {
    // Works without the permission that the Clipboard API asks for, and on pages without TLS.
    const write = (event: ClipboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      event.clipboardData?.setData("text/plain", commands.copied(selection) ?? "")
    }
    document.addEventListener("copy", write, { capture: true, once: true })
    document.execCommand("copy")
    document.removeEventListener("copy", write, { capture: true })
  }
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={200}>
      <Menu.Target>
        <span className={classes.menuTarget} style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {(type === "block" || type === "event") && (
          <Menu.Item
            leftSection={<Icon name="pencil" size={14} />}
            onClick={() => commands.open(element, false)}
          >
            {t.edit}
          </Menu.Item>
        )}
        {type !== "edge" && (
          <Menu.Item leftSection={<Icon name="copy" size={14} />} onClick={copy}>
            {t.copy}
          </Menu.Item>
        )}
        {mayEdit && (
          <>
            {type !== "edge" && (
              <Menu.Item
                leftSection={<Icon name="copy-plus" size={14} />}
                onClick={() => commands.duplicate(selection)}
              >
                {t.duplicate}
              </Menu.Item>
            )}
            {type === "block" && (
              <>
                <Menu.Item
                  leftSection={<Icon name="arrow-up" size={14} />}
                  onClick={() => commands.step(id, "up")}
                >
                  {t.moveUp}
                </Menu.Item>
                <Menu.Item
                  leftSection={<Icon name="arrow-down" size={14} />}
                  onClick={() => commands.step(id, "down")}
                >
                  {t.moveDown}
                </Menu.Item>
                <Menu.Item
                  leftSection={<Icon name="folder-input" size={14} />}
                  onClick={() => onMoveTo(id)}
                >
                  {t.moveTo}
                </Menu.Item>
              </>
            )}
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash-2" size={14} />}
              onClick={() => commands.remove(selection)}
            >
              {t.remove}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
