/** Edits a Slate document as it is stored: in the panel, and on the canvas in the place of the text. */
import { lazy, Suspense, useMemo } from "react"
import { type RichTextProps, readDocument } from "./richDocument.ts"

const RichTextEditor = lazy(() =>
  import("./RichTextEditor.tsx").then((it) => ({ default: it.RichTextEditor })),
)

export function RichTextField({ value, ...props }: RichTextProps) {
  const document = useMemo(() => readDocument(value), [value])
  return (
    <Suspense fallback={<div style={{ minHeight: 72 }} />}>
      <RichTextEditor {...props} value={document} />
    </Suspense>
  )
}
