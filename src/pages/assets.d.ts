/** Declares modules of the bundler: style sheets and scripts as texts, and a version. */

/** Changes whenever the script that is loaded on demand does. */
declare const ON_DEMAND_VERSION: string

/** Changes whenever a text of a catalogue does. */
declare const CATALOGUES_VERSION: string

declare module "*.css" {
  /** The style sheet, minified. */
  export const css: string
}

declare module "*?text" {
  /** The script with everything that it imports, minified. */
  export const source: string
}
