import type { Program } from '../command.ts'
import { hasLong, hasShort } from './options.ts'

/**
 * Whether the output was narrowed by hand: somebody chose the very fields, lines or counts that they want, so that there
 * is nothing to take away and their own parsing may rest on the form. The rule:
 * - `wc`, `jq`, `yq`, `awk`, `cut` (and their kin), `uniq -c`, `sed -n`, `grep -c` (`rg -c`, `--count`);
 * - a template of their own: git `--format=`, `--pretty=format:`; docker and podman `--format`, `inspect -f`; kubectl and oc
 *   `-o jsonpath|go-template|custom-columns|name`; `go list -f`; gh `--json`, `--jq`, `--template`; aws and az `--query`;
 *   gcloud `--format`; `find -printf`, `stat -c`, `ps -o`, `rpm --qf`, `dpkg-query -f`.
 * A search pattern (`| grep FAIL`), `head` and `tail` are no narrowing: what they leave still has the form it had.
 */
export function isNarrowed({ name, args }: Program): boolean {
  if (ALWAYS.has(name)) return true
  return RULES.get(name)?.(args) ?? false
}

const ALWAYS = new Set('wc jq yq gojq jaq awk gawk mawk nawk cut mlr xsv'.split(' '))

type Rule = (args: readonly string[]) => boolean

const grep = (args: readonly string[]): boolean =>
  hasShort(args, 'c', 'efmABCdD') || hasLong(args, '--count') || hasLong(args, '--only-matching')
const rg = (args: readonly string[]): boolean =>
  hasShort(args, 'c', 'efmABCgtTMjrdE') || hasLong(args, '--count') || hasLong(args, '--count-matches')
const container = (args: readonly string[]): boolean =>
  hasLong(args, '--format') || (args.includes('inspect') && args.includes('-f'))

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['uniq', (args) => hasShort(args, 'c', 'fsw') || hasLong(args, '--count')],
  ['sed', (args) => hasShort(args, 'n', 'efil') || hasLong(args, '--quiet') || hasLong(args, '--silent')],
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  ['zgrep', grep],
  ['rg', rg],
  ['git', gitTemplate],
  ['docker', container],
  ['podman', container],
  ['kubectl', kubectlTemplate],
  ['oc', kubectlTemplate],
  ['go', (args) => args.includes('list') && (args.includes('-f') || args.some((arg) => arg.startsWith('-f=')))],
  ['gh', (args) => ['--json', '--jq', '-q', '--template', '-t'].some((option) => hasLong(args, option))],
  ['aws', (args) => hasLong(args, '--query')],
  ['az', (args) => hasLong(args, '--query')],
  ['gcloud', (args) => hasLong(args, '--format')],
  ['find', (args) => args.includes('-printf')],
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
