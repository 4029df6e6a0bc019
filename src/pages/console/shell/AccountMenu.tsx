/** The user: their account, the look of the console, and the way out. */
import { Avatar, Group, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useRef } from "react"
import { api, formSecret } from "./api.ts"
import { Icon } from "./Icon.tsx"
import { looks, lookTexts } from "./looks.ts"
import { defineTexts, useTexts } from "./texts.ts"

const texts = defineTexts({
  en: {
    account: "Account",
    guide: "Guide",
    out: "Sign out",
  },
  de: {
    account: "Konto",
    guide: "Handbuch",
    out: "Abmelden",
  },
})

export function AccountMenu() {
  const t = useTexts(texts)
  const names = useTexts(lookTexts)
  const { data: me } = useSuspenseQuery(api.user.getMe.queryOptions())
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const form = useRef<HTMLFormElement>(null)
  const name = me.name ?? me.email
  return (
    <>
      <Menu width={236} position="top-start">
        <Menu.Target>
          <UnstyledButton className="switcher">
            <Group gap="xs" wrap="nowrap">
              <Avatar size={24} radius="xl" src={me.image} name={name} color="accent" />
              <Text size="sm" truncate flex={1}>
                {name}
              </Text>
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="user" />}
            renderRoot={(props) => <Link to="/account" {...props} />}
          >
            {t.account}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="info" />} component="a" href="/docs" target="_blank">
            {t.guide}
          </Menu.Item>
          <Menu.Divider />
          {(["light", "dark", "auto"] as const).map((look) => (
            <Menu.Item
              key={look}
              leftSection={<Icon name={looks[look]} />}
              rightSection={look === colorScheme && <Icon name="check" size={16} />}
              onClick={() => setColorScheme(look)}
            >
              {names[look]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="log-out" />} onClick={() => form.current?.submit()}>
            {t.out}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <form ref={form} method="post" action="/signOut" hidden>
        <input type="hidden" name="session" value={formSecret} />
      </form>
    </>
  )
}
