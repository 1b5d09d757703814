import type { CommitHeading } from './commits.ts'

const AUTHOR = /^(.{1,200}) <([^<>]{0,200})>$/
const ZONE = / [+-]\d{4}$/

/** What many commits share, said once: their authors' addresses and the zone of their times. */
export interface Shared {
  /** The heading that says it; null where nothing is shared. */
  readonly heading: string | null
  /** A commit's headers on one line. */
  write(commit: CommitHeading): string
}

/** Fewer commits than this share nothing. */
const MANY = 4

export function shareAuthors(commits: readonly CommitHeading[]): Shared {
  const many = commits.length >= MANY
  const addresses = new Map<string, Set<string>>()
  const zones = new Set<string>()
  for (const { author, date } of many ? commits : []) {
    const match = AUTHOR.exec(author ?? '')
    if (match?.[1]) addresses.set(match[1], (addresses.get(match[1]) ?? new Set()).add(match[2] ?? ''))
    if (date !== null) zones.add(ZONE.exec(date)?.[0] ?? '')
  }
  const [zone = ''] = zones.size === 1 ? zones : []
  const authors = [...addresses].filter(([, of]) => of.size === 1).map(([name, of]) => `${name} <${[...of][0]}>`)
  const said = [
    ...(authors.length > 0 ? [`authors: ${authors.join(', ')}`] : []),
    ...(zone === '' ? [] : [`times: ${zone.trim()}`]),
  ]
  return {
    heading: said.length > 0 ? said.join('; ') : null,
    write({ text, merge, author, date }) {
      const match = AUTHOR.exec(author ?? '')
      const name = match?.[1] !== undefined && addresses.get(match[1])?.size === 1 ? match[1] : author
      const when = date !== null && zone !== '' ? date.slice(0, -zone.length) : date
      return [
        text,
        ...(merge === null ? [] : [`Merge: ${merge}`]),
        ...(name === null ? [] : [name]),
        ...(when === null ? [] : [when]),
      ].join(', ')
    },
  }
}
