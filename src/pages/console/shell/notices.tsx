/** The notices in the corner, in a tree of their own. */
import { MantineProvider } from "@mantine/core"
import { Notifications, notifications } from "@mantine/notifications"
import { createRoot } from "react-dom/client"
import { styleNonce } from "./styleNonce.ts"
import { contrasts, theme } from "./theme.ts"

const place = document.createElement("div")
document.body.append(place)
createRoot(place).render(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
    cssVariablesResolver={contrasts}
  >
    <Notifications position="bottom-right" />
  </MantineProvider>,
)

export const { show } = notifications
