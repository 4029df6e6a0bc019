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
  const children = show(childrenOf(node))
  return elements.get(node.type ?? "")?.(children, node) ?? <span>{children}</span>
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
const title = (level: number) => (children: ComponentChildren) => (
  <p class={`title title-${level}`}>
    <strong>{children}</strong>
  </p>
)

const elements = new Map(
  Object.entries<(children: ComponentChildren, node: RichTextNode) => VNode>({
    p: (children, node) => (isEmpty(node) ? <p class="blank" /> : <p>{children}</p>),
    h1: title(1),
    h2: title(2),
    h3: title(3),
    h4: title(4),
    h5: title(5),
    h6: title(6),
    blockquote: (children) => <blockquote>{children}</blockquote>,
    ul: (children) => <ul>{children}</ul>,
    ol: (children, node) => <ol start={startOf(node)}>{children}</ol>,
    li: (children) => <li>{children}</li>,
    lic: (children) => <div>{children}</div>,
    code_block: (children) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable with the keyboard.
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    ),
    code_line: (children, node) => <div>{isEmpty(node) ? <br /> : children}</div>,
    hr: () => <hr />,
    table: (children) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables must be scrollable with the keyboard.
      <div class="wide" tabIndex={0}>
        <table>{children}</table>
      </div>
    ),
    tr: (children) => <tr>{children}</tr>,
    th: (children, node) => (
      <th scope="col" style={{ textAlign: alignOf(node) }}>
        {children}
      </th>
    ),
    td: (children, node) => <td style={{ textAlign: alignOf(node) }}>{children}</td>,
    a: (children, node) => <Link node={node}>{children}</Link>,
    img: (_, node) => <Picture node={node} />,
  }),
)

function startOf({ start }: RichTextNode): number | undefined {
  return typeof start === "number" && start !== 1 ? start : undefined
}

function alignOf({ align }: RichTextNode): string | undefined {
  return align === "center" || align === "right" ? align : undefined
}

type LinkProps = { node: RichTextNode; children: ComponentChildren }

function Link({ node, children }: LinkProps): VNode {
  const address = linkAddress(node.url)
  if (!address) return <span>{children}</span>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {isEmpty(node) ? address : children}
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
