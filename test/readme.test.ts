import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeSettings } from '../src/config/describe.ts'
import { planFilter, renderFilter } from '../src/engine/index.ts'
import { defaultSettings } from '../src/service/settings.ts'
import { type Spawned, spawnServer } from './runtime/servers.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const samples = [
  ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```(sh|ts)( \w+)?\n([\s\S]*?)^```$/gm),
].map(([, language, flag, code]) => ({ language, flag: flag?.trim() ?? '', code: code ?? '' }))
const work = mkdtempSync(join(tmpdir(), 'readme-'))
let server: Spawned

beforeAll(async () => {
  server = await spawnServer(process.execPath, ['src/entry/node.ts'], {})
})
afterAll(async () => {
  await server.stop()
  rmSync(work, { recursive: true })
})

function run(program: string, args: string[]): string {
  const done = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, SPILLWAY_URL: server.url, SPILLWAY_API_KEY: '' },
  })
  expect(done.stderr, 'standard error').toBe('')
  expect(done.status).toBe(0)
  return done.stdout
}

/** Settings that have no value of their own to print at their defaults. */
const NOT_PRINTED = [
  'mask.preset',
  'mask.bounds.KEY.min',
  'mask.bounds.KEY.max',
  'store.tenants.NAME.ttl_days',
  'limits.rate.requests',
  'limits.rate.per_seconds',
  'guard.http.url',
  'guard.http.headers',
  'guard.http.timeout_ms',
  'guard.http.fail_mode',
]
/** Told once for all by a name in capitals. */
const BY_KEY = /^(?:mask\.bounds\.\w+|store\.tenants|guard\.http)$/

function nameTold(row: string): string[] {
  const name = row.slice(0, row.indexOf(':'))
  return BY_KEY.test(name) ? [] : [name]
}

/** The settings in the README's tables: in a row of several the first says the section. */
function settingsTold(): Set<string> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const told = new Set<string>()
  for (const [, cell = ''] of readme.matchAll(/^\| (`(?:hint|[a-z]+\.[\w.]+)`(?:, `[\w.]+`)*) +\|/gm)) {
    const [first = '', ...others] = [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
    const section = first.slice(0, first.lastIndexOf('.') + 1)
    told.add(first)
    for (const name of others) told.add(`${section}${name.replace(/^\./, '')}`)
  }
  return told
}

function runModule(code: string): string {
  const file = join(work, 'library.mts')
  const source = code
    .replaceAll(/'spillway\/(\w+)'/g, (_, part) => JSON.stringify(join(root, `src/${part}/index.ts`)))
    .replaceAll("'spillway'", JSON.stringify(join(root, 'src/engine/index.ts')))
  writeFileSync(file, source)
  return run(process.execPath, [file])
}

describe("the README's samples", () => {
  test('filter and recall by curl', () => {
    const sample = samples.find(({ language, code }) => language === 'sh' && code.includes('127.0.0.1:8787/v1/filter'))
    const script = (sample?.code ?? '').replaceAll('http://127.0.0.1:8787', server.url).replaceAll('/tmp/', `${work}/`)
    const printed = run('bash', ['--norc', '-euc', script])
    expect(printed).toContain('[filtered: ')
    expect(printed).toContain('recalled byte for byte')
  })

  test('filter, mask and recall by fetch', () => {
    const sample = samples.find(({ language, flag }) => language === 'ts' && flag === '')
    const file = join(work, 'agent.mts')
    writeFileSync(file, sample?.code ?? '')
    const printed = run(process.execPath, [file])
    expect(printed).toContain('lines elided: passing')
    expect(printed).toContain('=== RUN   Test0\n--- PASS: Test0 (0.00s)\n1 message\n')
  })

  test('the engine and the service as a library', () => {
    const [engine = '', service = ''] = samples
      .filter(({ flag }) => flag === 'import')
      .map(({ code }) => runModule(code))
    expect(engine).toContain('b_test.go:7: got 3, want 4')
    expect(engine).toContain('500')
    expect(service).toContain('500 of 501 lines elided')
    expect(service).toContain('--- PASS: TestA (0.00s)\n')
  })

  test('what a filtered output looks like is what the quick start prints', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const shown = /What a filtered output looks like[^\n]*\n\n```\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const output = readFileSync(join(root, 'fixtures/go-test/json-failing/output'), 'utf8')
    const plan = planFilter(output, { command: 'go test -json ./...', exitCode: 1 })
    const printed = plan.changed ? renderFilter(plan, null).split('\n') : []
    const lines = shown.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines.slice(0, -1)) if (line !== '...') expect(printed).toContain(line)
    const figures = (line = '') => line.slice(0, line.indexOf(' tokens;'))
    expect(figures(lines.at(-1))).toBe(figures(printed.findLast((line) => line !== '')))
  })

  test('the tables name every setting, and no other', () => {
    expect(settingsTold()).toEqual(new Set([...describeSettings(defaultSettings).flatMap(nameTold), ...NOT_PRINTED]))
  })
})
