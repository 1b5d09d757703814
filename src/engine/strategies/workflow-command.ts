import type { Diagnostic } from './diagnostics.ts'

/** `::error title=…,file=a.ts,line=1,col=2::message`, as tools annotate their findings for GitHub's runner. */
const COMMAND = /^::(error|warning|notice) ([^:]{0,2000}(?::[^:]{1,2000}){0,3})::(.*)$/

/** Reads a workflow command that annotates a file; null for any other line. */
export function readWorkflowCommand(line: string, at: number): Diagnostic | null {
  const match = line.startsWith('::') ? COMMAND.exec(line) : null
  if (!match?.[1] || !match[2] || match[3] === undefined) return null
  const properties = new Map<string, string>()
  for (const property of match[2].split(',')) {
    const equals = property.indexOf('=')
    properties.set(property.slice(0, equals).trim(), decoded(property.slice(equals + 1)))
  }
  const path = properties.get('file')
  if (path === undefined) return null
  const place = [properties.get('line') ?? '', properties.get('col') ?? ''].filter((part) => part !== '').join(':')
  const text = [match[1], properties.get('title') ?? '', decoded(match[3])].filter((part) => part !== '').join(' ')
  return { path, place, text: text.replaceAll('\n', '\n  '), lines: [at] }
}

function decoded(text: string): string {
  return text
    .replaceAll('%0D', '')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')
}
