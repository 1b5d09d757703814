import type { Change, StatusLine } from './changes.ts'

const V1 = /^([ MTADRCU][ MTADRCU]|\?\?|!!) (\S.*)$/
/** `1 XY sub mH mI mW hH hI path`, `2 … Xscore path<TAB>orig`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`. */
const V2_PLAIN =
  /^1 ([.MTADRCU]{2}) (N\.\.\.|S[.C][.M][.U]) (\d{6}) (\d{6}) (\d{6}) [0-9a-f]{40,64} [0-9a-f]{40,64} (.+)$/
const V2_RENAME =
  /^2 ([.MTADRCU]{2}) (N\.\.\.|S[.C][.M][.U]) (\d{6}) (\d{6}) (\d{6}) [0-9a-f]{40,64} [0-9a-f]{40,64} ([RC]\d{1,3}) ([^\t]+)\t(.+)$/
const V2_UNMERGED =
  /^u ([.MTADRCU]{2}) (N\.\.\.|S[.C][.M][.U]) \d{6} \d{6} \d{6} \d{6} [0-9a-f]{40,64} [0-9a-f]{40,64} [0-9a-f]{40,64} (.+)$/
const V2_OTHER = /^([?!]) (.+)$/

/** Reads porcelain 1 and 2; null where the text is neither. */
export function readPorcelain(lines: readonly string[]): StatusLine[] | null {
  const read: StatusLine[] = []
  for (const line of lines) {
    if (line.startsWith('# ') || line.startsWith('## ')) {
      read.push({ kind: 'keep' })
      continue
    }
    const change = changeOf(line)
    // A warning may stand among the paths; a text without any path is no status.
    read.push(change === null ? { kind: 'keep' } : { kind: 'change', change })
  }
  return read.some((line) => line.kind === 'change') ? read : null
}

function changeOf(line: string): Change | null {
  const v1 = V1.exec(line)
  if (v1?.[1] && v1[2]) return { label: v1[1], path: v1[2], counts: statesOf(v1[1]) }
  const other = V2_OTHER.exec(line)
  if (other?.[1] && other[2])
    return { label: other[1], path: other[2], counts: statesOf(other[1] === '?' ? '??' : '!!') }
  const plain = V2_PLAIN.exec(line)
  if (plain?.[1] && plain[6]) return labelled(plain[1], plain[2], plain.slice(3, 6), plain[6])
  const rename = V2_RENAME.exec(line)
  if (rename?.[1] && rename[7])
    return labelled(`${rename[1]} ${rename[6]}`, rename[2], rename.slice(3, 6), `${rename[7]} (from ${rename[8]})`)
  const unmerged = V2_UNMERGED.exec(line)
  if (unmerged?.[1] && unmerged[3])
    return { label: `u ${unmerged[1]}${subOf(unmerged[2])}`, path: unmerged[3], counts: ['conflicted'] }
  return null
}

const subOf = (sub: string | undefined): string => (sub === undefined || sub === 'N...' ? '' : ` ${sub}`)

/** A changed mode stands behind the state: `.T 100644>120000`. */
function labelled(state: string, sub: string | undefined, modes: readonly string[], path: string): Change {
  const [head, , work] = modes
  const real = modes.filter((mode) => mode !== '000000')
  const mode = new Set(real).size > 1 ? ` ${head}>${work === '000000' ? modes[1] : work}` : ''
  return { label: `${state}${subOf(sub)}${mode}`, path, counts: statesOf(state.slice(0, 2).replaceAll('.', ' ')) }
}

const UNMERGED = new Set(['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'])

function statesOf(state: string): string[] {
  if (state === '??') return ['untracked']
  if (state === '!!') return ['ignored']
  if (UNMERGED.has(state)) return ['conflicted']
  const states: string[] = []
  if (state[0] !== ' ') states.push('staged')
  if (state[1] === 'M') states.push('modified')
  else if (state[1] === 'D') states.push('deleted')
  else if (state[1] === 'T') states.push('typechange')
  else if (state[1] !== ' ') states.push('modified')
  return states
}
