/** What the bundler makes of style sheets and of scripts that are handed on as text. */

declare module "*.css" {
  /** The style sheet, minified. */
  export const css: string
}

declare module "*?text" {
  /** The script with all that it imports, minified. */
  export const source: string
}
