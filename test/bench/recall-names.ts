/** What the benchmark of recall and its processes agree on. */
export const BENCH_TENANT = 'bench'
export const BENCH_KEY = (id: string) => `7d/${BENCH_TENANT}/${id}`
export const PATTERN = 'payment [0-9]+ refused'
