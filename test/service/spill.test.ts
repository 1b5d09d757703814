import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/service/settings.ts'
import { createSpiller } from '../../src/service/spill.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createTimer } from '../doubles/timer.ts'

test('whatever a store throws is a StoreError with its cause', async () => {
  const cause = new TypeError('socket closed')
  const { store } = createStore(() => Promise.reject(cause))
  const spiller = createSpiller(store, keyOf, defaultSettings.store, createTimer().timer)
  const failed = spiller.ask((reached) => reached.get('acme', 'o_t'))
  await expect(failed).rejects.toMatchObject({ name: 'StoreError', message: 'store: socket closed', cause })
})
