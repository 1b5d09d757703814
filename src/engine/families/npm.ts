import type { Family } from '../family.ts'
import { foldAlike, type KnownLine, whatOf } from '../strategies/known-lines.ts'
import { condenseJsonFrom, viewOfJson } from './json/condense.ts'

const KNOWN: readonly KnownLine[] = [
  [/^npm (?:http|sill|verb|timing|info) /, 'download progress'],
  [/^(?:Progress: resolved \d|\+{3,}-*$|-{3,}$|Downloading \S+: |\S+ {2}\| {2}Progress: )/, 'download progress'],
  [
    /^\[\d\/\d\] (?:\S+ {1,3})?(?:Resolving packages|Fetching packages|Linking dependencies|Building fresh packages|Validating package\.json)/,
    'download progress',
  ],
  [/^➤ YN0000: (?:┌|└|│ .{0,200}(?:can't be found in the cache|will be fetched|fetched from))/, 'download progress'],
  [
    /^ {2}(?:run `npm fund` for details|npm audit fix(?: --force)?)$|^\d+ packages? (?:is|are) looking for funding$/,
    'funding lines',
  ],
  [
    /^(?:To address (?:all )?issues.{0,60}, run:|Some issues need review, and may require choosing|a different dependency\.|Run `npm audit` for details\.|To see a list of supported npm commands)/,
    'advice',
  ],
  [
    /^npm notice(?:$| (?:New (?:major|minor|patch) version of npm|Changelog: |Run `?npm install -g npm|To update run: |Beginning [A-Z]\w+ \d))/,
    'notices',
  ],
  [
    /^npm (?:ERR!|error) A complete log of this run can be found in:?|^npm (?:ERR!|error) +\/\S+\/_logs\/\S+\.log$/,
    'advice',
  ],
  [/^npm (?:ERR!|error)$|^\s*$/, 'blank lines'],
  [/^info (?:No lockfile found|Visit https:|Direct dependencies$|All dependencies$)/, 'notices'],
]
const VERDICT =
  /^(?:(?:added|removed|changed|up to date)\b.{0,100}\bpackages?\b|up to date\b|npm (?:warn|WARN|error|ERR!) |# npm audit report$|Packages: [+-]\d|yarn install v\d|success Saved lockfile|found \d+ vulnerabilities)/

const INSTALLS = [
  'install',
  'i',
  'ci',
  'add',
  'audit',
  'update',
  'uninstall',
  'remove',
  'ls',
  'outdated',
  'dedupe',
  'prune',
]

/**
 * `npm`, `pnpm` and `yarn` as package managers: versions, deprecations, vulnerabilities, conflicts and the output of
 * failing scripts stay, download progress goes. What `npm run` and `npm test` print is another tool's.
 */
export const npm: Family = {
  name: 'npm',
  commands: ['npm', 'pnpm', 'yarn'].flatMap((program) => INSTALLS.map((word) => `${program} ${word}`)),
  decides: false,
  detect: (lines) => {
    const sample = [...lines.slice(0, 100), ...lines.slice(-100)]
    return (
      sample.length > 0 &&
      sample.filter((line) => VERDICT.test(line) || whatOf(line, KNOWN) !== null).length >= sample.length * 0.9
    )
  },
  condense({ lines }, draft) {
    if (/^[[{]/.test(lines[0] ?? '')) return condenseJsonFrom(lines, 0, draft)
    const texts: string[] = []
    const at: number[] = []
    const flush = (): void => {
      foldAlike(texts.splice(0), at.splice(0), draft)
    }
    lines.forEach((line, i) => {
      const what = whatOf(line, KNOWN)
      // Funding is a fact of its own: the count stays.
      if (what === null || /looking for funding$/.test(line)) {
        texts.push(line)
        at.push(i)
      } else {
        flush()
        draft.elide(what, [i])
      }
    })
    flush()
    return 'npm'
  },
  view: viewOfJson,
}
