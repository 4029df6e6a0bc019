/** The frame of everything but a single bot: a sidebar with the workspace, its views, and the user. */
import { ActionIcon, NavLink } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { createRoute, Link, Outlet, useLocation } from "@tanstack/react-router"
import { useEffect } from "react"
import { AccountMenu } from "./AccountMenu.tsx"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./iconNames.ts"
import { rootRoute } from "./rootRoute.tsx"
import { defineTexts, useTexts } from "./texts.ts"
import { WorkspaceMenu } from "./WorkspaceMenu.tsx"

const texts = defineTexts({
  en: {
    menu: "Menu",
    views: "Views",
    bots: "Bots",
    shared: "Shared with you",
    bin: "Bin",
    workspace: "Workspace",
    skip: "Skip to the content",
  },
  de: {
    menu: "Menü",
    views: "Ansichten",
    bots: "Bots",
    shared: "Mit dir geteilt",
    bin: "Papierkorb",
    workspace: "Arbeitsbereich",
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
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
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
        <nav aria-label={t.views}>
          <Place to="/" icon="bot" label={t.bots} />
          <Place to="/shared" icon="users" label={t.shared} />
          <Place to="/bin" icon="trash-2" label={t.bin} />
          <Place to="/workspace" icon="settings" label={t.workspace} />
        </nav>
        <AccountMenu />
      </aside>
      <main id="content">
        <Outlet />
      </main>
    </div>
  )
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
