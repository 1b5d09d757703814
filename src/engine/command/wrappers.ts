/** Programs that run another program given in their arguments, and how to find it there. */

export interface Wrapper {
  /** Leading words that make it a wrapper, after its name: `run` for `uv run`. Empty where the name is enough. */
  readonly words: readonly string[]
  /** Options that take the next word as their value. Every other word that starts with `-` stands alone. */
  readonly valued: readonly string[]
  /** Words between the options and the program: 1 for `timeout 60 prog`, `docker exec box prog`. */
  readonly operands: number
  /** The program may be installed under a package name with a version: `vitest@latest`, `@biomejs/biome`. */
  readonly packages: boolean
  /** Any word may be the wrapper's own script or command: only these programs are taken for wrapped ones. */
  readonly only: ReadonlySet<string> | null
}

/** Test runners, compilers and linters that package managers and Node run by name. */
export const KNOWN_RUNNERS: ReadonlySet<string> = new Set(
  (
    'vitest jest mocha ava tap playwright cypress tsc vue-tsc tsx ts-node eslint biome prettier oxlint stylelint turbo nx ' +
    'vite webpack rollup esbuild next nuxt astro wrangler svelte-check knip c8 nyc prisma drizzle-kit storybook'
  ).split(' '),
)

interface Options {
  readonly valued?: string
  readonly operands?: number
  readonly packages?: boolean
  readonly only?: ReadonlySet<string>
}

function wrapper(words: string, { valued = '', operands = 0, packages = false, only }: Options = {}): Wrapper {
  return { words: list(words), valued: list(valued), operands, packages, only: only ?? null }
}

function list(words: string): string[] {
  return words.split(' ').filter((word) => word !== '')
}

const PACKAGE_OPTIONS = { valued: '-p --package -w --workspace --prefix --cache', packages: true }
const BY_NAME = { valued: '-C --dir --cwd --filter -F --prefix', only: KNOWN_RUNNERS }
const COMPOSE = { valued: '-e --env -w --workdir -u --user --index -f --file -p --project-name --profile', operands: 1 }

/** For each program, its forms; the first whose words fit is taken. Sources: the programs' own help texts. */
export const WRAPPERS: ReadonlyMap<string, readonly Wrapper[]> = new Map(
  Object.entries({
    env: [wrapper('', { valued: '-u --unset -C --chdir -a --argv0' })],
    sudo: [wrapper('', { valued: '-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --chroot' })],
    doas: [wrapper('', { valued: '-u -C' })],
    time: [wrapper('', { valued: '-f --format -o --output' })],
    gtime: [wrapper('', { valued: '-f --format -o --output' })],
    nice: [wrapper('', { valued: '-n --adjustment' })],
    ionice: [wrapper('', { valued: '-c -n -p --class --classdata' })],
    nohup: [wrapper('')],
    setsid: [wrapper('')],
    command: [wrapper('')],
    builtin: [wrapper('')],
    exec: [wrapper('', { valued: '-a' })],
    timeout: [wrapper('', { valued: '-s --signal -k --kill-after', operands: 1 })],
    gtimeout: [wrapper('', { valued: '-s --signal -k --kill-after', operands: 1 })],
    stdbuf: [wrapper('', { valued: '-i -o -e --input --output --error' })],
    unbuffer: [wrapper('')],
    chronic: [wrapper('')],
    'cross-env': [wrapper('')],
    dotenv: [wrapper('', { valued: '-e -v -p' })],
    'xvfb-run': [wrapper('', { valued: '-n -s -e -f -p -w --server-num --server-args --error-file' })],
    npx: [wrapper('', PACKAGE_OPTIONS)],
    pnpx: [wrapper('', PACKAGE_OPTIONS)],
    bunx: [wrapper('', PACKAGE_OPTIONS)],
    npm: [wrapper('exec', PACKAGE_OPTIONS), wrapper('x', PACKAGE_OPTIONS)],
    pnpm: [
      wrapper('exec', PACKAGE_OPTIONS),
      wrapper('dlx', PACKAGE_OPTIONS),
      wrapper('run', BY_NAME),
      wrapper('', BY_NAME),
    ],
    yarn: [
      wrapper('exec', PACKAGE_OPTIONS),
      wrapper('dlx', PACKAGE_OPTIONS),
      wrapper('run', BY_NAME),
      wrapper('', BY_NAME),
    ],
    bun: [wrapper('x', PACKAGE_OPTIONS), wrapper('run', BY_NAME), wrapper('', BY_NAME)],
    node: [wrapper('', { valued: '-r --require --import --loader --env-file -C --conditions', only: KNOWN_RUNNERS })],
    uv: [
      wrapper('run', {
        valued: '--with --extra --group --python -p --package --project --directory --env-file --index-url',
      }),
    ],
    uvx: [wrapper('', { valued: '--with --from --python -p', packages: true })],
    poetry: [wrapper('run', { valued: '-C --directory -P --project' })],
    pipenv: [wrapper('run')],
    pipx: [wrapper('run', { valued: '--spec --python', packages: true })],
    pdm: [wrapper('run', { valued: '-p --project' })],
    rye: [wrapper('run')],
    hatch: [wrapper('run')],
    conda: [wrapper('run', { valued: '-n --name -p --prefix --cwd' })],
    bundle: [wrapper('exec')],
    rbenv: [wrapper('exec')],
    pyenv: [wrapper('exec')],
    asdf: [wrapper('exec')],
    mise: [wrapper('exec', { valued: '-C --cd' }), wrapper('x', { valued: '-C --cd' })],
    docker: [
      wrapper('exec', { valued: '-e --env --env-file -w --workdir -u --user', operands: 1 }),
      wrapper('compose exec', COMPOSE),
    ],
    podman: [wrapper('exec', { valued: '-e --env -w --workdir -u --user', operands: 1 })],
    'docker-compose': [wrapper('exec', COMPOSE)],
  }),
)

/** Shells, which run the line given with `-c`. */
export const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash'])
