import { describe, expect, it } from 'vitest'
import { bytesOf, problemOf, setUp, utf8 } from './ask.ts'

const TEXT = 'one\ntwo\nthree\nfour'
const UNKNOWN = `o_m${'p'.repeat(31)}`

function withOutput() {
  const all = setUp()
  const id = all.spillway.keep('default', utf8(TEXT))
  const read = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
    all.ask(`/v1/outputs/${id}${query}`, { method, headers })
  return { ...all, id, read }
}

describe('GET /v1/outputs/{id}', () => {
  it('gives the whole output, as plain text that nobody may change', async () => {
    const { id, read } = withOutput()
    const response = await read('', { 'accept-encoding': 'gzip' })
    expect(await response.text()).toBe(TEXT)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'private, no-transform',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${id}"`,
      'spillway-lines': '4',
      'spillway-bytes': '18',
      'spillway-expires': 'Wed, 02 Jan 2030 03:04:05 GMT',
    })
    expect(response.headers.has('content-encoding')).toBe(false)
  })

  it.each([
    ['?lines=2-3', 'two\nthree\n'],
    ['?lines=2', 'two\n'],
    ['?lines=3-', 'three\nfour'],
    ['?lines=4-900', 'four'],
    ['?head=1', 'one\n'],
    ['?tail=2', 'three\nfour'],
    ['?tail=99', TEXT],
  ])('gives lines by %s', async (query, text) => {
    const { read } = withOutput()
    const response = await read(query)
    expect([response.status, await response.text()]).toEqual([200, text])
  })

  it.each([
    ['?numbers=true', '1:one\n2:two\n3:three\n4:four'],
    ['?lines=2-3&numbers=true', '2:two\n3:three\n'],
    ['?tail=2&numbers=true', '3:three\n4:four'],
    ['?head=1&numbers=true', '1:one\n'],
    ['?head=1&numbers=false', 'one\n'],
  ])('numbers lines by %s', async (query, text) => {
    const { read } = withOutput()
    expect(await (await read(query, { range: 'bytes=0-1' })).text()).toBe(text)
  })

  it('searches, and says how far', async () => {
    const { read } = withOutput()
    const response = await read('?grep=o&max=2')
    expect([response.status, await response.text()]).toEqual([200, '1:one\n2:two\n'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'spillway-lines': '4',
      'spillway-matches': '2',
      'spillway-searched-to': '4',
      'spillway-truncated': 'true',
      'spillway-cut-lines': '0',
    })
    const none = await read('?grep=nowhere')
    expect([none.status, await none.text(), none.headers.get('spillway-matches')]).toEqual([200, '', '0'])
  })

  it.each([
    ['?lines=9', 'the output has 4 lines'],
    ['?lines=3-2', 'ends before it starts'],
    ['?lines=0-2', 'has to be like'],
    ['?lines=a', 'has to be like'],
    ['?head=0', 'above 0'],
    ['?head=1&tail=1', 'at most one'],
    ['?grop=x', 'no known parameter'],
    ['?grep=', 'has to be a pattern'],
    ['?grep=(', 'not a pattern in RE2 syntax'],
    ['?grep=x&head=1', 'does not go with grep'],
    ['?grep=x&numbers=false', 'always numbered'],
    ['?grep=x&context=100', 'from 0 to 99'],
    ['?grep=x&max=0', 'from 1 to 9999'],
    ['?grep=x&ignoreCase=yes', 'expected one of'],
    ['?grep=x&lines=9', 'the output has 4 lines'],
    ['?grep=x&lines=3-2', 'ends before it starts'],
    ['?context=1', 'goes with grep alone'],
    ['?max=1', 'goes with grep alone'],
    ['?tail=1&ignoreCase=true', 'goes with grep alone'],
    ['?numbers=1', 'expected one of'],
  ])('refuses %s', async (query, says) => {
    const { read } = withOutput()
    const response = await read(query)
    expect(response.status).toBe(400)
    expect((await problemOf(response)).errors?.[0]?.detail).toContain(says)
  })

  it.each([
    ['bytes=0-2', 'one', 'bytes 0-2/18'],
    ['bytes=14-', 'four', 'bytes 14-17/18'],
    ['bytes=14-999', 'four', 'bytes 14-17/18'],
    ['bytes=-4', 'four', 'bytes 14-17/18'],
    ['bytes=-999', TEXT, 'bytes 0-17/18'],
    ['Bytes = 0 - 0', 'o', 'bytes 0-0/18'],
  ])('gives the range %s', async (range, text, contentRange) => {
    const { read } = withOutput()
    const response = await read('', { range })
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      206,
      text,
      contentRange,
    ])
  })

  it.each(['bytes=18-', 'bytes=99-100', 'bytes=-0'])('can not satisfy %s', async (range) => {
    const { read } = withOutput()
    const response = await read('', { range })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */18'])
  })

  it.each(['bytes=0-1,3-4', 'bytes=5-2', 'lines=1-2', 'bytes=-', 'bytes=a-b'])('ignores %s', async (range) => {
    const { read } = withOutput()
    const response = await read('', { range })
    expect([response.status, await response.text()]).toEqual([200, TEXT])
  })

  it('holds a range back where If-Range names another output', async () => {
    const { id, read } = withOutput()
    expect((await read('', { range: 'bytes=0-2', 'if-range': `"${id}"` })).status).toBe(206)
    expect((await read('', { range: 'bytes=0-2', 'if-range': `"${UNKNOWN}"` })).status).toBe(200)
    expect((await read('', { range: 'bytes=0-2', 'if-range': 'Wed, 02 Jan 2030 03:04:05 GMT' })).status).toBe(200)
  })

  it('answers 304 to whoever has it, while it is there', async () => {
    const { id, read, ask } = withOutput()
    const response = await read('', { 'if-none-match': `W/"x", "${id}"` })
    expect([response.status, (await bytesOf(response)).length]).toEqual([304, 0])
    const gone = await ask(`/v1/outputs/${UNKNOWN}`, { headers: { 'if-none-match': '*' } })
    expect(gone.status).toBe(404)
  })

  it('answers HEAD without a body, and with its length', async () => {
    const { read, spillway } = withOutput()
    spillway.stream = () => Promise.reject(new Error('HEAD must not read'))
    const response = await read('', {}, 'HEAD')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '18', ''])
    expect(response.headers.get('spillway-lines')).toBe('4')
  })

  it('says of an unknown id that this is final', async () => {
    const { ask } = withOutput()
    for (const id of [UNKNOWN, 'o_short', 'x', '%00', '..%2f..%2fsecret', 'a'.repeat(5000)]) {
      const response = await ask(`/v1/outputs/${id}`)
      expect(response.status).toBe(404)
      expect(response.headers.has('retry-after')).toBe(false)
      expect((await problemOf(response)).detail).toContain('final')
    }
  })

  it('says when to ask again where the store is not sure', async () => {
    const { ask, spillway } = withOutput()
    spillway.missing = 'unsure'
    const response = await ask(`/v1/outputs/${UNKNOWN}`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([404, '60'])
    expect((await problemOf(response)).detail).not.toContain('final')
  })

  it('tells a failing store from a missing output, without its internals', async () => {
    const { read, spillway } = withOutput()
    spillway.broken = true
    const response = await read()
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('/data')
  })

  it('says how many of the bytes are standard output', async () => {
    const { ask, spillway } = setUp()
    const id = spillway.keep('default', utf8(TEXT), { kind: 'text', stdoutBytes: 4 })
    expect((await ask(`/v1/outputs/${id}`)).headers.get('spillway-stdout-bytes')).toBe('4')
  })
})

describe('DELETE /v1/outputs/{id}', () => {
  it('deletes once', async () => {
    const { read } = withOutput()
    expect((await read('', {}, 'DELETE')).status).toBe(204)
    expect((await read('', {}, 'DELETE')).status).toBe(404)
    expect((await read()).status).toBe(404)
  })
})
