/** The accounts of the service. */
import { Badge, Group } from "@mantine/core"
import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import rows from "../bots/rows.module.css"
import { api } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { Listing, SearchField } from "./Listing.tsx"

const texts = defineTexts({
  en: {
    find: "Mail address, name or id",
    none: "No account matches.",
    workspaces: (count: string) => `workspaces: ${count}`,
    made: (day: string) => `made ${day}`,
    used: (ago: string) => `last used ${ago}`,
    unused: "never used",
    operator: "Operator",
    disabled: "Disabled",
  },
  de: {
    find: "Mailadresse, Name oder ID",
    none: "Kein Konto passt.",
    workspaces: (count: string) => `Arbeitsbereiche: ${count}`,
    made: (day: string) => `angelegt ${day}`,
    used: (ago: string) => `zuletzt benutzt ${ago}`,
    unused: "nie benutzt",
    operator: "Betreiber",
    disabled: "Gesperrt",
  },
})

const route = getRouteApi("/home/operator")

export function UsersPart() {
  const t = useTexts(texts)
  const write = useWriting()
  const { q: search } = route.useSearch()
  const query = useInfiniteQuery(
    api.operator.listUsers.infiniteQueryOptions(search ? { search } : {}, {
      getNextPageParam: ({ nextCursor }) => nextCursor,
    }),
  )
  const users = query.data?.pages.flatMap((page) => page.users) ?? []
  return (
    <Listing query={query} none={t.none} filters={<SearchField placeholder={t.find} />}>
      {users.map(({ id, email, name, workspaces, createdAt, lastUsedAt, ...user }) => (
        <li key={id} className={rows.row}>
          <div className={rows.about}>
            <strong>{name ?? email}</strong>
            {name !== null && <small>{email}</small>}
            <small>
              {[
                t.workspaces(write.number(workspaces)),
                t.made(write.day(createdAt)),
                lastUsedAt ? t.used(write.ago(lastUsedAt)) : t.unused,
              ].join(" · ")}
            </small>
          </div>
          <Group gap={4}>
            {user.isOperator && <Badge>{t.operator}</Badge>}
            {user.isDisabled && <Badge color="red">{t.disabled}</Badge>}
          </Group>
        </li>
      ))}
    </Listing>
  )
}
