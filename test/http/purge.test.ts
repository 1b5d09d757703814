import { describe, expect, it } from 'vitest'
import { purgeAnswer } from '../../src/http/schemas.ts'
import { problemOf, setUp } from './ask.ts'

const remove = (path: string) => {
  const all = setUp()
  return { ...all, answer: all.ask(path, { method: 'DELETE' }) }
}

describe.each([
  ['/v1/sessions/run-7:a@b', 'run-7:a@b'],
  ['/v1/sessions/run-7%3Aa%40b', 'run-7:a@b'],
  ['/v1/outputs', ''],
])('DELETE %s', (path, session) => {
  it('deletes a page, and says where the next one begins', async () => {
    const first = remove(path)
    expect(purgeAnswer.parse(await (await first.answer).json())).toEqual({ deleted: 2, cursor: 'next' })
    expect(first.spillway.purged).toEqual([[session, null]])
    const second = remove(`${path}?cursor=next`)
    expect(purgeAnswer.parse(await (await second.answer).json())).toEqual({ deleted: 2, cursor: null })
    expect(second.spillway.purged).toEqual([[session, 'next']])
  })

  it('refuses a cursor that it has not given out, and what it does not know', async () => {
    const stale = await problemOf(await remove(`${path}?cursor=stale`).answer)
    expect(stale).toMatchObject({
      status: 400,
      errors: [{ parameter: 'cursor', detail: 'is no cursor of this server' }],
    })
    expect((await remove(`${path}?page=2`).answer).status).toBe(400)
    expect((await remove(`${path}?cursor=`).answer).status).toBe(400)
  })
})

it.each(['a%2Fb', 'a%20b', '%C3%BC', 'x'.repeat(129), '..%2f..'])(
  'nothing was ever stored as session %s',
  async (label) => {
    const { answer, spillway } = remove(`/v1/sessions/${label}`)
    expect(await (await answer).json()).toEqual({ deleted: 0, cursor: null })
    expect(spillway.purged).toEqual([])
  },
)

it.each(['', 'a/b', 'a b', 'ü', 'x'.repeat(129), 'a\n'])(
  'filter and mask refuse the session label %j',
  async (session) => {
    const { postJson } = setUp()
    for (const [path, body] of [
      ['/v1/filter', { output: 'x', session }],
      ['/v1/mask', { messages: [], session }],
    ] as const) {
      const problem = await problemOf(await postJson(path, body))
      expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/session' }] })
    }
  },
)

it('filter and mask hand the session on, by body and by query', async () => {
  const { spillway, post, postJson } = setUp()
  await postJson('/v1/filter', { output: 'x', session: 's1' })
  await post('/v1/filter?session=s2', 'x', 'text/plain')
  await postJson('/v1/filter', { output: 'x' })
  await postJson('/v1/mask', { messages: [], session: 's3' })
  expect(spillway.filtered.map(({ session }) => session)).toEqual(['s1', 's2', undefined])
  expect(spillway.masked.map(({ session }) => session)).toEqual(['s3'])
})
