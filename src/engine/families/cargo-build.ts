import type { Family } from '../family.ts'
import { createFates } from '../strategies/fates.ts'
import { readBlock } from './rust/block.ts'
import { condenseRust, viewOfMessage } from './rust/condense.ts'
import { readMessage } from './rust/json.ts'

const STATUS = /^ {1,9}(?:Compiling|Checking) \S+ v\d|^ {1,9}Finished [`\w]/
/** Lines of the head and of the tail that are looked at. */
const SAMPLE = 200

/** `cargo build`, `check`, `clippy` and the like, in their human, short and JSON forms. */
export const cargoBuild: Family = {
  name: 'cargo-build',
  commands: ['cargo build', 'cargo b', 'cargo check', 'cargo c', 'cargo clippy', 'cargo rustc', 'cargo doc', 'rustc'],
  decides: false,
  detect(lines) {
    for (const part of [lines.slice(0, SAMPLE), lines.slice(-SAMPLE)]) {
      for (let i = 0; i < part.length; i += 1) {
        const line = part[i] ?? ''
        if (STATUS.test(line) || readMessage(line) !== null) return true
        if (readBlock(part, i)?.path.endsWith('.rs')) return true
      }
    }
    return false
  },
  condense({ lines }, draft) {
    const fates = createFates(lines)
    const { read, built } = condenseRust(lines, fates)
    if (!read.includes(1)) return null
    for (let i = 0; i < lines.length; i += 1) if (read[i] === 0 && lines[i] === '') fates.fold(i)
    if (!built) draft.restate('incomplete: the output ends before cargo says how the build went', [])
    fates.write(draft)
    return 'cargo-build'
  },
  view: viewOfMessage,
}
