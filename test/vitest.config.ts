import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', fileURLToPath(new URL('./tally.ts', import.meta.url))],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
