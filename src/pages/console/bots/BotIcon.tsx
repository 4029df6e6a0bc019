/** The icon of a bot: an emoji or a picture; without one, that of all bots. */
import { Avatar } from "@mantine/core"
import { Icon } from "../shell/Icon.tsx"

type Props = { bot: { icon: string | null; name: string }; size?: number }

export function BotIcon({ bot: { icon, name }, size = 36 }: Props) {
  const isPicture = icon !== null && /^(?:https?:|data:image\/)/.test(icon)
  return (
    <Avatar size={size} radius="sm" color="accent" src={isPicture ? icon : undefined} alt={name}>
      {icon !== null && !isPicture ? icon : <Icon name="bot" size={size * 0.6} />}
    </Avatar>
  )
}
