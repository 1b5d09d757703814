import { describe, expect, test } from 'vitest'
import { docker } from '../../../src/engine/families/docker.ts'
import { condensed, recorded, strategyOf } from './condensed.ts'

describe('builds', () => {
  test.each(['build-buildkit-fails', 'build-buildkit-parallel', 'build-buildkit-tty', 'build-classic-fails'])(
    '%s keeps the failing step and says no success',
    (name) => {
      const { text, command } = recorded('docker', name)
      const shown = condensed(text, command, 1)
      expect(strategyOf(text, command)).toBe('docker-build')
      expect(shown).not.toMatch(/success/i)
      expect(shown).toMatch(/exit code: [12]|non-zero code: 2/)
    },
  )

  test('cut off in a step, at any length, is said to be incomplete', () => {
    const lines = recorded('docker', 'build-buildkit-fails').text.split('\n')
    for (const length of [60, 70, 85]) {
      const shown = condensed(lines.slice(0, length).join('\n'), 'docker build .')
      expect(shown).toContain('incomplete: the output ends before step #9 does')
      expect(shown).toContain('#9 [5/5] RUN sh build.sh')
    }
    const classic = recorded('docker', 'build-classic-fails').text.split('\n').slice(0, 60)
    expect(condensed(classic.join('\n'), 'docker build .')).toContain(
      'incomplete: the output ends before the build does',
    )
  })

  test('warnings of the builder and the image stay', () => {
    const lines = ['#0 building with "default" instance using docker driver', '']
    for (let i = 1; i <= 20; i += 1)
      lines.push(`#${i} [${i}/20] RUN step ${i}`, `#${i} 0.1 said ${i}`, `#${i} DONE 0.1s`, '')
    lines.push(
      '#21 exporting to image',
      '#21 naming to docker.io/library/a:1 done',
      '#21 DONE 0.1s',
      '',
      ' 1 warning found (use docker --debug to expand):',
      ' - JSONArgsRecommended: JSON arguments recommended for CMD (line 3)',
    )
    const shown = condensed(lines.join('\n'), 'docker build -t a:1 .')
    expect(shown).toContain('naming to docker.io/library/a:1 done')
    expect(shown).toContain('JSONArgsRecommended')
    expect(shown).not.toContain('said 3')
  })
})

test('a whole build is not said to be incomplete for its heading', () => {
  const lines = ['#0 building with "default" instance using docker driver', '']
  for (let i = 1; i <= 20; i += 1) lines.push(`#${i} [${i}/20] RUN echo ${i}`, `#${i} CACHED`, '')
  lines.push('#21 exporting to image', '#21 naming to docker.io/library/x done', '#21 DONE 0.1s')
  const whole = condensed(lines.join('\n'), 'docker build --progress=plain .', 0)
  expect(whole).toContain('#21 naming to docker.io/library/x done')
  expect(whole).not.toContain('incomplete')
  const cut = condensed([...lines, '#22 pushing layers'].join('\n'), 'docker build --progress=plain .')
  expect(cut).toContain('incomplete: the output ends before step #22 does')
})

test('the classic builder: its warning stays', () => {
  const lines = Array.from({ length: 20 }, (_, i) => [`Step ${i + 1}/20 : RUN echo ${i}`, ' ---> Using cache']).flat()
  const warning = '[Warning] One or more build-args [FOO] were not consumed'
  expect(condensed([...lines, warning, 'Successfully built abcdef123456'].join('\n'), 'docker build .')).toContain(
    warning,
  )
})

test('a layer that was not ready when a pull was stopped keeps its last state', () => {
  const lines = Array.from({ length: 30 }, (_, i) => [
    `abcdef1234${i + 10}: Pulling fs layer`,
    `abcdef1234${i + 10}: Pull complete`,
  ]).flat()
  lines.push('abcdef123499: Pulling fs layer', 'abcdef123499: Downloading  12MB/90MB')
  const shown = condensed(lines.join('\n'), 'docker pull base:1.0', 137)
  expect(shown).toContain('abcdef123499: Downloading  12MB/90MB')
  expect(shown).not.toContain('complete')
})

describe('lists', () => {
  test('a container that was started again among old ones keeps its row', () => {
    const rows = Array.from(
      { length: 20 },
      (_, i) =>
        `abcdef1234${10 + i}   img:1     "run"     3 days ago   ${(i === 7 ? 'Up 2 seconds' : 'Up 3 days').padEnd(23)}           c${10 + i}`,
    )
    const header = 'CONTAINER ID   IMAGE     COMMAND   CREATED      STATUS                  PORTS     NAMES'
    const shown = condensed([header, ...rows].join('\n'), 'docker ps')
    expect(shown).toContain(rows[7])
    expect(shown).toContain('19 with STATUS Up 3 days, ')
  })

  test('a container that is not well keeps its row; the others are named', () => {
    const { text, command } = recorded('docker', 'ps-all')
    const shown = condensed(text, command)
    for (const row of text.split('\n').filter((line) => /unhealthy|Exited|Restarting|Paused|Created {2}/.test(line)))
      expect(shown).toContain(row)
    for (let i = 1; i <= 14; i += 1) expect(shown).toContain(`web-${i}`)
  })
})

test('text that only looks alike is no docker output', () => {
  expect(docker.detect(['# 1 introduction', '#2 see [1/5]', 'Step 1/3 : read this'])).toBe(false)
  expect(docker.detect(['NAME   STATUS', 'a      Up'])).toBe(false)
})
