/** The code that puts a bot into another page. */
import { Tabs, Text } from "@mantine/core"
import { Card } from "../shell/Card.tsx"
import { CopyField } from "../shell/CopyField.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"

const texts = defineTexts({
  en: {
    title: "Embed",
    about: "Copy this into a page of yours.",
    kinds: {
      inline: "Inline",
      bubble: "Bubble",
      popup: "Popup",
      react: "React",
      iframe: "Iframe",
    },
    words: {
      inline: "A chat within the page, as large as its container.",
      bubble: "A button in the corner that opens the chat.",
      popup: "A dialog that opens after three seconds.",
      react: "The same element in a component.",
      iframe: "For sites that allow no scripts of others.",
    },
    code: "Code",
  },
  de: {
    title: "Einbetten",
    about: "Kopiere das in eine Seite von dir.",
    kinds: {
      inline: "In der Seite",
      bubble: "Blase",
      popup: "Dialog",
      react: "React",
      iframe: "Iframe",
    },
    words: {
      inline: "Ein Gespräch in der Seite, so groß wie sein Behälter.",
      bubble: "Ein Knopf in der Ecke, der das Gespräch öffnet.",
      popup: "Ein Dialog, der sich nach drei Sekunden öffnet.",
      react: "Dasselbe Element in einer Komponente.",
      iframe: "Für Seiten, die keine fremden Skripte erlauben.",
    },
    code: "Code",
  },
})

type Kind = keyof (typeof texts)["en"]["kinds"]

const kinds: readonly Kind[] = ["inline", "bubble", "popup", "react", "iframe"]

export function EmbedCard({ publicId, name }: { publicId: string; name: string }) {
  const t = useTexts(texts)
  return (
    <Card title={t.title} about={t.about}>
      <Tabs defaultValue="inline">
        <Tabs.List mb="sm">
          {kinds.map((kind) => (
            <Tabs.Tab key={kind} value={kind}>
              {t.kinds[kind]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map((kind) => (
          <Tabs.Panel key={kind} value={kind}>
            <Text size="sm" c="dimmed" mb="xs">
              {t.words[kind]}
            </Text>
            <CopyField value={codeOf(kind, { publicId, name })} label={t.code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}

function codeOf(kind: Kind, bot: { publicId: string; name: string }): string {
  const { origin } = location
  const id = escaped(bot.publicId)
  const script = `<script src="${origin}/embed.js"></script>`
  const codes: Readonly<Record<Kind, string>> = {
    inline: `${script}
<div style="height: 600px"><parley-chat bot="${id}"></parley-chat></div>`,
    bubble: `${script}
<parley-bubble bot="${id}"></parley-bubble>`,
    popup: `${script}
<parley-popup bot="${id}" open-after-ms="3000"></parley-popup>`,
    react: `// Once, in the page: ${script}
<parley-chat bot=${JSON.stringify(bot.publicId)} style={{ height: 600 }} />`,
    iframe: `<iframe src="${origin}/chat/${encodeURIComponent(bot.publicId)}" title="${escaped(bot.name)}"
  style="border: 0; width: 100%; height: 600px" allow="microphone; camera"></iframe>`,
  }
  return codes[kind]
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
}
