/** The frame of everything but a single bot: a sidebar with the workspace, its views, and the user. */
import { ActionIcon, NavLink } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { createRoute, Link, Outlet, useLocation } from "@tanstack/react-router"
import { useEffect } from "react"
import { AccountMenu } from "./AccountMenu.tsx"
import { api } from "./api.ts"
import { homeTexts, homeViews } from "./homeViews.ts"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./iconNames.ts"
import { JumpButton } from "./JumpButton.tsx"
import { rootRoute } from "./rootRoute.tsx"
import { defineTexts, useTexts } from "./texts.ts"
import { WorkspaceMenu } from "./WorkspaceMenu.tsx"

const texts = defineTexts({
  en: {
    menu: "Menu",
    views: "Views",
    skip: "Skip to the content",
  },
  de: {
    menu: "Menü",
    views: "Ansichten",
    skip: "Zum Inhalt springen",
  },
})

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "home",
  component: HomeLayout,
})

function HomeLayout() {
  const t = useTexts(texts)
  const names = useTexts(homeTexts)
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const { data: me } = useQuery(api.user.getMe.queryOptions())
  // On a phone the menu lies above the view to which it leads.
  useEffect(close, [pathname])
  return (
    <div className="home" data-open={isOpen || undefined}>
      <a href="#content" className="skip">
        {t.skip}
      </a>
      <ActionIcon
        className="opener"
        size="lg"
        onClick={toggle}
        aria-label={t.menu}
        aria-expanded={isOpen}
      >
        <Icon name={isOpen ? "x" : "list"} />
      </ActionIcon>
      <aside className="sidebar">
        <WorkspaceMenu />
        <JumpButton />
        <nav aria-label={t.views}>
          {homeViews.map(
            ([to, name, icon]) =>
              isInMenu(name, me?.isOperator) && (
                <Place key={name} to={to} icon={icon} label={names[name]} />
              ),
          )}
        </nav>
        <AccountMenu />
      </aside>
      <main id="content">
        <Outlet />
      </main>
    </div>
  )
}

/** The account and new workspaces are in menus of their own. */
function isInMenu(name: keyof (typeof homeTexts)["en"], isOperator = false): boolean {
  if (name === "operator") return isOperator
  return name !== "account" && name !== "newWorkspace"
}

function Place({ to, icon, label }: { to: string; icon: IconName; label: string }) {
  const { pathname } = useLocation()
  const isHere = to === "/" ? pathname === "/" : pathname.startsWith(to)
  return (
    <NavLink
      renderRoot={(props) => <Link to={to} {...props} />}
      label={label}
      leftSection={<Icon name={icon} />}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      className="place"
    />
  )
}
