/** The folders inside the folder at hand, and the way back to those around it. */
import { ActionIcon, Menu } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { Fragment } from "react"
import { Icon } from "../shell/Icon.tsx"
import { useTexts } from "../shell/texts.ts"
import { type Folder, useAsk } from "./askedDialog.ts"
import classes from "./BotsPage.module.css"
import { botsTexts } from "./botsTexts.ts"

/** From the outermost folder to this one. */
export function pathTo(folders: readonly Folder[], id: string | null | undefined): Folder[] {
  const folder = folders.find((each) => each.id === id)
  return folder === undefined ? [] : [...pathTo(folders, folder.parentFolderId), folder]
}

/** The title of the view: "Bots", or the way to a folder. */
export function FolderPath({ path }: { path: readonly Folder[] }) {
  const t = useTexts(botsTexts)
  const here = path.at(-1)
  if (here === undefined) return <h1 className={classes.title}>{t.bots}</h1>
  return (
    <div className={classes.path}>
      <nav aria-label={t.path}>
        <Link to="/" search={{}} className={classes.around}>
          {t.bots}
        </Link>
        {path.slice(0, -1).map(({ id, name }) => (
          <Fragment key={id}>
            <Icon name="chevron-right" size={14} />
            <Link to="/" search={{ folder: id }} className={classes.around}>
              {name}
            </Link>
          </Fragment>
        ))}
        <Icon name="chevron-right" size={14} />
      </nav>
      <h1 className={classes.title}>{here.name}</h1>
      <FolderMenu folder={here} />
    </div>
  )
}

export function FolderList({ folders }: { folders: readonly Folder[] }) {
  const t = useTexts(botsTexts)
  if (folders.length === 0) return null
  return (
    <ul className={classes.folders} aria-label={t.folders}>
      {folders.map((folder) => (
        <li key={folder.id} className={classes.folder}>
          <Icon name="folder" />
          <Link
            to="/"
            search={{ folder: folder.id }}
            className={`${classes.folderName} ${classes.lead}`}
          >
            {folder.name}
          </Link>
          <FolderMenu folder={folder} />
        </li>
      ))}
    </ul>
  )
}

function FolderMenu({ folder }: { folder: Folder }) {
  const t = useTexts(botsTexts)
  const ask = useAsk()
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon className={classes.above} aria-label={t.folderMenu(folder.name)}>
          <Icon name="ellipsis" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="pencil" size={16} />}
          onClick={() => ask({ type: "renameFolder", folder })}
        >
          {t.rename}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="folder-input" size={16} />}
          onClick={() => ask({ type: "moveFolder", folder })}
        >
          {t.move}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<Icon name="trash-2" size={16} />}
          onClick={() => ask({ type: "removeFolder", folder })}
        >
          {t.removeFolder}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
