import { compileGlob } from './glob.ts'
import type { MaskPolicy } from './policy.ts'

/**
 * How many of its own tokens a model makes of one estimated token, by its name. A threshold is given in the model's
 * tokens, so sizes are multiplied by this before they are held against one; nothing else is.
 * @param model a name as its provider writes it (`claude-opus-4-5`, `us.anthropic.claude-…-v1:0`); null where unknown
 */
export function createScale(policy: Pick<MaskPolicy, 'scale' | 'scales'>): (model: string | null) => number {
  const { scale, scales } = policy
  if (scale !== null) return () => scale
  const entries = scales.map((entry) => ({ matches: compileGlob(entry.model.toLowerCase()), scale: entry.scale }))
  const known = new Map<string, number>()
  return (model) => {
    if (model === null) return 1
    let found = known.get(model)
    if (found === undefined) {
      const name = model.toLowerCase()
      found = entries.find(({ matches }) => matches(name))?.scale ?? 1
      known.set(model, found)
    }
    return found
  }
}
