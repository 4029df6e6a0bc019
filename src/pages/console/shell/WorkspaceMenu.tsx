/** Names the workspace at hand, and leads to the user's others. */
import { Avatar, Group, Menu, Text, UnstyledButton } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { Icon } from "./Icon.tsx"
import { defineTexts, useTexts } from "./texts.ts"
import { type ListedWorkspace, useWorkspaces } from "./useWorkspace.ts"

const texts = defineTexts({
  en: { none: "No workspace", add: "New workspace" },
  de: { none: "Kein Arbeitsbereich", add: "Neuer Arbeitsbereich" },
})

export function WorkspaceMenu() {
  const t = useTexts(texts)
  const { all, current } = useWorkspaces()
  return (
    <Menu width={236} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <Group gap="xs" wrap="nowrap">
            <WorkspaceIcon workspace={current} />
            <Text fw={600} size="sm" truncate flex={1}>
              {current?.name ?? t.none}
            </Text>
            <Icon name="chevrons-up-down" size={14} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map((workspace) => (
          <Menu.Item
            key={workspace.id}
            leftSection={<WorkspaceIcon workspace={workspace} />}
            rightSection={workspace.id === current?.id && <Icon name="check" size={16} />}
            renderRoot={(props) => <Link to="/" search={{ workspace: workspace.id }} {...props} />}
          >
            {workspace.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="plus" />}
          renderRoot={(props) => <Link to="/newWorkspace" {...props} />}
        >
          {t.add}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function WorkspaceIcon({ workspace }: { workspace: ListedWorkspace | undefined }) {
  const icon = workspace?.icon ?? ""
  const picture = /^https?:/.test(icon) ? icon : undefined
  return (
    <Avatar size={24} radius="sm" src={picture} name={workspace?.name} color="accent">
      {picture === undefined && icon !== "" ? icon : undefined}
    </Avatar>
  )
}
