/** The release; the same as in package.json, which bundles don't carry. */
export const VERSION = '0.1.0'
