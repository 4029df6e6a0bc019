/** The account of the user. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/home/account")({ component: AccountPage })

function AccountPage() {
  return null
}
