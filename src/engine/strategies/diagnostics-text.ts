import { type Diagnostic, writeDiagnostics } from './diagnostics.ts'

/** What writeDiagnostics would write, as text: for findings that stand where one line of them stood. */
export function diagnosticsText(findings: readonly Diagnostic[]): string[] {
  const texts: string[] = []
  const ignore = (): void => {}
  writeDiagnostics(findings, {
    keep: ignore,
    keepRange: ignore,
    elide: ignore,
    elideRange: ignore,
    restate: (text) => {
      texts.push(text)
    },
  })
  return texts
}
