/** Zendesk: opens the messaging widget, signed in when it is known who writes. */
import { isFailure, type Outcome } from "../../../calls.ts"
import { failureLog } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { actWithCredential, needsAccount, refusal, type Visit } from "../service.ts"
import { openCode } from "./clientCode.ts"
import { type ZendeskBlock, type ZendeskOptions, zendeskBlockSchema } from "./schema.ts"

export const zendeskBlock: Action<ZendeskBlock, "jwt"> = {
  kind: "action",
  schema: zendeskBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) => actWithCredential(block, context, { "Open Web Widget": signIn }),
  resume: {
    jwt: (block, outcome, context) =>
      actWithCredential<ZendeskOptions, "jwt">(block, context, {
        "Open Web Widget": (visit) => signedIn(visit, outcome),
      }),
  },
}

function signIn(visit: Visit<ZendeskOptions>): Step<"jwt"> {
  const { userId, name, email, webWidgetKey } = visit.options
  if (!webWidgetKey) return refusal("No key of the widget is given")
  if (!userId) return openWidget(visit, "")
  return {
    next: {
      call: {
        kind: "jwt",
        credential: visit.credential,
        key: "conversationsSecretKey",
        keyId: "conversationsKeyId",
        claims: {
          scope: "user",
          external_id: userId,
          ...(name ? { name } : {}),
          ...(email ? { email, email_verified: true } : {}),
        },
      },
    },
  }
}

function signedIn(visit: Visit<ZendeskOptions>, outcome: Outcome<"jwt">): Step {
  if (isFailure(outcome)) return { log: [failureLog(outcome, "While signing in at Zendesk")] }
  return openWidget(visit, outcome.token)
}

function openWidget({ options }: Visit<ZendeskOptions>, token: string): Step {
  const args = {
    isAuthEnabled: options.userId ? "true" : "false",
    token,
    key: options.webWidgetKey ?? "",
  }
  return { act: [{ type: "codeToExecute", codeToExecute: { args, content: openCode } }] }
}
