/** Reads and writes the theme templates of a workspace. */
import { sql } from "kysely"
import type { Source } from "../connection/openDatabase.ts"
import type { NewRow, Row, RowChange } from "../schema/tables.ts"

export type ThemeTemplateRow = Row<"themeTemplates">

export type TemplateAddress = { workspaceId: string; templateId: string }

/** Lists the theme templates of a workspace, newest first. */
export async function listThemeTemplates(db: Source, workspaceId: string) {
  return await db.kysely
    .selectFrom("themeTemplates")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute()
}

export async function findThemeTemplate(db: Source, { workspaceId, templateId }: TemplateAddress) {
  return await db.kysely
    .selectFrom("themeTemplates")
    .selectAll()
    .where("id", "=", templateId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
}

/** Measures the theme templates of a workspace, but for the one of this id. */
export async function measureThemeTemplates(
  db: Source,
  { workspaceId, templateId }: TemplateAddress,
): Promise<{ count: number; bytes: number }> {
  return await db.kysely
    .selectFrom("themeTemplates")
    .select([
      sql<number>`count(*)::int`.as("count"),
      sql<number>`coalesce(sum(octet_length(theme::text)), 0)::float8`.as("bytes"),
    ])
    .where("workspaceId", "=", workspaceId)
    .where("id", "<>", templateId)
    .executeTakeFirstOrThrow()
}

export async function insertThemeTemplate(db: Source, template: NewRow<"themeTemplates">) {
  return await db.kysely
    .insertInto("themeTemplates")
    .values(template)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a theme template; undefined members stay. Returns undefined when the workspace has none of this id. */
export async function updateThemeTemplate(
  db: Source,
  { workspaceId, templateId }: TemplateAddress,
  changes: Pick<RowChange<"themeTemplates">, "name" | "theme">,
): Promise<ThemeTemplateRow | undefined> {
  return await db.kysely
    .updateTable("themeTemplates")
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .where("id", "=", templateId)
    .where("workspaceId", "=", workspaceId)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a theme template; bots stay as they look. Returns false if the workspace has no such template. */
export async function deleteThemeTemplate(
  db: Source,
  { workspaceId, templateId }: TemplateAddress,
): Promise<boolean> {
  const result = await db.kysely
    .deleteFrom("themeTemplates")
    .where("id", "=", templateId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
