/** What a list to choose from offers. */
import { useMemo } from "react"
import { useTexts } from "../../shell/texts.ts"
import { useEditing } from "../editing.ts"
import { enterPanel } from "../panels/panelFocus.ts"
import type { Words } from "./blockWords.ts"
import { canvasTexts } from "./canvasTexts.ts"
import type { Exit } from "./exitsOf.ts"
import type { Choice } from "./Finder.tsx"
import type { FlowNode } from "./flowModel.ts"
import { freePlace, gap } from "./freePlace.ts"
import { sizes } from "./groupLayout.ts"
import { listAt } from "./reading.ts"
import type { Commands } from "./useCommands.ts"
import { useOffered } from "./useOffered.ts"

export type OpenFinder =
  | { kind: "search" }
  | { kind: "goTo"; exit: Exit; name: string }
  | { kind: "moveTo"; blockId: string }
  | { kind: "add" }

type With = {
  commands: Commands
  words: Words
  jump(groupId: string, blockId?: string): void
  nodes?: readonly FlowNode[]
}

type FinderProps = { title: string; hint: string; choices: Choice[] }

export function useFinderChoices(open: OpenFinder | undefined, own: With): FinderProps | undefined {
  const t = useTexts(canvasTexts)
  const { bot, entryOf } = useEditing()
  const offered = useOffered()
  const { commands, words, jump, nodes = [] } = own
  return useMemo(() => {
    if (!open) return undefined
    if (open.kind === "add")
      return {
        title: t.addBlock,
        hint: t.paletteSearch,
        choices: offered.map((entry) => ({
          id: `${entry.kind} ${entry.type}`,
          label: entry.label,
          detail: entry.description,
          choose: () => enterPanel(commands.add(entry)),
        })),
      }
    const hint = t.searchHint
    const groups = (choose: (groupId: string) => void) =>
      bot.groups.map(
        (group): Choice => ({
          id: `group ${group.id}`,
          label: group.title,
          choose: () => choose(group.id),
        }),
      )
    if (open.kind === "moveTo") {
      const end = Number.MAX_SAFE_INTEGER
      const choices = groups((groupId) => commands.move([open.blockId], { groupId, index: end }))
      return { title: t.moveTo, hint, choices }
    }
    if (open.kind === "goTo") {
      const { exit } = open
      const source = nodes.find((node) =>
        node.type === "blocks"
          ? node.data.layout.exits.some((each) => each.exit.key === exit.key)
          : node.data.exit.key === exit.key,
      )
      const { x, y } = source?.position ?? { x: 0, y: 0 }
      const at = freePlace(nodes, { x: x + (source?.width ?? sizes.width) + gap, y })
      const isTaken = bot.edges.some(({ id }) => id === exit.edgeId)
      const action = (id: string, label: string, choose: () => void): Choice => ({
        id,
        label,
        isAction: true,
        choose,
      })
      return {
        title: t.goToTitle(open.name),
        hint,
        choices: [
          ...groups((groupId) => commands.lead(exit, { groupId })),
          action("new", t.newGroup, () => commands.lead(exit, { at })),
          ...(isTaken
            ? [action("none", t.nowhere, () => commands.disconnect(exit.edgeId ?? ""))]
            : []),
        ],
      }
    }
    const blocks = bot.groups.flatMap((group) =>
      group.blocks.map((block): Choice => {
        const { label, summary } = words.ofBlock(block, entryOf(block.type))
        const items = listAt(block, "items").map((_, index) => words.ofItem(block, index))
        return {
          id: `block ${block.id}`,
          label: [summary || label, ...items].filter(Boolean).join(" · "),
          detail: `${label} · ${group.title || t.untitled}`,
          choose: () => jump(group.id, block.id),
        }
      }),
    )
    return { title: t.search, hint, choices: [...groups((groupId) => jump(groupId)), ...blocks] }
  }, [open, bot, words, commands, jump, nodes, entryOf, offered, t])
}
