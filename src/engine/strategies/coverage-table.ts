import type { Fates } from './fates.ts'

const RULE = /^[-|=+ \s]{5,}$/
/** `Name  Stmts  Miss  Cover` (coverage.py); `File | % Stmts | % Branch …` (istanbul, v8); `file | line % | …` (node). */
const HEADER = /^(?:ℹ |# )?\s*(?:Name\s+Stmts\s|File\s+\|\s*% Stmts|file\s+\|\s*line %)/
const TOTAL = /^(?:ℹ |# )?\s*(?:TOTAL\b|All files\b|all files\b)/
const FULL_PYTHON = /\s100(?:\.0{1,6})?%\s*$/

const FEW = 3

/** Whether a row of the table says that all of a file is covered. */
function isFull(row: string): boolean {
  if (!row.includes('|')) return FULL_PYTHON.test(row.slice(-20))
  const figures = row
    .split('|')
    .slice(1)
    .map((cell) => cell.trim())
    .filter((cell) => /^[\d.]{1,12}$/.test(cell))
  return figures.length > 0 && figures.every((figure) => Number(figure) === 100)
}

/** Whether a line opens a coverage table. */
export const opensCoverageTable = (line: string): boolean => HEADER.test(line)

/**
 * Folds a coverage table that opens at line `at`: its head, its total and files with a gap stay, rules and fully
 * covered files go.
 * @returns the line after the table
 */
export function foldCoverageTable(lines: readonly string[], at: number, to: number, fates: Fates): number {
  let end = at + 1
  const isRow = (line: string): boolean =>
    RULE.test(line) || line.includes('|') || /\s\d{1,9}\s+\d{1,9}\s.*\d%/.test(line.slice(0, 400))
  while (end < to && (isRow(lines[end] ?? '') || /^(?:ℹ|#) -+$/.test(lines[end] ?? ''))) end += 1
  fates.group(at, end)
  // Few are named: rows cost no more than a marker.
  const full = lines.slice(at + 1, end).filter((row) => !RULE.test(row) && !TOTAL.test(row) && isFull(row)).length
  for (let i = at; i < end; i += 1) {
    const row = lines[i] ?? ''
    if (RULE.test(row) || /^(?:ℹ|#) -+$/.test(row)) fates.fold(i)
    else if (i > at && !TOTAL.test(row) && full > FEW && isFull(row)) fates.drop(i, 'fully covered files')
  }
  return end
}
