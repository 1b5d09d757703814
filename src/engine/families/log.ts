import type { Family } from '../family.ts'
import { isJsonLog, readJsonLog, viewOfEntry } from './log/ndjson.ts'
import { readHead } from './log/record.ts'
import { writeLog } from './log/write.ts'

const SAMPLE = 200
const FEWEST = 10

/** How many of the first lines begin an entry; `sure`: by a stamp or `level=`, since build tools print bare levels too. */
function sampleOf(lines: readonly string[]): { heads: number; sure: number; levels: number; all: number } {
  const sample = lines.slice(0, SAMPLE).filter((line) => line !== '' && !/^\s/.test(line))
  let sure = 0
  let levels = 0
  let heads = 0
  for (const line of sample) {
    const head = readHead(line)
    if (head === null) continue
    heads += 1
    if (head.level !== '') levels += 1
    if (head.stamp !== '' || /\blevel=/.test(line)) sure += 1
  }
  return { heads, sure, levels, all: sample.length }
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
    const { sure, levels, all } = sampleOf(lines)
    return all >= FEWEST && sure >= all * 0.7 && levels >= sure * 0.5
  },
  condense({ lines, silence, viewed }, draft) {
    const encoded = readJsonLog(lines)
    if (encoded) {
      viewed?.(encoded.texts)
      if (encoded.cut) draft.restate('incomplete: the last JSON line is cut off', [])
      const times = encoded.first === '' ? '' : ` from ${encoded.first} to ${encoded.last}`
      writeLog(encoded.texts, true, `JSON lines as text, fields ${encoded.fields}${times}; `, draft, silence)
      return 'log-json'
    }
    const { heads, all } = sampleOf(lines)
    if (heads < Math.max(3, all * 0.3)) return null
    writeLog(lines, false, '', draft, silence)
    return 'log'
  },
  view: viewOfEntry,
}
