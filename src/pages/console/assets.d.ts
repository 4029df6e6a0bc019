/** Declares modules of the bundler: styles, and the drawings of icons. */

declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: the bundler makes it one
  export default classes
}

declare module "*.css"

declare module "icons:*" {
  /** The contents of `svg` elements of 24 by 24, by name. */
  export const drawings: Readonly<Record<string, string>>
}
