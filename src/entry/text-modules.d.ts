/** What wrangler makes of an imported text file: see the README on configurations over 5 KB. */
declare module '*.txt' {
  const text: string
  export default text
}
