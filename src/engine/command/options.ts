/** `--option` or `--option=value`, before `--`. */
export function hasLong(args: readonly string[], option: string): boolean {
  for (const arg of args) {
    if (arg === '--') return false
    if (arg === option || (arg.startsWith(option) && arg[option.length] === '=')) return true
  }
  return false
}

/** A letter in a cluster of short options: `-rc` holds c. @param valued letters that take the rest, or the next word */
export function hasShort(args: readonly string[], letter: string, valued: string): boolean {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--') return false
    if (!arg.startsWith('-') || arg.startsWith('--')) continue
    for (let k = 1; k < arg.length; k += 1) {
      const option = arg[k] ?? ''
      if (option === letter) return true
      if (valued.includes(option)) {
        // `sed -i` takes a value only where it is attached.
        if (k === arg.length - 1 && option !== 'i' && option !== 'E') i += 1
        break
      }
    }
  }
  return false
}
