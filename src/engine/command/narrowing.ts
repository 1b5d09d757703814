import type { Program } from '../command.ts'
import { hasLong, hasShort } from './options.ts'

/**
 * Whether the output was narrowed by hand: somebody chose the very fields, lines or counts that they want, so that there
 * is nothing to take away and their own parsing may rest on the form. The rule:
 * - `wc`, `jq`, `yq`, `awk`, `cut` (and their kin), `uniq -c`, `sed -n`, `grep -c` (`rg -c`, `--count`);
 * - a template of their own: git `--format=`, `--pretty=format:`; docker and podman `--format`, `inspect -f`; kubectl and oc
 *   `-o jsonpath|go-template|custom-columns|name`; `go list -f`; gh `--json`, `--jq`, `--template`; aws and az `--query`;
 *   gcloud `--format`; `find -printf`, `stat -c`, `ps -o`, `rpm --qf`, `dpkg-query -f`.
 * - names with a NUL between them: `find -print0`, `git … -z`, `grep -z` and `-Z`, `rg -0`, `sort -z`, `du -0`, `ls --zero`;
 * - what would be done, or what there is, in place of doing it: `make -n` and `-p`, `ninja -n` and `-t`, `gradle -m`,
 *   `go build -n`, `go test -list`, `tsc --listFilesOnly`, `pytest --collect-only`, `jest --listTests`, `ctest -N` and their kin.
 * A search pattern (`| grep FAIL`), `head` and `tail` are no narrowing: what they leave still has the form it had.
 */
export function isNarrowed({ name, args }: Program): boolean {
  if (ALWAYS.has(name)) return true
  return RULES.get(name)?.(args) ?? false
}

const ALWAYS = new Set('wc jq yq gojq jaq awk gawk mawk nawk cut mlr xsv'.split(' '))

type Rule = (args: readonly string[]) => boolean

/** Names or lines with a NUL between them: read by a program, not by eye. */
const zeroed =
  (letter: string, valued: string, option: string): Rule =>
  (args) =>
    hasShort(args, letter, valued) || hasLong(args, option)

const grep = (args: readonly string[]): boolean =>
  ['c', 'z', 'Z'].some((letter) => hasShort(args, letter, 'efmABCdD')) ||
  ['--null', '--null-data'].some((option) => hasLong(args, option)) ||
  hasLong(args, '--count') ||
  hasLong(args, '--only-matching')
const rg = (args: readonly string[]): boolean =>
  ['c', '0'].some((letter) => hasShort(args, letter, 'efmABCgtTMjrdE')) ||
  ['--null', '--null-data'].some((option) => hasLong(args, option)) ||
  hasLong(args, '--count') ||
  hasLong(args, '--count-matches')
const container = (args: readonly string[]): boolean =>
  hasLong(args, '--format') || (args.includes('inspect') && args.includes('-f'))

/** What may stand before or behind a subcommand, which is what a list or a dry run is asked for by. */
const listed =
  (...options: string[]): Rule =>
  (args) =>
    options.some((option) => hasLong(args, option))
const make: Rule = (args) =>
  hasShort(args, 'n', 'CfIoW') ||
  hasShort(args, 'p', 'CfIoW') ||
  ['--just-print', '--dry-run', '--recon', '--print-data-base'].some((option) => hasLong(args, option))
const ninja: Rule = (args) => hasShort(args, 'n', 'CfjkldwNt') || args.some((arg) => /^-t/.test(arg))
const gradle: Rule = (args) => hasShort(args, 'm', 'pbcxIgPDT') || hasLong(args, '--dry-run')
const tsc = listed('--listFilesOnly', '--showConfig', '--explainFiles')
/** Go's options have one dash or two. */
const goShows: Rule = (args) => {
  if (args.includes('list')) return args.some((arg) => /^--?f(?:=|$)/.test(arg))
  if (args.includes('test') && args.some((arg) => /^--?list(?:=|$)/.test(arg))) return true
  return (
    args.some((arg) => /^(?:build|test|vet|install|generate|clean)$/.test(arg)) &&
    args.some((arg) => /^--?n$/.test(arg))
  )
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['uniq', (args) => hasShort(args, 'c', 'fsw') || hasLong(args, '--count')],
  ['sed', (args) => hasShort(args, 'n', 'efil') || hasLong(args, '--quiet') || hasLong(args, '--silent')],
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  ['zgrep', grep],
  ['rg', rg],
  ['git', (args) => gitTemplate(args) || hasShort(args, 'z', 'CcSGLUOmFt') || hasLong(args, '--null')],
  ['docker', container],
  ['podman', container],
  ['kubectl', kubectlTemplate],
  ['oc', kubectlTemplate],
  ['go', goShows],
  ['make', make],
  ['gmake', make],
  ['ninja', ninja],
  ['gradle', gradle],
  ['gradlew', gradle],
  ['tsc', tsc],
  ['jest', listed('--listTests', '--showConfig')],
  ['vitest', (args) => args[0] === 'list'],
  ['playwright', listed('--list')],
  ['mocha', listed('--dry-run')],
  ['ctest', (args) => hasShort(args, 'N', 'DMTSCREULIjO') || hasLong(args, '--show-only')],
  ['cargo', (args) => args.includes('--list') || (args[0] === 'nextest' && args[1] === 'list')],
  ['pytest', listed('--collect-only', '--co', '--fixtures', '--markers')],
  ['eslint', listed('--print-config')],
  ['ruff', listed('--show-files', '--show-settings')],
  ['fd', zeroed('0', 'deEtSxXcjg', '--print0')],
  ['du', zeroed('0', 'dBtX', '--null')],
  ['ls', listed('--zero')],
  ['env', zeroed('0', 'uCS', '--null')],
  ['printenv', zeroed('0', '', '--null')],
  ['sort', zeroed('z', 'kStT', '--zero-terminated')],
  ['gh', (args) => ['--json', '--jq', '-q', '--template', '-t'].some((option) => hasLong(args, option))],
  ['aws', (args) => hasLong(args, '--query')],
  ['az', (args) => hasLong(args, '--query')],
  ['gcloud', (args) => hasLong(args, '--format')],
  ['find', (args) => ['-printf', '-fprintf', '-print0', '-fprint0'].some((option) => args.includes(option))],
  [
    'stat',
    (args) => hasLong(args, '--format') || hasLong(args, '--printf') || args.includes('-c') || args.includes('-f'),
  ],
  ['ps', (args) => args.some((arg) => /^-[A-Za-z]*o/.test(arg)) || hasLong(args, '--format')],
  ['rpm', (args) => hasLong(args, '--qf') || hasLong(args, '--queryformat')],
  ['dpkg-query', (args) => hasLong(args, '--showformat') || args.some((arg) => arg.startsWith('-f'))],
])

/** git's own forms, which a reader still finds in filtered output; everything else after `--format=` is a template. */
const GIT_FORMS = new Set('oneline short medium full fuller reference email raw mboxrd'.split(' '))

function gitTemplate(args: readonly string[]): boolean {
  return args.some((arg) => {
    const equals = arg.indexOf('=')
    const option = equals < 0 ? arg : arg.slice(0, equals)
    if (option !== '--format' && option !== '--pretty') return false
    return equals < 0 ? option === '--format' : !GIT_FORMS.has(arg.slice(equals + 1))
  })
}

function kubectlTemplate(args: readonly string[]): boolean {
  if (hasLong(args, '--template')) return true
  return args.some((arg, i) => {
    const attached = /^(?:-o=?|--output=)(.+)$/.exec(arg)?.[1]
    const form = attached ?? (arg === '-o' || arg === '--output' ? (args[i + 1] ?? '') : '')
    return /^(?:jsonpath|go-template|custom-columns|name$)/.test(form)
  })
}
