/** Code of an author, and JSON of members without a schema, with CodeMirror. */

import { Input } from "@mantine/core"
import { useState } from "react"
import { useTexts } from "../../../shell/texts.ts"
import type { FieldProps } from "../blockForm.ts"
import { hintsOf } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"
import { CodeEditor } from "./CodeEditor.tsx"
import { TextField } from "./TextField.tsx"

export function CodeField(props: FieldProps) {
  const { schema, value, label, isBare, onChange } = props
  const { code } = hintsOf(schema)
  if (code === undefined) return <JsonField {...props} />
  // A path such as `data.id` in a row needs no editor.
  if (isBare) return <TextField {...props} />
  return (
    <Input.Wrapper label={label} labelElement="div">
      <CodeEditor
        label={label}
        language={code}
        value={typeof value === "string" ? value : ""}
        onChange={(next) => onChange(next === "" ? undefined : next)}
      />
    </Input.Wrapper>
  )
}

function JsonField({ value, label, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const [isBroken, setBroken] = useState(false)
  const text = value === undefined ? "" : JSON.stringify(value, null, 2)
  const read = (next: string) => {
    try {
      const parsed = next.trim() === "" ? undefined : JSON.parse(next)
      setBroken(false)
      onChange(parsed)
    } catch {
      setBroken(true)
    }
  }
  return (
    <Input.Wrapper label={label} labelElement="div" error={isBroken && t.notJson}>
      <CodeEditor label={label} language="json" value={text} isLoose onChange={read} />
    </Input.Wrapper>
  )
}
