/** Publishing of a bot, where people find it, and who works on it. */
import { Container } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { createLazyRoute } from "@tanstack/react-router"
import { api } from "../shell/api.ts"
import { useIsTeam } from "../shell/useRole.ts"
import { AddressCard } from "./AddressCard.tsx"
import { CollaboratorsCard } from "./CollaboratorsCard.tsx"
import { DomainCard } from "./DomainCard.tsx"
import { EmbedCard } from "./EmbedCard.tsx"
import { PublishCard } from "./PublishCard.tsx"
import classes from "./SharePage.module.css"

export const Route = createLazyRoute("/bots/$botId/share")({ component: SharePage })

function SharePage() {
  const { botId } = Route.useParams()
  const { data } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const { bot, currentUserMode } = data
  const mayEdit = currentUserMode === "write"
  const isTeam = useIsTeam(bot.workspaceId)
  return (
    <Container>
      <div className={classes.cards}>
        <div>
          <PublishCard bot={bot} mayEdit={mayEdit} />
          {isTeam && <CollaboratorsCard bot={bot} />}
        </div>
        <div>
          <AddressCard bot={bot} mayEdit={mayEdit} />
          {bot.publicId && <EmbedCard publicId={bot.publicId} name={bot.name} />}
          <DomainCard bot={bot} mayEdit={mayEdit} />
        </div>
      </div>
    </Container>
  )
}
