import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEnvironment } from '../../src/config/environment.ts'
import { openConfig, projectFileWarnings } from '../../src/entry/config-file.ts'
import { ROOT } from '../runtime/bundle.ts'
import { DENO_COMMAND, NODE_COMMAND, spawnServer } from '../runtime/servers.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
  return path
}
const open = (variables: Record<string, string>) => openConfig(parseEnvironment(variables))

describe('openConfig', () => {
  it("reads the operator's own file where none is named, and does without one", async () => {
    expect(await open({ HOME: folder })).toBe(null)
    expect(await open({})).toBe(null)
    await file('.config/spillway/settings.yaml', 'hint: from home')
    expect((await open({ HOME: folder }))?.settings.hint).toBe('from home')
    await file('xdg/spillway/settings.yaml', 'hint: from xdg')
    expect((await open({ HOME: folder, XDG_CONFIG_HOME: join(folder, 'xdg') }))?.settings.hint).toBe('from xdg')
  })

  it('reads the file that is named', async () => {
    const path = await file('named.yaml', 'hint: named')
    expect((await open({ HOME: folder, SPILLWAY_CONFIG: path }))?.settings.hint).toBe('named')
  })

  it('never reads one of the working folder', async () => {
    await expect(open({ SPILLWAY_CONFIG: 'settings.yaml' })).rejects.toThrow('has to be an absolute path')
    expect(parseEnvironment({ XDG_CONFIG_HOME: '.' }).configFolder).toBe(null)
  })

  it('says what is wrong with a file', async () => {
    const missing = join(folder, 'missing.yaml')
    await expect(open({ SPILLWAY_CONFIG: missing })).rejects.toThrow(`${missing}, which is not there`)
    await expect(open({ SPILLWAY_CONFIG: folder })).rejects.toThrow("can't be read")
    const bytes = await file('bytes.yaml', Uint8Array.of(0x68, 0xff))
    await expect(open({ SPILLWAY_CONFIG: bytes })).rejects.toThrow("can't be read")
    const wrong = await file('wrong.yaml', 'hints: x')
    await expect(open({ SPILLWAY_CONFIG: wrong })).rejects.toThrow(`${wrong}:1:1: hints: unknown key`)
  })
})

it('warns of files in a project that look like rules', async () => {
  const project = join(folder, 'project')
  await mkdir(project)
  expect(await projectFileWarnings(project)).toEqual([])
  await file('project/.spillway.yaml', 'filters: {}')
  expect(await projectFileWarnings(project)).toEqual([
    '.spillway.yaml of the working folder is ignored: rules are set by the operator alone.',
  ])
})

describe.each([
  ['node', NODE_COMMAND],
  ['deno', DENO_COMMAND],
] as const)('the %s entry', (_, [command, args]) => {
  it('filters by the rules of SPILLWAY_CONFIG', async () => {
    const path = await file('rules.yaml', 'filters: { rules: [{ match: "^seq", head_lines: 2, tail_lines: 1 }] }')
    const server = await spawnServer(command, args, { SPILLWAY_CONFIG: path })
    const text = Array.from({ length: 500 }, (_, i) => `${i + 1}`).join('\n')
    const answer = await server.fetch('/v1/filter?command=seq%20500', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.headers.get('spillway-strategy')).toBe('rule-1')
    expect(
      new TextDecoder()
        .decode(await answer.arrayBuffer())
        .split('\n')
        .slice(0, 4),
    ).toEqual(['1', '2', '[filtered: 497 lines elided: lines outside head and tail of rule 1]', '500'])
    await server.stop()
  })

  it('does not start with a configuration that is wrong, and says where', async () => {
    const path = await file('bad.yaml', 'filters:\n  rules:\n    - match: "^go test"\n      strategy: stats\n')
    const failure: unknown = await spawnServer(command, args, { SPILLWAY_CONFIG: path }).catch(
      (error: unknown) => error,
    )
    expect(String(failure)).toContain('left with 1')
    expect(String(failure)).toContain(
      `${path}:4:17: filters.rules[0].strategy: stats puts counts in the place of items`,
    )
  })
})

describe('check-config', () => {
  const run = (...args: string[]) => runIn(undefined, ...args)
  const runIn = (INIT_CWD: string | undefined, ...args: string[]) =>
    promisify(execFile)(process.execPath, ['src/entry/check-config.ts', ...args], {
      cwd: ROOT,
      env: { ...process.env, INIT_CWD },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
  const TESTED =
    'filters:\n  rules:\n    - match: "^ls"\n      head_lines: 1\n      tests:\n        - { input: "a\\nb", expect: "WANTED" }\n'

  it('prints what is in force, and runs the tests', async () => {
    const path = await file('good.yaml', `store: { ttl_days: 2 }\n${TESTED.replace('WANTED', 'a')}`)
    const { code, stdout } = await run(path)
    expect(code).toBe(0)
    expect(stdout).toContain('store.ttl_days: 2  (default 7)\n')
    expect(stdout).toContain('filters.fail_mode: "open"\n')
    expect(stdout).toContain('rule 1: match "^ls": head_lines 1\n1 rule tests, 0 failed\n')
  })

  it('looks for a file where npm was called', async () => {
    await file('called/in.yaml', 'hint: x')
    expect(await runIn(join(folder, 'called'), 'in.yaml')).toMatchObject({ code: 0 })
    expect(await runIn(folder, 'in.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${folder}/in.yaml`),
    })
  })

  it('exits with 1 for a test that differs, a fault, a missing file; with 2 where none is named', async () => {
    const differs = await run(await file('differs.yaml', TESTED))
    expect(differs).toMatchObject({
      code: 1,
      stderr: 'rule 1, test 1: line 1\n  expected: "WANTED"\n  got:      "a"\n',
    })
    const wrong = await run(await file('faulty.yaml', 'x: 1'))
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('faulty.yaml:1:1: x: unknown key') })
    expect(await run(join(folder, 'nowhere.yaml'))).toMatchObject({ code: 1 })
    expect(await run()).toMatchObject({ code: 2 })
  })
})
