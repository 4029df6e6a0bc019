/** CodeMirror as a field. */

import { javascript } from "@codemirror/lang-javascript"
import { json } from "@codemirror/lang-json"
import { basicSetup, EditorView } from "codemirror"
import { useEffect, useRef } from "react"
import { styleNonce } from "../../../shell/styleNonce.ts"
import { useForm } from "../blockForm.ts"
import classes from "../blocks.module.css"

type Given = {
  label: string
  language: "javascript" | "json" | "html" | "css"
  value: string
  /** True: the typed text stays, also when the value changes. */
  isLoose?: boolean
  onChange(value: string): void
}

const languages = { javascript: [javascript()], json: [json()], html: [], css: [] }

export function CodeEditor({ label, language, value, isLoose = false, onChange }: Given) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const { isReadOnly } = useForm()
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const editor = new EditorView({
      doc: value,
      parent: place.current ?? document.body,
      extensions: [
        basicSetup,
        languages[language],
        EditorView.cspNonce.of(styleNonce),
        EditorView.editable.of(!isReadOnly),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) latest.current(state.doc.toString())
        }),
      ],
    })
    view.current = editor
    return () => editor.destroy()
  }, [language, isReadOnly])
  useEffect(() => {
    const editor = view.current
    // What an undo or another author has changed; what is typed is already there.
    if (!editor || (isLoose && editor.hasFocus)) return
    const before = editor.state.doc.toString()
    if (before !== value)
      editor.dispatch({ changes: { from: 0, to: before.length, insert: value } })
  }, [value])
  return <div ref={place} className={classes.code} />
}
