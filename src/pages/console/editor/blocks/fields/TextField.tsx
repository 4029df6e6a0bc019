/** A text, in which {{variables}} can be inserted where the chat replaces them. */

import { PasswordInput, Textarea, TextInput } from "@mantine/core"
import { useRef } from "react"
import type { FieldProps } from "../blockForm.ts"
import { helpOf, hintsOf } from "../blockSchema.ts"
import { InsertVariable } from "./InsertVariable.tsx"
import { UploadFile } from "./UploadFile.tsx"

/** Members that hold more than a line. */
const long =
  /^(?:body|content|prompt|instructions|additionalInstructions|systemMessage|message|text|description|toolDescription|retryMessageContent|query|input|additionalNotes)$/
const files = /^(?:url|imageUrl|pictureSrc|favIconUrl|avatarUrl)$/

export function TextField(props: FieldProps) {
  const { schema, value, path, isRequired, onChange, label } = props
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const { template, secret } = hintsOf(schema)
  const name = String(path.at(-1))
  const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
  const set = (next: string) => onChange(next === "" && !isRequired ? undefined : next)
  const insert = (token: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const from = selectionStart ?? text.length
    set(text.slice(0, from) + token + text.slice(selectionEnd ?? from))
    input.current?.focus()
  }
  const tools = [
    ...(files.test(name) && path[0] === "content" ? [<UploadFile key="file" onFile={set} />] : []),
    ...(template ? [<InsertVariable key="variable" onPick={insert} />] : []),
  ]
  const shown = {
    ref: input,
    label,
    ...(props.isBare && { "aria-label": schema.title, label: undefined }),
    placeholder: schema.default === undefined ? undefined : String(schema.default),
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
    ...(tools.length > 0 && {
      rightSection: <div style={{ display: "flex" }}>{tools}</div>,
      rightSectionWidth: 4 + tools.length * 28,
    }),
    ...(props.isBare && { placeholder: schema.title }),
    // For screen readers; others see it beside the field.
    "aria-description": helpOf(schema),
  }
  if (secret) return <PasswordInput {...shown} autoComplete="off" />
  return long.test(name) && !props.isBare ? (
    <Textarea {...shown} autosize minRows={2} maxRows={12} />
  ) : (
    <TextInput {...shown} />
  )
}
