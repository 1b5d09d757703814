import { describe, expect, it } from 'vitest'
import { setUp } from './ask.ts'

/** Bytes that no parser gives back: big numbers, odd spaces, escapes, duplicate keys inside, exponents. */
const LIST =
  '[ {"role":"user","content":"\\u0041\\ud800","n":12345678901234567890, "x":1.0e+2 },\n  {"role":"tool","content":"MASK ME","a":1,"a":2} ]'

describe('POST /v1/mask', () => {
  it('keeps every byte of the list outside a masked value', async () => {
    const { post, spillway } = setUp()
    const response = await post(
      '/v1/mask',
      `{"format": "auto",\n "messages" : ${LIST} , "policy":{"enabled":true},"hint":"ask {id}"}`,
    )
    const text = await response.text()
    expect(text).toBe(`{"messages":${LIST.replace('MASK ME', 'a stub')},"report":{"maskedNow":1},"warnings":[]}`)
    expect(spillway.masked[0]).toMatchObject({
      format: 'auto',
      key: 'messages',
      json: LIST,
      policy: { enabled: true },
      hint: 'ask {id}',
    })
    expect(spillway.masked[0]?.list).toEqual(JSON.parse(LIST))
  })

  it.each(['messages', 'contents', 'input'])('answers under the key that came: %s', async (key) => {
    const { post } = setUp()
    const text = await (await post('/v1/mask', `{"${key}":[]}`)).text()
    expect(text).toBe(`{"${key}":[],"report":{"maskedNow":0},"warnings":[]}`)
  })

  it('finds the list among look-alikes', async () => {
    const { post, spillway } = setUp()
    await post('/v1/mask', '{"hint":"\\"messages\\":[9]}","policy":{"messages":[1]},"m\\u0065ssages":[2]}')
    expect(spillway.masked[0]).toMatchObject({ json: '[2]', list: [2] })
  })

  it('answers edits on the body that was sent', async () => {
    const { post } = setUp()
    const answer = await (await post('/v1/mask?return=edits', `{"input":${LIST}}`)).json()
    expect(answer).toEqual({
      edits: [{ op: 'replace', path: '/input/1/content', value: 'a stub' }],
      report: { maskedNow: 1 },
      warnings: [],
    })
  })

  it('orders edits so that they can be applied one after the other', async () => {
    const { post, spillway } = setUp()
    spillway.mask = async ({ json }) => ({
      json,
      edits: [
        { pointer: '/1/content/9', remove: true },
        { pointer: '/1/content/10', remove: true },
        { pointer: '/2/content', value: 'a stub' },
        { pointer: '/1/content/12/content', value: 'a stub' },
      ],
      report: {},
    })
    const text = await (await post('/v1/mask?return=edits', '{"messages":[]}')).text()
    expect([...text.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path)).toEqual([
      '/messages/2/content',
      '/messages/1/content/12/content',
      '/messages/1/content/10',
      '/messages/1/content/9',
    ])
  })

  it('ignores rules in a request, and says so', async () => {
    const { post } = setUp()
    const answer = await (await post('/v1/mask', '{"messages":[],"rules":[]}')).json()
    expect(answer).toHaveProperty('warnings', ['"rules" is ignored: rules are set by the operator alone'])
  })
})

describe('POST /v1/tokens', () => {
  it('estimates a text, or a history', async () => {
    const { post } = setUp()
    expect(await (await post('/v1/tokens', '{"text":"four"}')).json()).toEqual({ tokens: 4 })
    expect(await (await post('/v1/tokens', '{"contents": [1, 2],"format":"auto"}')).json()).toEqual({ tokens: 1006 })
  })
})
