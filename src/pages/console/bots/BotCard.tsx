/** A bot in the list: its name as a link, whether it is live, its latest chats, and what to do with it. */
import { ActionIcon, Menu } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api, queryClient } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { notify, reportProblem } from "../shell/notify.ts"
import { useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { type ListedBot, useAsk } from "./askedDialog.ts"
import { BotIcon } from "./BotIcon.tsx"
import classes from "./BotsPage.module.css"
import { botsTexts } from "./botsTexts.ts"

type Props = {
  bot: ListedBot
  /** The folder that it is in, in lists that go across folders. */
  folder: string | undefined
  isSelected: boolean
  /** Absent: the user cannot change the bots of this workspace. */
  onSelect: ((isSelected: boolean) => void) | undefined
}

export function BotCard({ bot, folder, isSelected, onSelect }: Props) {
  const t = useTexts(botsTexts)
  const writing = useWriting()
  const { recentChats = 0 } = bot
  const state = bot.publishedBotId === undefined ? "draft" : bot.isClosed ? "closed" : "live"
  return (
    <li className={classes.card} data-selected={isSelected || undefined}>
      <div className={classes.cardTop}>
        <BotIcon bot={bot} size={36} />
        {onSelect && (
          <input
            type="checkbox"
            className={classes.check}
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
            aria-label={t.select(bot.name)}
          />
        )}
        <BotMenu bot={bot} canEdit={onSelect !== undefined} />
      </div>
      <h2 className={classes.cardName}>
        <Link to="/bots/$botId" params={{ botId: bot.id }} className={classes.lead}>
          {bot.name}
        </Link>
      </h2>
      <p className={classes.facts}>
        <span className={classes.state} data-state={state}>
          {t[state]}
        </span>
        <span>
          {recentChats === 0 ? t.noChats : t.chats(writing.number(recentChats), recentChats === 1)}
        </span>
      </p>
      <p className={classes.facts}>
        {folder !== undefined && (
          <span className={classes.inFolder}>
            <Icon name="folder" size={14} /> {folder}
          </span>
        )}
        <time dateTime={bot.updatedAt} title={writing.moment(bot.updatedAt)}>
          {t.changed(writing.ago(bot.updatedAt))}
        </time>
        {bot.accessRight !== "write" && <span>{t.readOnly}</span>}
      </p>
    </li>
  )
}

function BotMenu({ bot, canEdit }: { bot: ListedBot; canEdit: boolean }) {
  const t = useTexts(botsTexts)
  const ask = useAsk()
  const duplicate = useMutation(
    api.bot.duplicate.mutationOptions({
      onError: reportProblem,
      onSuccess: async ({ bot: copy }) => {
        await queryClient.invalidateQueries(api.bot.list.pathFilter())
        await notify({ message: t.duplicated(copy.name) })
      },
    }),
  )
  const params = { botId: bot.id }
  const mayWrite = bot.accessRight === "write"
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon className={classes.above} aria-label={t.botMenu(bot.name)}>
          <Icon name="ellipsis" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayWrite && (
          <Menu.Item
            leftSection={<Icon name="pencil" size={16} />}
            onClick={() => ask({ type: "renameBot", bot })}
          >
            {t.rename}
          </Menu.Item>
        )}
        {canEdit && (
          <>
            <Menu.Item
              leftSection={<Icon name="copy-plus" size={16} />}
              disabled={duplicate.isPending}
              onClick={() =>
                duplicate.mutate({ ...params, name: t.copyOf(bot.name.slice(0, 200)) })
              }
            >
              {t.duplicate}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="folder-input" size={16} />}
              onClick={() => ask({ type: "moveBots", bots: [bot] })}
            >
              {t.move}
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<Icon name="share-2" size={16} />}
          renderRoot={(props) => <Link to="/bots/$botId/share" params={params} {...props} />}
        >
          {t.share}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="table-2" size={16} />}
          renderRoot={(props) => <Link to="/bots/$botId/results" params={params} {...props} />}
        >
          {t.results}
        </Menu.Item>
        {mayWrite && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash-2" size={16} />}
              onClick={() => ask({ type: "removeBots", bots: [bot] })}
            >
              {t.remove}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
