import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../src/entry/version.ts'
import { bundle, ROOT } from './runtime/bundle.ts'

it('runs on the Node that the project brings, not on the host', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(22)
})

interface Import {
  /** Both relative to src/. */
  readonly from: string
  readonly to: string
}

/** Imports of every file that an entry reaches; types are gone by then, and count for nothing when running. */
async function readImports(): Promise<{ files: Import[]; externals: Import[] }> {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: ['node', 'deno', 'worker'].map((name) => `src/entry/${name}.ts`),
    bundle: true,
    write: false,
    outdir: 'unused',
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    external: ['node:*', 'cloudflare:*'],
  })
  const files: Import[] = []
  const externals: Import[] = []
  for (const [path, { imports }] of Object.entries(result.metafile.inputs)) {
    const from = path.replace(/^src\//, '')
    for (const each of imports) {
      if (each.external === true) externals.push({ from, to: each.path })
      else files.push({ from, to: each.path.replace(/^src\//, '') })
    }
  }
  return { files, externals }
}

const folderOf = (path: string) => path.split('/')[0] ?? ''

/** What each folder may import besides itself. Adapters know the ports, and what the engine says an id is. */
const MAY_IMPORT: Readonly<Record<string, (to: string) => boolean>> = {
  engine: () => false,
  service: (to) => folderOf(to) === 'engine',
  http: (to) => ['service', 'engine'].includes(folderOf(to)),
  config: (to) => ['service', 'engine'].includes(folderOf(to)),
  store: (to) => to === 'service/ports.ts' || folderOf(to) === 'engine',
  telemetry: (to) => to === 'service/ports.ts',
  guard: (to) => to === 'service/ports.ts' || folderOf(to) === 'engine',
  entry: () => true,
}

describe('the import graph', () => {
  let graph: Awaited<ReturnType<typeof readImports>>
  beforeAll(async () => {
    graph = await readImports()
  })

  it('points one way: entry, http, service, engine; adapters know the ports alone', () => {
    expect(graph.files.length).toBeGreaterThan(100)
    const wrong = graph.files.filter(({ from, to }) => {
      const [own, other] = [folderOf(from), folderOf(to)]
      return own !== other && MAY_IMPORT[own]?.(to) !== true
    })
    expect(wrong).toEqual([])
  })

  it('has Node modules in the entries and the file store alone', () => {
    const nodes = graph.externals.filter(({ to }) => to.startsWith('node:'))
    expect(nodes.length).toBeGreaterThan(0)
    const allowed = /^(?:entry\/(?:node|local|secret|config-file)|store\/file(?:-[a-z]+)?)\.ts$/
    expect(nodes.filter(({ from }) => !allowed.test(from))).toEqual([])
  })

  it("has no runtime's own modules or packages where they don't belong", () => {
    const packages = graph.externals.filter(({ to }) => !to.startsWith('node:'))
    const allowed: Readonly<Record<string, readonly string[]>> = {
      http: ['hono', 'hono/cors', 'hono/secure-headers', 'zod'],
      service: ['re2js'],
      config: ['zod', 'yaml'],
      guard: ['zod'],
      entry: ['hono', '@hono/node-server', 'cloudflare:workers'],
    }
    expect(packages.filter(({ from, to }) => !allowed[folderOf(from)]?.includes(to))).toEqual([])
  })
})

describe('the worker bundle', () => {
  it('has no Node module and no WebAssembly, and is small', async () => {
    // Bundled without Node's modules: an import of one fails the build, not only the assertion.
    const { text, metafile } = await bundle('src/entry/worker.ts', { minify: true })
    const inputs = Object.keys(metafile.inputs)
    expect(inputs).toContain('src/engine/filter.ts')
    expect(inputs.filter((path) => /\.wasm$|^node:/.test(path))).toEqual([])
    expect(text).not.toMatch(/\bfrom ?["']node:|\bWebAssembly\b/)
    const size = gzipSync(text).length
    console.log(`worker bundle: ${(text.length / 1024).toFixed(1)} KiB, gzip ${(size / 1024).toFixed(1)} KiB`)
    // Workers' own limit is 3 MiB; a tenth of it says that no library slipped in.
    expect(size).toBeLessThan(300 * 1024)
  })

  it('is the release that package.json names', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(manifest).toHaveProperty('version', VERSION)
  })
})
