/** Picks a credential of the workspace, or makes one. */

import { Anchor, Group, Select } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { api } from "../../../shell/api.ts"
import { lazily } from "../../../shell/lazily.ts"
import { useTexts } from "../../../shell/texts.ts"
import { useIsTeam } from "../../../shell/useRole.ts"
import { useEditing } from "../../editing.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { helpOf, hintsOf, valueAt } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"

const NewCredential = lazily(() => import("./NewCredential.tsx").then((it) => it.NewCredential))

export function CredentialPicker({ schema, value, path, label, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const {
    bot: { workspaceId },
  } = useEditing()
  const mayPick = useIsTeam(workspaceId)
  const { Field, value: element } = useForm()
  const type = hintsOf(schema).credentials ?? ""
  const [isMaking, setMaking] = useState(false)
  const { data } = useQuery({
    ...api.credentials.list.queryOptions({ workspaceId }),
    enabled: mayPick,
  })
  const own = (data?.credentials ?? []).filter((each) => each.type === type)
  const id = typeof value === "string" && value !== "" ? value : undefined
  const isKnown = data === undefined || id === undefined || own.some((each) => each.id === id)
  const options = own.map(({ id: each, name }) => ({ value: each, label: name }))
  return (
    <div>
      <Select
        label={label}
        aria-description={helpOf(schema)}
        data={isKnown || !id ? options : [...options, { value: id, label: t.unknown(id) }]}
        value={id ?? null}
        onChange={(picked) => onChange(picked ?? undefined)}
        placeholder={id !== undefined && !mayPick ? t.chosen : t.none}
        disabled={!mayPick}
        description={mayPick ? undefined : t.ofTheTeam}
        clearable
        searchable={options.length > 8}
      />
      <Group gap="md" mt={4} display={mayPick ? undefined : "none"}>
        <Anchor component="button" type="button" size="xs" onClick={() => setMaking(true)}>
          {t.newCredential}
        </Anchor>
        <Anchor
          size="xs"
          c="dimmed"
          renderRoot={(props) => (
            <Link
              to="/workspace"
              search={{ workspace: workspaceId, part: "credentials" }}
              {...props}
            />
          )}
        >
          {t.allCredentials}
        </Anchor>
      </Group>
      {isMaking && (
        <Suspense>
          <NewCredential
            type={type}
            workspaceId={workspaceId}
            host={hostIn(valueAt(element, path.slice(0, -1)))}
            Field={Field}
            onClose={() => setMaking(false)}
            onMade={(made) => {
              setMaking(false)
              onChange(made)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The host that a request with these options goes to. */
function hostIn(options: unknown): string | undefined {
  const url = valueAt(options, ["webhook", "url"])
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : undefined
}
