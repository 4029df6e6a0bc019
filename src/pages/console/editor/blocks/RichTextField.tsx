/** Edits a Slate document as it is stored: in the panel, and on the canvas in the place of the text. */
import { Skeleton } from "@mantine/core"
import { Suspense, useMemo } from "react"
import { lazily } from "../../shell/lazily.ts"
import { readDocument } from "./richDocument.ts"
import type { RichTextProps } from "./richTextProps.ts"

/** Loads the editor before the first text is pressed. */
export const loadRichText = () => import("./RichTextEditor.tsx")

const RichTextEditor = lazily(() => loadRichText().then((it) => it.RichTextEditor))

export function RichTextField({ value, ...props }: RichTextProps) {
  const document = useMemo(() => readDocument(value), [value])
  return (
    <Suspense fallback={props.inPlace?.fallback ?? <Skeleton height={72} />}>
      <RichTextEditor {...props} value={document} />
    </Suspense>
  )
}
