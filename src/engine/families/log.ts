import type { Family } from '../family.ts'
import { isJsonLog, readJsonLog, viewOfEntry } from './log/ndjson.ts'
import { readHead } from './log/record.ts'
import { writeLog } from './log/write.ts'

const SAMPLE = 200
const FEWEST = 10

/** Lines that begin an entry, by what makes them one. */
function sampleOf(lines: readonly string[]): { heads: number; levels: number; all: number } {
  const sample = lines.slice(0, SAMPLE).filter((line) => line !== '' && !/^\s/.test(line))
  const heads = sample.map(readHead).filter((head) => head !== null && (head.stamp !== '' || head.level !== ''))
  return { heads: heads.length, levels: heads.filter((head) => head?.level !== '').length, all: sample.length }
}

/**
 * Logs of services: stamped lines, lines with levels, JSON lines. Like lines become one with the values that differ; each
 * different error and trace stays.
 */
export const log: Family = {
  name: 'log',
  commands: [
    ...['docker', 'docker compose', 'docker-compose', 'podman', 'kubectl', 'oc', 'heroku', 'fly'].map(
      (name) => `${name} logs`,
    ),
    'journalctl',
    'dmesg',
    'stern',
  ],
  decides: false,
  budgeted: true,
  detect(lines) {
    if (isJsonLog(lines)) return true
    const { heads, levels, all } = sampleOf(lines)
    return all >= FEWEST && heads >= all * 0.7 && levels >= heads * 0.5
  },
  condense({ lines }, draft) {
    const encoded = readJsonLog(lines)
    if (encoded) {
      if (encoded.cut) draft.restate('incomplete: the last JSON line is cut off', [])
      const times = encoded.first === '' ? '' : ` from ${encoded.first} to ${encoded.last}`
      writeLog(encoded.texts, true, `JSON lines as text, fields ${encoded.fields}${times}; `, draft)
      return 'log-json'
    }
    const { heads, all } = sampleOf(lines)
    if (heads < Math.max(3, all * 0.3)) return null
    writeLog(lines, false, '', draft)
    return 'log'
  },
  view: viewOfEntry,
}
