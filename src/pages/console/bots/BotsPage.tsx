/** The bots of a workspace. */
import { Container, Title } from "@mantine/core"
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/home/")({ component: BotsPage })

function BotsPage() {
  return (
    <Container size="lg" py="xl">
      <Title order={1} size="h2">
        Bots
      </Title>
    </Container>
  )
}
