import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Bundle {
  readonly text: string
  readonly metafile: Metafile
}

/** Bundles a source file for a runtime without Node's modules: any import of one would fail here. */
export async function bundle(entry: string, options: { minify?: boolean; globalName?: string } = {}): Promise<Bundle> {
  const { minify = false, globalName } = options
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    minify,
    ...(globalName === undefined ? { format: 'esm' } : { format: 'iife', globalName }),
  })
  const [file] = result.outputFiles
  if (file === undefined) throw new Error(`nothing was bundled of ${entry}`)
  return { text: file.text, metafile: result.metafile }
}
