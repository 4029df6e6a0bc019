/** The hosts that the secrets of a credential may be sent to, besides those of its provider. */
import { TagsInput } from "@mantine/core"
import { issueAt } from "../../../shell/Problem.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { blockTexts } from "../blockTexts.ts"

type Props = {
  value: string[]
  /** Of the change that was refused. */
  error: unknown
  onChange(hosts: string[]): void
}

export function HostsField({ value, error, onChange }: Props) {
  const t = useTexts(blockTexts)
  const issues = value.map((_, at) => issueAt(error, `credentials.allowedHosts.${at}`))
  return (
    <TagsInput
      label={t.hosts}
      description={t.hostsWhy}
      placeholder={value.length === 0 ? "api.example.com" : undefined}
      acceptValueOnBlur
      value={value}
      error={issues.find((issue) => issue !== undefined)}
      onChange={onChange}
    />
  )
}
