import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadFixtures } from '../support/fixtures.ts'
import { bundle } from './bundle.ts'
import { condense, mask, type Sample } from './engine-run.ts'
import { GO_TEST, longHistory } from './suite.ts'

const PATHS = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = PATHS.find((path) => path !== '' && existsSync(path))

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const SAMPLES: readonly Sample[] = [
  { name: 'go test', text: GO_TEST, command: 'go test -v ./...', exitCode: 1 },
  { name: 'nothing', text: '', command: 'true', exitCode: 0 },
  {
    name: 'other scripts',
    text: '日本語のログ é ü 🙂 \u{1F468}\u200D\u{1F469}\n'.repeat(500),
    command: 'make',
    exitCode: 2,
  },
  ...loadFixtures().map(({ family, name, text, command, exitCode }) => ({
    name: `${family}/${name}`,
    text,
    command,
    exitCode,
  })),
]

/** Where CI is set a missing browser is a failure: a skipped test would say nothing there. */
const missing = executablePath === undefined && !process.env.CI

describe.skipIf(missing)('the engine in a browser page', () => {
  let browser: Browser
  beforeAll(async () => {
    if (executablePath === undefined) throw new Error('no Chromium was found: install it, or set CHROMIUM_PATH')
    browser = await chromium.launch({ executablePath, args: FLAGS })
  })
  afterAll(() => browser?.close())

  it('filters and masks to the same bytes as on Node, every sample', async () => {
    const { text } = await bundle('test/runtime/engine-run.ts', { globalName: 'engineRun' })
    const page = await browser.newPage()
    await page.addScriptTag({ content: text })
    const history = JSON.stringify(longHistory())
    const there = await page.evaluate(
      ([samples, list]) => {
        const { engineRun } = globalThis as unknown as { engineRun: typeof import('./engine-run.ts') }
        return { filtered: samples.map(engineRun.condense), masked: engineRun.mask(list) }
      },
      [SAMPLES, history] as const,
    )
    const here = SAMPLES.map(condense)
    expect(here.filter((each) => !each.startsWith('unchanged')).length).toBeGreaterThan(1)
    for (const [i, { name }] of SAMPLES.entries()) expect([name, there.filtered[i]]).toEqual([name, here[i]])
    expect(there.masked).toContain('<tool_output_masked')
    expect(there.masked).toBe(mask(history))
  }, 300_000)
})
