/** Declares the imports that the bundler turns into text: style sheets and scripts. */

declare module "*.css" {
  /** The style sheet, minified. */
  export const css: string
}

declare module "*?text" {
  /** The script with everything that it imports, minified. */
  export const source: string
}
