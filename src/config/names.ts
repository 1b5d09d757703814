/** `maxContentBytes` as it stands in a configuration: `max_content_bytes`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `max_content_bytes` as the code has it: `maxContentBytes`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
