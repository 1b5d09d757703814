import type { Reporter, TestModule } from 'vitest/node'

/** Prints the run's count as its last line: `N passed, N failed[, N skipped]`. */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () => process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`))
  }
}
