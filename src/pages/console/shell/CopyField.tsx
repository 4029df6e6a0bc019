/** A text to copy: an address, a token, some code. */
import { ActionIcon, CopyButton, Tooltip } from "@mantine/core"
import classes from "./CopyField.module.css"
import { Icon } from "./Icon.tsx"
import { defineTexts, useTexts } from "./texts.ts"

const texts = defineTexts({
  en: { copy: "Copy", copied: "Copied" },
  de: { copy: "Kopieren", copied: "Kopiert" },
})

export function CopyField({ value, label }: { value: string; label: string }) {
  const t = useTexts(texts)
  return (
    <div className={classes.field}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it, too */}
      <pre tabIndex={0} title={label}>
        {value}
      </pre>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t.copied : t.copy}>
            <ActionIcon onClick={copy} aria-label={copied ? t.copied : t.copy}>
              <Icon name={copied ? "check" : "copy"} size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  )
}
