import { describe, expect, it } from 'vitest'
import { EnvironmentError, parseEnvironment } from '../../src/config/environment.ts'

const DIGEST = '0f'.repeat(32)
const SEAL_KEY = btoa('k'.repeat(32))

function faultsOf(variables: Record<string, unknown>): readonly string[] {
  try {
    parseEnvironment(variables)
  } catch (error) {
    if (error instanceof EnvironmentError) return error.faults
    throw error
  }
  return []
}

describe('parseEnvironment', () => {
  it('has defaults for everything', () => {
    expect(parseEnvironment({ HOME: '/home/me' })).toEqual({
      port: 8787,
      host: '127.0.0.1',
      data: '/home/me/.local/share/spillway',
      config: null,
      configFolder: '/home/me/.config/spillway',
      secret: null,
      keys: [],
      corsOrigins: [],
      sealKeys: [],
      maxBody: null,
      filters: true,
      masking: true,
    })
  })

  it('reads what is set, and takes an empty value as not set', () => {
    const environment = parseEnvironment({
      PORT: ' 0 ',
      HOST: '',
      SPILLWAY_DATA: '/data',
      SPILLWAY_SECRET: 's'.repeat(32),
      SPILLWAY_API_KEYS: `${DIGEST}, team-a:${'AF'.repeat(32)},mask:${'bf'.repeat(32)},team-b:recall+admin:${'cf'.repeat(32)}`,
      SPILLWAY_MAX_BODY: '2048',
      SPILLWAY_CORS_ORIGINS: 'https://a.example, http://localhost:5173',
      SPILLWAY_FILTERS: 'off',
      SPILLWAY_MASKING: 'on',
    })
    const digest = new Uint8Array(32).fill(0x0f)
    expect(environment).toMatchObject({ port: 0, host: '127.0.0.1', data: '/data', maxBody: 2048 })
    expect(environment.corsOrigins).toEqual(['https://a.example', 'http://localhost:5173'])
    expect(environment).toMatchObject({ filters: false, masking: true, secret: 's'.repeat(32) })
    const scopes = ['filter', 'mask', 'recall', 'delete']
    expect(environment.keys).toEqual([
      { tenant: 'default', scopes, digest },
      { tenant: 'team-a', scopes, digest: new Uint8Array(32).fill(0xaf) },
      { tenant: 'mask', scopes, digest: new Uint8Array(32).fill(0xbf) },
      { tenant: 'team-b', scopes: ['recall', 'admin'], digest: new Uint8Array(32).fill(0xcf) },
    ])
  })

  it('reads sealing keys in their order', () => {
    const bytes = new Uint8Array(32).fill(107)
    expect(parseEnvironment({ SPILLWAY_SEAL_KEYS: `2026-b:${SEAL_KEY}, 2026-a:${SEAL_KEY}` }).sealKeys).toEqual([
      { id: '2026-b', bytes },
      { id: '2026-a', bytes },
    ])
  })

  it('prefers the data folder of XDG, and has none without a home', () => {
    expect(parseEnvironment({ HOME: '/h', XDG_DATA_HOME: '/x' }).data).toBe('/x/spillway')
    expect(parseEnvironment({}).data).toBe(null)
  })

  it('takes no notice of bindings that are no text', () => {
    expect(parseEnvironment({ PORT: { get() {} }, SPILLWAY_SECRET: 5 })).toMatchObject({ port: 8787, secret: null })
  })

  it.each([
    [{ PORT: '8787x' }, 'PORT is "8787x"; it has to be a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ PORT: '1e3' }, 'PORT is "1e3"'],
    [{ SPILLWAY_MAX_BODY: '64MiB' }, 'SPILLWAY_MAX_BODY is "64MiB"'],
    [{ SPILLWAY_FILTERS: 'false' }, 'SPILLWAY_FILTERS is "false"; it has to be "on" or "off".'],
    [{ SPILLWAY_MASKING: '0' }, 'SPILLWAY_MASKING is "0"'],
    [{ SPILLWAY_SECRET: 'short' }, 'SPILLWAY_SECRET has 5 characters; it needs 32 or more'],
    [{ SPILLWAY_DATA: './data' }, 'SPILLWAY_DATA is "./data"; it has to be an absolute path'],
    [{ SPILLWAY_CORS_ORIGINS: '*' }, 'SPILLWAY_CORS_ORIGINS has "*"; each has to be an origin like'],
    [{ SPILLWAY_CORS_ORIGINS: 'https://a.example/' }, 'SPILLWAY_CORS_ORIGINS has "https://a.example/"'],
    [{ SPILLWAY_CORS_ORIGINS: 'a.example' }, 'SPILLWAY_CORS_ORIGINS has "a.example"'],
    [{ SPILLWAY_CORS_ORIGINS: 'null' }, 'SPILLWAY_CORS_ORIGINS has "null"'],
    [{ SPILLWAY_SEAL_KEYS: 'hunter4' }, 'SPILLWAY_SEAL_KEYS: entry 1 is no key; write ID:KEY'],
    [{ SPILLWAY_SEAL_KEYS: `a:${SEAL_KEY},b:${SEAL_KEY.slice(4)}` }, 'SPILLWAY_SEAL_KEYS: entry 2 is no key'],
    [{ SPILLWAY_SEAL_KEYS: `A:${SEAL_KEY}` }, 'SPILLWAY_SEAL_KEYS: entry 1 is no key'],
    [{ SPILLWAY_SEAL_KEYS: `a:${SEAL_KEY},a:${SEAL_KEY}` }, 'entry 2 has the id of an earlier one'],
    [{ SPILLWAY_API_KEYS: `${DIGEST},my-key` }, 'SPILLWAY_API_KEYS: entry 2 is no digest'],
    [{ SPILLWAY_API_KEYS: `a b:${DIGEST}` }, 'SPILLWAY_API_KEYS: entry 1 is no digest'],
    [
      { SPILLWAY_API_KEYS: `a:read:${DIGEST}` },
      'entry 1 names an unknown scope; known are filter, mask, recall, delete',
    ],
    [{ SPILLWAY_API_KEYS: `a:mask+:${DIGEST}` }, 'entry 1 names an unknown scope'],
    [{ SPILLWAY_API_KEYS: `a:${DIGEST},b:${DIGEST.toUpperCase()}` }, 'entry 2 has the digest of an earlier one'],
  ])('says what is wrong with %o', (variables, says) => {
    expect(faultsOf(variables)).toEqual([expect.stringContaining(says)])
  })

  it('names every fault at once, and shows no key or secret', () => {
    const faults = faultsOf({
      PORT: 'x',
      SPILLWAY_SECRET: 'hunter2',
      SPILLWAY_API_KEYS: 'hunter3',
      SPILLWAY_SEAL_KEYS: 'hunter4',
    })
    expect(faults).toHaveLength(4)
    expect(faults.join('\n')).not.toContain('hunter')
  })
})
