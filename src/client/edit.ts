/** Edits of drafts as the service makes them, for builder apps that show theirs before it has answered. */
import type { inferRouterOutputs } from "@trpc/server"
import { applyEdits as apply, maxEdits as most } from "../engine/edit/applyEdits.ts"
import { takeMine as take } from "../engine/edit/conflicts.ts"
import { editsBetween as between } from "../engine/edit/editsBetween.ts"
import { elementsOf as elements } from "../engine/edit/elementsOf.ts"
import { rebaseEdits as rebase } from "../engine/edit/rebaseEdits.ts"
import type { AppRouter, Edit } from "../routers/app.ts"

export type { Edit }

type Bot = inferRouterOutputs<AppRouter>["bot"]["get"]["bot"]

/** What edits change of a bot; one that was read is a draft, too. */
export type Draft = Pick<
  Bot,
  | "version"
  | "events"
  | "groups"
  | "edges"
  | "variables"
  | "theme"
  | "settings"
  | "name"
  | "icon"
  | "publicId"
  | "customDomain"
  | "selectedThemeTemplateId"
  | "resultsTablePreferences"
  | "isClosed"
  | "whatsAppCredentialsId"
>

/** Max edits in one call. */
export const maxEdits: 500 = most

/** What edits make of a draft. */
export type AppliedEdits<D extends Draft = Draft> = {
  draft: D
  /** The edits that undo them, in the order in which they are to be applied. */
  inverses: Edit[]
  /** What the edits touched, as `elementsOf` names it, each once. */
  elements: string[]
}

/** What is thrown when an edit cannot be made. */
export type EditProblem = Error & {
  /** Which of the edits, counted from 0. */
  readonly index: number
  /** What it is about, such as `block:ID`. */
  readonly element: string
}

/**
 * Applies edits one after the other: all, or none when one cannot be made, which throws an `EditProblem`.
 * The given draft stays as it is; unchanged parts are shared with the new one.
 */
export const applyEdits: <D extends Draft>(draft: D, edits: readonly Edit[]) => AppliedEdits<D> =
  apply

/** The edits that turn one draft into another of the same version. */
export const editsBetween: (before: Draft, after: Draft) => Edit[] = between

/**
 * What an edit touches in a draft: `group:ID`, `group:ID/blocks`, `block:ID`, `edge:ID`, `variable:ID`,
 * `event:ID`, `theme.A.B`, `settings.A.B`, `bot.NAME`. Edits that touch nothing in common commute.
 */
export const elementsOf: (draft: Draft, edit: Edit) => string[] = elements

/** A member that two authors changed, or an element that one changed and the other removed. */
export type Conflict = {
  /** The element, as `elementsOf` names it. */
  element: string
  /** Path of the member in the element, where entries of lists are named by their ids; empty: the element itself. */
  path: readonly string[]
  before: unknown
  /** Undefined: this author removed it. */
  mine: unknown
  /** What the draft has now; undefined: the other author removed it. */
  theirs: unknown
  /** Absent: the member becomes `mine`. */
  edits?: readonly Edit[]
}

/** Edits on a draft that others have changed meanwhile. */
export type RebasedEdits = {
  /** What both keep: they can be applied to the present draft. */
  edits: Edit[]
  /** What cannot both be kept: the present draft stays as it is there. */
  conflicts: Conflict[]
}

/**
 * Rebases edits of the draft `before` onto `present`, which others have made of it. Changes of different members of
 * one element are merged; what both changed in different ways stays as the others made it, and is a conflict.
 */
export const rebaseEdits: (before: Draft, edits: readonly Edit[], present: Draft) => RebasedEdits =
  rebase

/** The edits that give a draft `mine` of a conflict after all; none: it has it, or it cannot be made any more. */
export const takeMine: (draft: Draft, conflict: Conflict) => Edit[] = take

/** Whether something was thrown because an edit cannot be made. */
export function isEditProblem(error: unknown): error is EditProblem {
  return error instanceof Error && error.name === "EditProblem"
}
