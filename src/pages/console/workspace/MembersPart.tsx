/** Who is in a workspace, who is invited, and what they may do. */
import { ActionIcon, Avatar, Badge, Button, Group, Select, Text, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { api, type Inputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { issueAt, Problem, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import type { PartProps } from "./workspaceSearch.ts"

type Role = Inputs["workspace"]["invite"]["type"]

const texts = defineTexts({
  en: {
    title: "Members",
    about:
      "Admins manage people, credentials and limits. Members work on all bots. Guests see what is shared with them.",
    roles: { ADMIN: "Admin", MEMBER: "Member", GUEST: "Guest" },
    role: "Role",
    email: "Mail address",
    invite: "Invite",
    pending: "Invited",
    remove: "Remove",
    removing: (who: string) => `${who} loses access to the workspace. What they have made stays.`,
    withdraw: "Withdraw the invitation",
    withdrawing: (who: string) => `The invitation to ${who} no longer counts.`,
  },
  de: {
    title: "Mitglieder",
    about:
      "Admins verwalten Personen, Zugangsdaten und Grenzen. Mitglieder arbeiten an allen Bots. Gäste sehen, was mit ihnen geteilt ist.",
    roles: { ADMIN: "Admin", MEMBER: "Mitglied", GUEST: "Gast" },
    role: "Rolle",
    email: "Mailadresse",
    invite: "Einladen",
    pending: "Eingeladen",
    remove: "Entfernen",
    removing: (who: string) =>
      `${who} verliert den Zugang zum Arbeitsbereich. Was daraus entstanden ist, bleibt.`,
    withdraw: "Einladung zurückziehen",
    withdrawing: (who: string) => `Die Einladung an ${who} gilt nicht mehr.`,
  },
})

type Leaving = { kind: "member" | "invitation"; id: string; name: string }

export function MembersPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const members = useQuery(api.workspace.listMembers.queryOptions({ workspaceId }))
  const invitations = useQuery({
    ...api.workspace.listInvitations.queryOptions({ workspaceId }),
    retry: false,
  })
  const [leaving, setLeaving] = useState<Leaving>()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("MEMBER")
  const renew = async () => {
    setLeaving(undefined)
    await queries.invalidateQueries(api.workspace.pathFilter())
  }
  const renewing = { onSuccess: renew, onError: reportProblem }
  const update = useMutation({ ...api.workspace.updateMember.mutationOptions(), ...renewing })
  const change = useMutation({ ...api.workspace.updateInvitation.mutationOptions(), ...renewing })
  const remove = useMutation({ ...api.workspace.deleteMember.mutationOptions(), ...renewing })
  const withdraw = useMutation({
    ...api.workspace.deleteInvitation.mutationOptions(),
    ...renewing,
  })
  const invite = useMutation({
    ...api.workspace.invite.mutationOptions(),
    onSuccess: async () => {
      setEmail("")
      await renew()
    },
  })
  const roles = (["ADMIN", "MEMBER", "GUEST"] as const).map((value) => ({
    value,
    label: t.roles[value],
  }))
  const roleOf = (name: string, value: string, onChange: (role: Role) => void) => (
    <Select
      w={140}
      size="xs"
      data={roles}
      value={value}
      allowDeselect={false}
      aria-label={`${t.role}: ${name}`}
      onChange={(next) => next && onChange(next as Role)}
    />
  )
  return (
    <Card title={t.title} about={t.about}>
      {members.error && <Problem error={members.error} />}
      {members.data?.members.map(({ userId = "", role: has, user }) => {
        const name = user.name ?? user.email ?? ""
        return (
          <Person key={userId} name={name} email={user.email ?? ""} image={user.image ?? null}>
            {roleOf(name, has ?? "", (next) => update.mutate({ workspaceId, userId, role: next }))}
            <ActionIcon
              aria-label={`${t.remove}: ${name}`}
              onClick={() => setLeaving({ kind: "member", id: userId, name })}
            >
              <Icon name="x" size={16} />
            </ActionIcon>
          </Person>
        )
      })}
      {invitations.data?.invitations.map(({ id = "", email: invited = "", type = "MEMBER" }) => (
        <Person key={id} name={invited} email="" image={null}>
          <Badge color="gray">{t.pending}</Badge>
          {roleOf(invited, type, (next) =>
            change.mutate({ workspaceId, invitationId: id, type: next }),
          )}
          <ActionIcon
            aria-label={`${t.withdraw}: ${invited}`}
            onClick={() => setLeaving({ kind: "invitation", id, name: invited })}
          >
            <Icon name="x" size={16} />
          </ActionIcon>
        </Person>
      ))}
      {!invitations.error && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            invite.mutate({ workspaceId, email: email.trim(), type: role })
          }}
        >
          <Group align="start" gap="xs">
            <TextInput
              flex="1 1 14rem"
              type="email"
              aria-label={t.email}
              placeholder="name@example.com"
              value={email}
              onChange={({ currentTarget }) => {
                invite.reset()
                setEmail(currentTarget.value)
              }}
              error={invite.error && (issueAt(invite.error, "email") ?? sentenceOf(invite.error))}
            />
            <Select
              w={140}
              aria-label={t.role}
              data={roles}
              value={role}
              allowDeselect={false}
              onChange={(next) => next && setRole(next as Role)}
            />
            <Button type="submit" loading={invite.isPending} disabled={email.trim() === ""}>
              {t.invite}
            </Button>
          </Group>
        </form>
      )}
      <Confirm
        isOpen={leaving !== undefined}
        title={leaving?.kind === "member" ? t.remove : t.withdraw}
        text={(leaving?.kind === "member" ? t.removing : t.withdrawing)(leaving?.name ?? "")}
        action={leaving?.kind === "member" ? t.remove : t.withdraw}
        isPending={remove.isPending || withdraw.isPending}
        onConfirm={() => {
          if (leaving?.kind === "member") remove.mutate({ workspaceId, userId: leaving.id })
          else if (leaving) withdraw.mutate({ workspaceId, invitationId: leaving.id })
        }}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

type PersonProps = { name: string; email: string; image: string | null; children: ReactNode }

function Person({ name, email, image, children }: PersonProps) {
  return (
    <Group gap="sm">
      <Avatar size={32} src={image} name={name} color="accent" />
      <div style={{ flex: "1 1 9rem", minWidth: 0 }}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        {email !== name && (
          <Text size="xs" c="dimmed" truncate>
            {email}
          </Text>
        )}
      </div>
      <Group gap="sm" wrap="nowrap">
        {children}
      </Group>
    </Group>
  )
}
