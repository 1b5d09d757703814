import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

  test('the engine as a library', () => {
    const sample = samples.find(({ flag }) => flag === 'import')
    const file = join(work, 'library.mts')
    writeFileSync(file, (sample?.code ?? '').replace("'spillway'", JSON.stringify(join(root, 'src/engine/index.ts'))))
    const printed = run(process.execPath, [file])
    expect(printed).toContain('b_test.go:7: got 3, want 4')
    expect(printed).toContain('500')
  })
})
