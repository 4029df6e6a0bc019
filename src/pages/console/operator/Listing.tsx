/** A list of the service: how it is searched and filtered, its rows, and the next page. */
import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { getRouteApi } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import rows from "../bots/rows.module.css"
import { Icon } from "../shell/Icon.tsx"
import { Problem } from "../shell/Problem.tsx"
import { useTexts } from "../shell/texts.ts"
import { operatorTexts } from "./operatorTexts.ts"

const route = getRouteApi("/home/operator")
const pauseMs = 250

/** Words to search for, which the address keeps. */
export function SearchField({ placeholder }: { placeholder: string }) {
  const t = useTexts(operatorTexts)
  const { q = "" } = route.useSearch()
  const navigate = route.useNavigate()
  const [words, setWords] = useState(q)
  const searchSoon = useDebouncedCallback(
    (next: string) =>
      void navigate({ search: ({ q: _, ...rest }) => (next ? { ...rest, q: next } : rest) }),
    pauseMs,
  )
  return (
    <TextInput
      flex="3 1 16rem"
      type="search"
      aria-label={t.search}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={words}
      maxLength={255}
      onChange={({ currentTarget: { value } }) => {
        setWords(value)
        searchSoon(value.trim())
      }}
    />
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  /** The entry that filters nothing. */
  any: string
  options: readonly { value: Value; label: string }[]
  value: Value | undefined
  onChange(value: Value | undefined): void
}

/** One of a few values, or any. */
export function Choice<Value extends string>({
  label,
  any,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <Select
      flex="1 1 9rem"
      aria-label={label}
      data={[{ value: "", label: any }, ...options]}
      value={value ?? ""}
      allowDeselect={false}
      onChange={(next) => onChange(options.find((each) => each.value === next)?.value)}
    />
  )
}

type Props = {
  filters?: ReactNode
  query: {
    error: unknown
    isPending: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage(): unknown
  }
  /** Shown in place of rows. */
  none: string
  children: readonly ReactNode[]
}

export function Listing({ filters, query, none, children }: Props) {
  const t = useTexts(operatorTexts)
  return (
    <Stack>
      {filters && <Group gap="xs">{filters}</Group>}
      {query.error ? <Problem error={query.error} /> : null}
      {query.isPending && <Skeleton height={56} radius="md" />}
      {!query.isPending && !query.error && children.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {children.length > 0 && (
        <ul className={rows.rows} style={{ margin: 0 }}>
          {children}
        </ul>
      )}
      {query.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            {t.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
