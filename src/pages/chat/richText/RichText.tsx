/** Renders rich text: nodes become elements, and no text is ever treated as markup. */
import type { ComponentChildren, VNode } from "preact"
import type { ContentOf, RichTextNode } from "../payload.ts"
import { linkAddress, mediaAddress } from "./address.ts"
import { childrenOf } from "./plainText.ts"

/** A text message. Chats do not ask for Markdown, so it is shown as it was written. */
export function RichText({ content }: { content: ContentOf<"text"> }): VNode {
  return <>{content.type === "markdown" ? content.markdown : show(content.richText)}</>
}

function show(nodes: readonly RichTextNode[]): ComponentChildren {
  return nodes.map((node, index) => <Node key={index} node={node} />)
}

function Node({ node }: { node: RichTextNode }): VNode {
  if (typeof node.text === "string") return <Leaf leaf={node} />
  const element = elements.get(node.type ?? "")
  return element ? element(node) : <span>{show(childrenOf(node))}</span>
}

function Leaf({ leaf }: { leaf: RichTextNode }): VNode {
  let shown: ComponentChildren = leaf.text
  if (leaf.code) shown = <code>{shown}</code>
  if (leaf.strikethrough) shown = <s>{shown}</s>
  if (leaf.underline) shown = <u>{shown}</u>
  if (leaf.italic) shown = <em>{shown}</em>
  if (leaf.bold) shown = <strong>{shown}</strong>
  return <>{shown}</>
}

/** The page has headings of its own, so headings in messages only look like some. */
const title = (level: number) => (node: RichTextNode) => (
  <p class={`title title-${level}`}>
    <strong>{show(childrenOf(node))}</strong>
  </p>
)

const elements = new Map<string, (node: RichTextNode) => VNode>(
  Object.entries({
    p: (node: RichTextNode) =>
      isEmpty(node) ? <p class="blank" /> : <p>{show(childrenOf(node))}</p>,
    h1: title(1),
    h2: title(2),
    h3: title(3),
    h4: title(4),
    h5: title(5),
    h6: title(6),
    blockquote: (node: RichTextNode) => <blockquote>{show(childrenOf(node))}</blockquote>,
    ul: (node: RichTextNode) => <ul>{show(childrenOf(node))}</ul>,
    ol: (node: RichTextNode) => <ol start={startOf(node)}>{show(childrenOf(node))}</ol>,
    li: (node: RichTextNode) => <li>{show(childrenOf(node))}</li>,
    lic: (node: RichTextNode) => <div>{show(childrenOf(node))}</div>,
    code_block: (node: RichTextNode) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable with the keyboard.
      <pre tabIndex={0}>
        <code>{show(childrenOf(node))}</code>
      </pre>
    ),
    code_line: (node: RichTextNode) => <div>{isEmpty(node) ? <br /> : show(childrenOf(node))}</div>,
    hr: () => <hr />,
    table: (node: RichTextNode) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables must be scrollable with the keyboard.
      <div class="wide" tabIndex={0}>
        <table>{show(childrenOf(node))}</table>
      </div>
    ),
    tr: (node: RichTextNode) => <tr>{show(childrenOf(node))}</tr>,
    th: (node: RichTextNode) => (
      <th scope="col" class={alignOf(node)}>
        {show(childrenOf(node))}
      </th>
    ),
    td: (node: RichTextNode) => <td class={alignOf(node)}>{show(childrenOf(node))}</td>,
    a: (node: RichTextNode) => <Link node={node} />,
    img: (node: RichTextNode) => <Picture node={node} />,
  }),
)

function startOf({ start }: RichTextNode): number | undefined {
  return typeof start === "number" && start !== 1 ? start : undefined
}

function alignOf({ align }: RichTextNode): string | undefined {
  return align === "center" || align === "right" ? align : undefined
}

function Link({ node }: { node: RichTextNode }): VNode {
  const address = linkAddress(node.url)
  if (!address) return <span>{show(childrenOf(node))}</span>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {isEmpty(node) ? address : show(childrenOf(node))}
    </a>
  )
}

function Picture({ node }: { node: RichTextNode }): VNode {
  const address = mediaAddress(node.url)
  const caption = Array.isArray(node.caption) ? String(node.caption[0]?.text ?? "") : ""
  return address ? <img src={address} alt={caption} /> : <span>{caption}</span>
}

function isEmpty(node: RichTextNode): boolean {
  return childrenOf(node).every((child) => child.text === "")
}
