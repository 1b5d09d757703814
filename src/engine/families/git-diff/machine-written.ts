import { type FilePiece, markOf } from './parse.ts'

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|go\.sum|go\.work\.sum|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|pdm\.lock|pixi\.lock|Pipfile\.lock|Podfile\.lock|Package\.resolved|pubspec\.lock|mix\.lock|flake\.lock|packages\.lock\.json|gradle\.lockfile|\.terraform\.lock\.hcl|MODULE\.bazel\.lock|conan\.lock)$/
const GENERATED_NAME =
  /(?:\.pb\.(?:go|cc|h|gw\.go)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|d\.ts)|\.g\.dart|\.freezed\.dart|\.designer\.cs|_generated\.\w{1,8}|\.generated\.\w{1,8})$/i
const MINIFIED_NAME = /(?:[.-]min\.(?:js|mjs|cjs|css)|\.bundle\.(?:js|css)|\.(?:js|mjs|cjs|css)\.map)$/
/** A comment that says so, as the tools write it on the first lines of a file. */
const GENERATED_COMMENT =
  /^[ +-](?:\/\/|\/\*+|\*|#|--|;|<!--|"""|'''|%)[ !]{0,3}(?:.{0,80}\b[Cc]ode generated .{0,200} DO NOT EDIT|@generated\b|(?:This file (?:is|was) )?(?:[Aa]uto(?:matically)?[ -]?)?[Gg]enerated (?:by|from|with) .{0,200}(?:do not|don't|DO NOT) (?:edit|EDIT|modify))/
const FIRST_LINES = 12

/** What kind of machine wrote the file of a diff; null for what somebody wrote by hand. */
export function machineOf(lines: readonly string[], file: FilePiece): string | null {
  const path = pathOf(lines[file.from] ?? '')
  if (LOCK_FILE.test(path)) return 'lock file'
  if (MINIFIED_NAME.test(path)) return 'minified file'
  if (GENERATED_NAME.test(path)) return 'generated file'
  const [first] = file.hunks
  if (!first?.intact || first.start > 1) return null
  const end = Math.min(first.to, first.header + 1 + FIRST_LINES)
  for (let i = first.header + 1; i < end; i += 1) {
    const line = lines[i] ?? ''
    if (line.length < 400 && markOf(line, 1) !== null && GENERATED_COMMENT.test(line)) return 'generated file'
  }
  return null
}

/** The new file's path, as far as the first line tells it; a path that git quotes ends in a quote. */
function pathOf(header: string): string {
  return header.endsWith('"') ? header.slice(0, -1) : header
}
