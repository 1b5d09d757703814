import type { Engine } from './engine.ts'
import type { Observer } from './observe.ts'
import type { Settings } from './settings.ts'
import { type History, RequestError, type Spillway } from './types.ts'

export interface TokensParts {
  readonly engine: Engine
  readonly settings: Settings
  readonly observer: Observer
  /** Of a text; never throws. */
  readonly estimate: (text: string) => number
}

/** The use case of estimating: what a history is worth is what masking says of it, by the same code. */
export function createTokens({ engine, settings, observer, estimate }: TokensParts): Spillway['tokens'] {
  const policy = { ...settings.mask.policy, enabled: false }

  function measure(history: History): number {
    try {
      const plan = engine.planMask({ ...history, policy })
      if (!plan.ok) throw new RequestError(plan.pointer, plan.message)
      return plan.render({ ids: [], events: 0 }).report.tokensBefore
    } catch (error) {
      if (error instanceof RequestError) throw error
      return estimate(history.json)
    }
  }

  return (input, caller) =>
    observer.watchNow('tokens', caller, ({ note, engine: timed }) => {
      const tokens = timed(() => (typeof input === 'string' ? estimate(input) : measure(input)))
      note({ tokensBefore: tokens, tokensAfter: tokens })
      return tokens
    })
}
