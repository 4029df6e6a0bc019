/** The editor of texts: formats, links, and variables as chips. What it does not know stays as it is. */
import { ActionIcon, Button, Popover, Stack, TextInput } from "@mantine/core"
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react"
import {
  createEditor,
  type Descendant,
  Editor,
  type NodeEntry,
  Element as SlateElement,
  Text as SlateText,
  Transforms,
} from "slate"
import {
  Editable,
  ReactEditor,
  type RenderElementProps,
  type RenderLeafProps,
  type RenderPlaceholderProps,
  Slate,
  useSlate,
  withReact,
} from "slate-react"
import { Icon } from "../../shell/Icon.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { useEditing } from "../editing.ts"
import classes from "./blocks.module.css"
import { InsertVariable } from "./fields/InsertVariable.tsx"
import { adoptCaret, heldBy, movesCaret, returnTo, textAt } from "./richCaret.ts"
import {
  inlines,
  type Mark,
  marks,
  type RichDocument,
  type RichElement,
  type RichText,
  storedDocument,
} from "./richDocument.ts"
import type { RichTextProps } from "./richTextProps.ts"

declare module "slate" {
  interface CustomTypes {
    Editor: ReturnType<typeof createEditor> & ReactEditor & Partial<TakesBack>
    Element: RichElement
    Text: RichText
  }
}

const texts = defineTexts({
  en: {
    bold: "Bold",
    italic: "Italic",
    underline: "Underline",
    strikethrough: "Strikethrough",
    link: "Link",
    unlink: "Remove the link",
    address: "Address",
    apply: "Apply",
    empty: "Write something",
  },
  de: {
    bold: "Fett",
    italic: "Kursiv",
    underline: "Unterstrichen",
    strikethrough: "Durchgestrichen",
    link: "Link",
    unlink: "Link entfernen",
    address: "Adresse",
    apply: "Übernehmen",
    empty: "Schreib etwas",
  },
})

/** What Slate calls for the keys of undo and redo, and for their entries in the menu of the browser. */
type TakesBack = { undo(): void; redo(): void }

const keys: Readonly<Record<string, Mark>> = { b: "bold", i: "italic", u: "underline" }

type Given = Omit<RichTextProps, "value"> & { value: RichDocument }

export function RichTextEditor({ label, value, onChange, flush, inPlace }: Given) {
  const t = useTexts(texts)
  const { undo, redo, mayEdit } = useEditing()
  const editor = useMemo(() => withLinks(withReact(createEditor())), [])
  // Texts are taken back as every other edit is, here and once the field is left.
  const takeBack = (way: () => void) => () => {
    flush()
    way()
  }
  Object.assign(editor, { undo: takeBack(undo), redo: takeBack(redo) } satisfies TakesBack)
  useEffect(() => {
    if (isSame(editor.children, value)) return
    // What an undo or another author has changed.
    const { selection } = editor
    const before = selection ? Editor.string(editor, selection.focus.path) : ""
    editor.children = value as Descendant[]
    editor.selection = selection && heldBy(editor, selection, before)
    editor.onChange()
  }, [value])
  useEffect(() => {
    if (!inPlace) return
    const pressed = inPlace.at && textAt(editor, inPlace.at)
    ReactEditor.focus(editor)
    Transforms.select(editor, pressed ?? Editor.end(editor, []))
  }, [])
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(leaving.current), [])
  const hasMoved = useRef(false)
  const followCaret = () => {
    if (hasMoved.current) adoptCaret(editor)
    hasMoved.current = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    followCaret()
    hasMoved.current = movesCaret(event)
    if (event.key === "Escape" && inPlace) {
      event.stopPropagation()
      return inPlace.onLeave()
    }
    const mark = keys[event.key]
    if (mark === undefined || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    toggle(editor, mark)
  }
  return (
    <Slate
      editor={editor}
      initialValue={value as Descendant[]}
      onValueChange={(next) => {
        if (!isSame(next, value)) onChange(storedDocument(next as RichDocument))
      }}
    >
      <fieldset
        aria-label={label}
        className={inPlace ? classes.inPlace : classes.richText}
        // Menus and dialogs of the bar stand elsewhere in the page, and inside of this for React.
        onFocus={() => clearTimeout(leaving.current)}
        onBlur={() => {
          if (inPlace) leaving.current = setTimeout(inPlace.onLeave)
        }}
      >
        {mayEdit && <Toolbar />}
        <Editable
          className={classes.editable}
          aria-label={label}
          role="textbox"
          aria-multiline
          readOnly={!mayEdit}
          aria-readonly={!mayEdit}
          placeholder={t.empty}
          renderPlaceholder={Placeholder}
          decorate={chips}
          renderElement={RichElementView}
          renderLeaf={RichLeaf}
          onKeyDown={onKeyDown}
          onDOMBeforeInput={followCaret}
        />
      </fieldset>
    </Slate>
  )
}

const isSame = (one: readonly Descendant[], other: readonly Descendant[]) => {
  const [mine, theirs] = [one, other].map((each) => storedDocument(each as RichDocument))
  return JSON.stringify(mine) === JSON.stringify(theirs)
}

/** As those of other fields: what the kit fades can hardly be read. */
function Placeholder({ attributes, children }: RenderPlaceholderProps) {
  const style = { ...attributes.style, opacity: 1, color: "var(--mantine-color-placeholder)" }
  return (
    <span {...attributes} style={style}>
      {children}
    </span>
  )
}

function withLinks<Some extends Editor>(editor: Some): Some {
  const { isInline } = editor
  editor.isInline = (element) => inlines.has(element.type) || isInline(element)
  return editor
}

/** The tokens of variables, drawn as chips and stored as the text that they are. */
function chips([node, path]: NodeEntry) {
  if (!SlateText.isText(node)) return []
  return [...node.text.matchAll(/\{\{[^{}]+\}\}/g)].map(({ index, 0: token }) => ({
    anchor: { path, offset: index },
    focus: { path, offset: index + token.length },
    chip: true,
  }))
}

const tags: Readonly<Record<string, keyof HTMLElementTagNameMap>> = {
  ul: "ul",
  ol: "ol",
  li: "li",
  lic: "div",
  blockquote: "blockquote",
  h1: "h3",
  h2: "h4",
  h3: "h5",
}

function RichElementView({ attributes, children, element }: RenderElementProps) {
  // Not a link that could be followed: it is text that is edited.
  if (element.type === "a")
    return (
      <span {...attributes} className={classes.link} title={String(element.url ?? "")}>
        {children}
      </span>
    )
  if (element.type === "inline-variable")
    return (
      <span {...attributes} className={classes.chip}>
        {children}
      </span>
    )
  const Tag = (tags[element.type] ?? "p") as "p"
  return <Tag {...attributes}>{children}</Tag>
}

function RichLeaf({ attributes, children, leaf }: RenderLeafProps) {
  return (
    <span
      {...attributes}
      className={leaf.chip ? classes.chip : undefined}
      style={{
        ...(leaf.bold && { fontWeight: 600 }),
        ...(leaf.italic && { fontStyle: "italic" }),
        textDecoration:
          [leaf.underline && "underline", leaf.strikethrough && "line-through"]
            .filter(Boolean)
            .join(" ") || undefined,
      }}
    >
      {children}
    </span>
  )
}

function Toolbar() {
  const t = useTexts(texts)
  const editor = useSlate()
  const insert = useCallback(
    (token: string) => {
      returnTo(editor)
      if (editor.selection === null) Transforms.select(editor, Editor.end(editor, []))
      editor.insertText(token)
    },
    [editor],
  )
  return (
    <div className={classes.toolbar}>
      {marks.map((mark) => (
        <ActionIcon
          key={mark}
          size="sm"
          aria-label={t[mark]}
          aria-pressed={isMarked(editor, mark)}
          // The selection stays where it is.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => toggle(editor, mark)}
        >
          <Icon name={mark} size={15} />
        </ActionIcon>
      ))}
      <LinkButton />
      <InsertVariable onPick={insert} />
    </div>
  )
}

function LinkButton() {
  const t = useTexts(texts)
  const editor = useSlate()
  const [url, setUrl] = useState<string>()
  const found = linkAt(editor)
  const apply = () => {
    const address = url?.trim() ?? ""
    setUrl(undefined)
    returnTo(editor)
    if (address !== "") link(editor, address)
  }
  return (
    <>
      <Popover
        opened={url !== undefined}
        onChange={(isOpen) => !isOpen && setUrl(undefined)}
        trapFocus
        withinPortal
      >
        <Popover.Target>
          <ActionIcon
            size="sm"
            aria-label={t.link}
            aria-pressed={found !== undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setUrl(String(found?.url ?? ""))}
          >
            <Icon name="link" size={15} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="xs">
            <TextInput
              label={t.address}
              value={url ?? ""}
              onChange={(event) => setUrl(event.currentTarget.value)}
              onKeyDown={(event) => event.key === "Enter" && apply()}
              placeholder="https://"
            />
            <Button size="compact-sm" onClick={apply}>
              {t.apply}
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {found && (
        <ActionIcon
          size="sm"
          aria-label={t.unlink}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => Transforms.unwrapNodes(editor, { match: isLink })}
        >
          <Icon name="unlink" size={15} />
        </ActionIcon>
      )}
    </>
  )
}

const isLink = (node: unknown): node is RichElement =>
  SlateElement.isElement(node) && node.type === "a"

function linkAt(editor: Editor): RichElement | undefined {
  if (editor.selection === null) return undefined
  const [entry] = Editor.nodes(editor, { match: isLink })
  return entry?.[0]
}

function link(editor: Editor, url: string): void {
  if (linkAt(editor)) {
    Transforms.setNodes(editor, { url }, { match: isLink })
    return
  }
  const { selection } = editor
  if (selection === null) Transforms.select(editor, Editor.end(editor, []))
  const isCollapsed = selection === null || Editor.string(editor, selection) === ""
  const element: RichElement = { type: "a", url, children: isCollapsed ? [{ text: url }] : [] }
  if (isCollapsed) Transforms.insertNodes(editor, element)
  else Transforms.wrapNodes(editor, element, { split: true })
}

function isMarked(editor: Editor, mark: Mark): boolean {
  if (editor.selection === null) return false
  return Editor.marks(editor)?.[mark] === true
}

function toggle(editor: Editor, mark: Mark): void {
  if (isMarked(editor, mark)) Editor.removeMark(editor, mark)
  else Editor.addMark(editor, mark, true)
}
