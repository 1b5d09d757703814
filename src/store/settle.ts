/** What failed while the rest went on. */
export type Failures = unknown[]

/** What has succeeded; what has not is noted. */
export async function settle<T>(works: readonly Promise<T>[], failures: Failures): Promise<T[]> {
  const results = await Promise.allSettled(works)
  return results.flatMap((each) => {
    if (each.status === 'fulfilled') return [each.value]
    failures.push(each.reason)
    return []
  })
}
