import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import {
  condenseBuildKit,
  condenseClassic,
  condenseDisplay,
  isBuildDisplay,
  isBuildKit,
  isClassic,
} from './docker/build.ts'
import { condenseContainers, condenseImages } from './docker/tables.ts'
import { condenseJsonFrom, viewOfJson } from './json/condense.ts'

const LAYER =
  /^\s*([0-9a-f]{12}):? (?:Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists|Preparing|Pushing|Pushed|Layer already exists|Mounted from )/
/** The last state of a layer that is there, or was sent. */
const LAYER_DONE = /^\s*[0-9a-f]{12}:? (?:Pull complete|Already exists|Pushed|Layer already exists|Mounted from )/

/** Layers go; of one that was not ready at the end its last state stays. */
function condenseLayers(lines: readonly string[], draft: Draft): void {
  const last = new Map<string, number>()
  lines.forEach((line, i) => {
    const layer = LAYER.exec(line)?.[1]
    if (layer !== undefined) last.set(layer, i)
  })
  const open = new Set([...last.values()].filter((i) => !LAYER_DONE.test(lines[i] ?? '')))
  lines.forEach((line, i) => {
    if (LAYER.test(line) && !open.has(i)) draft.elide('layer progress', [i])
    else draft.keep(i)
  })
}

const isTable = (lines: readonly string[]): boolean =>
  /^CONTAINER ID {2,}IMAGE {2,}COMMAND {2,}|^REPOSITORY {2,}TAG {2,}IMAGE ID {2,}/.test(lines[0] ?? '')

/**
 * `docker` and its like: builds keep the failing step with its output and what was built; lists keep every container
 * that is not well, and name the others.
 */
export const docker: Family = {
  name: 'docker',
  commands: ['docker', 'docker compose', 'podman', 'docker-compose', 'buildah'].flatMap((program) =>
    ['build', 'buildx build', 'ps', 'images', 'image ls', 'container ls', 'pull', 'push', 'up'].map(
      (word) => `${program} ${word}`,
    ),
  ),
  decides: false,
  detect: (lines) =>
    isBuildKit(lines) || isTable(lines) || (isClassic(lines) && lines.some((line) => line.startsWith(' ---> '))),
  condense({ lines }, draft) {
    if (isBuildKit(lines)) {
      condenseBuildKit(lines, draft)
      return 'docker-build'
    }
    if (isBuildDisplay(lines)) {
      condenseDisplay(lines, draft)
      return 'docker-build'
    }
    if (isClassic(lines)) {
      condenseClassic(lines, draft)
      return 'docker-build'
    }
    if (lines.some((line) => LAYER.test(line))) {
      condenseLayers(lines, draft)
      return 'docker-layers'
    }
    if (/^[[{]/.test(lines[0] ?? '')) return condenseJsonFrom(lines, 0, draft)
    return condenseImages(lines, draft) ?? condenseContainers(lines, draft)
  },
  view: (line) => viewOfJson(line).replace(/^#\d{1,6} (?:\d{1,8}\.\d{1,6} )?/, ''),
}
