import { expect, it } from 'vitest'
import { KEY, startWorkerd, VARIABLES } from './servers.ts'

it('a worker in workerd reads YAML and patterns from its configuration variable', async () => {
  const SPILLWAY_CONFIG = String.raw`
filters:
  rules:
    - match: "^seq\\b"
      strip_lines: ['[1-9]$'] # only tens
      head_lines: 2
      tail_lines: 1
`
  const server = await startWorkerd({ ...VARIABLES, SPILLWAY_CONFIG })
  try {
    const answer = await server.fetch('/v1/filter?command=seq%20500', {
      method: 'POST',
      body: Array.from({ length: 500 }, (_, i) => `${i + 1}`).join('\n'),
      headers: { 'content-type': 'text/plain', authorization: `Bearer ${KEY}`, 'accept-encoding': 'identity' },
    })
    const text = new TextDecoder().decode(await answer.arrayBuffer())
    expect(text.split('\n').filter((line) => !line.startsWith('['))).toEqual(['10', '20', '500'])
  } finally {
    await server.stop()
  }
})
