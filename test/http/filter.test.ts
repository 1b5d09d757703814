import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerValue } from '../../src/http/header-value.ts'
import { filterAnswerOf, setUp } from './ask.ts'

const LONG = 'one\ntwo\nthree\nfour\n'

describe('POST /v1/filter', () => {
  it('takes JSON and answers with the reply of the service', async () => {
    const { postJson, spillway } = setUp()
    const response = await postJson('/v1/filter', {
      output: LONG,
      command: 'make',
      tool: 'bash',
      exitCode: 2,
      maxTokens: 900,
      session: 's',
    })
    expect(spillway.filtered).toEqual([
      { streams: { output: LONG }, command: 'make', tool: 'bash', exitCode: 2, maxTokens: 900, session: 's' },
    ])
    const answer = await filterAnswerOf(response)
    expect(answer).toMatchObject({
      output: 'one\n[gap]\n',
      filtered: true,
      reason: null,
      family: 'double',
      lines: { in: 4, kept: 1, restated: 0, elided: 3 },
      spill: { url: `/v1/outputs/${answer.spill?.id}`, bytes: LONG.length },
    })
  })

  it('keeps two streams apart', async () => {
    const { postJson, spillway } = setUp()
    const answer = await (await postJson('/v1/filter', { stderr: 'warning' })).json()
    expect(spillway.filtered).toEqual([{ streams: { stdout: '', stderr: 'warning' } }])
    expect(answer).toMatchObject({ stdout: '', stderr: 'warning' })
    expect(answer).not.toHaveProperty('output')
  })

  it('takes a text and answers with a text', async () => {
    const { post, spillway } = setUp()
    const path = '/v1/filter?command=go%20test%20./...&exitCode=-1&tool=bash&maxTokens=120'
    const response = await post(path, LONG, 'Text/Plain; charset=utf-8')
    expect(spillway.filtered).toEqual([
      { streams: { output: LONG }, command: 'go test ./...', exitCode: -1, tool: 'bash', maxTokens: 120 },
    ])
    expect(await response.text()).toBe('one\n[gap]\n')
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'spillway-filtered': 'true',
      'spillway-family': 'double',
      'spillway-strategy': 'first-line',
      'spillway-lines-in': '4',
      'spillway-lines-kept': '1',
      'spillway-lines-restated': '0',
      'spillway-lines-elided': '3',
      'spillway-tokens-before': '19',
      'spillway-tokens-after': '10',
      'spillway-warning': 'half of it%0D%0Aset-cookie: gone %E2%80%93 %C3%BC',
    })
    expect(headers['spillway-output-id']).toMatch(/^o_/)
    expect(headers).not.toHaveProperty('spillway-reason')
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it("gives a guard's words in an unfiltered output's place", async () => {
    const { post, spillway } = setUp()
    spillway.guarded = '[blocked]'
    expect(await (await post('/v1/filter', 'token=abc', 'text/plain')).text()).toBe('[blocked]')
  })

  it('takes no query with JSON', async () => {
    const { postJson } = setUp()
    expect((await postJson('/v1/filter?tool=x', { output: 'x' })).status).toBe(400)
  })
})

describe('headerValue', () => {
  it('is accepted by Headers for every text, bounded, and decodes to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (text) => {
        const value = headerValue(text)
        expect(new Headers({ a: value }).get('a')).toBe(value)
        expect(value).toMatch(/^[\x20-\x7e]{0,1000}$/)
        if (value.length < 900)
          expect(decodeURIComponent(value)).toBe(text.trim() === text ? text : decodeURIComponent(value))
      }),
      { numRuns: 200 },
    )
  })
})
