import { expect, test } from 'vitest'
import { kubectl } from '../../../src/engine/families/kubectl.ts'
import { condensed, recorded, strategyOf } from './condensed.ts'

test.each([
  ['get-pods', 'kubectl-get'],
  ['get-pods-wide', 'kubectl-get'],
  ['get-events', 'kubectl-events'],
  ['describe-pods-all', 'kubectl-describe'],
  ['get-pods-json', 'json-columns'],
  ['logs', 'log'],
])('%s is condensed by %s', (name, strategy) => {
  const { text, command } = recorded('kubectl', name)
  expect(strategyOf(text, command)).toBe(strategy)
})

const HEADER = 'NAME            READY   STATUS    RESTARTS      AGE'
const pods = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `web-${String(i).padEnd(10)}  1/1     Running   0             3d`)

test('rows that run but are not ready, or restarted, stay whole', () => {
  const odd = [
    'slow-1          0/1     Running   0             3d',
    'again-1         1/1     Running   7 (2m ago)    3d',
    'gone-1          1/1     Running   0             3d   ',
    'broken-1        1/1     Error     0             3d',
  ]
  const shown = condensed([HEADER, ...pods(30), ...odd].join('\n'), 'kubectl get pods')
  for (const row of [odd[0], odd[1], odd[3]]) expect(shown).toContain(row)
  expect(shown).toMatch(/31 with READY 1\/1, STATUS Running, RESTARTS 0 \(AGE left out\): web-0 web-1 /)
  expect(shown).toContain('gone-1')
})

test('a pod that was made again among old ones keeps its row', () => {
  const young = 'new-1           1/1     Running   0             12s'
  expect(condensed([HEADER, ...pods(30), young].join('\n'), 'kubectl get pods')).toContain(young)
})

test.each(['NodeNotReady', 'Killing', 'Preempted'])('a normal event that is no routine stays: %s', (reason) => {
  const row = (r: string, text: string): string => `3m          Normal   ${r.padEnd(14)} pod/a-10        ${text}`
  const header = 'LAST SEEN   TYPE     REASON         OBJECT          MESSAGE'
  const odd = row(reason, 'node/worker-7 it said')
  const shown = condensed(
    [header, ...Array.from({ length: 30 }, (_, i) => row('Pulled', `image ${i}`)), odd].join('\n'),
    'kubectl get events',
  )
  expect(shown).toContain(odd)
  expect(shown).toContain('normal events (in all 30 Pulled)')
})

test('a table without a state is left as it is', () => {
  const rows = Array.from({ length: 40 }, (_, i) => `config-${String(i).padEnd(6)}   ${i}      3d`)
  const shown = condensed(['NAME            DATA   AGE', ...rows].join('\n'), 'kubectl get configmaps')
  for (const row of rows) expect(shown).toContain(row)
})

test('apply names what did not change', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `configmap/settings-${i} unchanged`)
  const shown = condensed(
    ['deployment.apps/web configured', ...lines, 'error: unable to recognize "x.yaml"'].join('\n'),
    'kubectl apply -f .',
  )
  expect(shown).toContain('deployment.apps/web configured')
  expect(shown).toContain('30 unchanged: configmap/settings-0 configmap/settings-1 ')
  expect(shown).toContain('error: unable to recognize "x.yaml"')
})

test('text that only looks alike is no kubectl output', () => {
  expect(kubectl.detect(['NAME   VALUE', 'a      1'])).toBe(false)
})
