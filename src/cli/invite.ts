/** parley invite */
import { z } from "zod"
import { option, tell, word } from "./command.ts"
import { serviceCommand, workspaceIdOf } from "./withService.ts"

const roles = ["ADMIN", "MEMBER", "GUEST"] as const

const waysSchema = z.object({ ways: z.object({ mail: z.boolean(), openId: z.boolean() }) })

/** Invites a person into a workspace, and says how they come in, since no mail is sent. */
export const inviteCommand = serviceCommand({
  name: "invite",
  description: "Invite a person into a workspace",
  args: {
    email: word("Mail address of the person"),
    workspace: option("Id or name of the workspace (the only one)"),
    role: { ...option(`Role: ${roles.join(", ")}`), default: "MEMBER" },
  },
  run: async ({ email, workspace, role }, { client, url }) => {
    const type = roles.find((each) => each === role.toUpperCase())
    if (type === undefined) {
      throw new Error(`"${role}" is not a role: give one of ${roles.join(", ")}.`)
    }
    const workspaceId = await workspaceIdOf(client, workspace)
    const { invitation } = await client.workspace.invite.mutate({ workspaceId, email, type })
    const { mail, openId } = await waysAt(url)
    tell(`Invited ${invitation.email} as ${type}. No mail was sent.`)
    tell(
      mail || openId
        ? `Their first sign-in at ${url}/signIn accepts it.`
        : `Send them the link that \`parley login --email ${invitation.email}\` prints: it accepts the invitation.`,
    )
    tell("With an account, accept it in a builder or at /users/me/invitations.")
  },
})

/** The ways to sign in there. Without an answer, a link is the one that every service has. */
async function waysAt(url: string): Promise<{ mail: boolean; openId: boolean }> {
  const answer = await fetch(`${url}/signIn`, { headers: { accept: "application/json" } })
  const { data } = waysSchema.safeParse(await answer.json().catch(() => undefined))
  return data?.ways ?? { mail: false, openId: false }
}
