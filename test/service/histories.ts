/** Histories in the shape of OpenAI Chat, as an agent would send them: one call and one result a turn. */
export function chatHistory(results: readonly string[]): unknown[] {
  const turns = results.flatMap((content, i) => [
    { role: 'assistant', content: null, tool_calls: [call(i)] },
    { role: 'tool', tool_call_id: `call_${i}`, content },
  ])
  return [{ role: 'user', content: 'Make the build pass.' }, ...turns, { role: 'assistant', content: 'Done.' }]
}

function call(i: number) {
  const command = JSON.stringify({ command: `./report.sh ${i}` })
  return { id: `call_${i}`, type: 'function', function: { name: 'bash', arguments: command } }
}

/** A result of about 500 tokens that no other has. */
export function bulky(i: number): string {
  return Array.from({ length: 40 }, (_, row) => `run ${i}: item ${row} was looked at and is as it should be`).join('\n')
}
