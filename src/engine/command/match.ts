import type { Program } from '../command.ts'

/** Options that stand before a subcommand and take the next word as their value, by program. */
const VALUED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    git: '-C -c --git-dir --work-tree --namespace --config-env',
    go: '-C',
    kubectl:
      '-n --namespace --context --cluster --user --kubeconfig -s --server --as --as-group --token --request-timeout',
    oc: '-n --namespace --context --cluster --user --kubeconfig -s --server',
    helm: '-n --namespace --kube-context --kubeconfig',
    docker:
      '-c --context -H --host --config -l --log-level -f --file -p --project-name --project-directory --profile --env-file',
    podman: '-c --connection --log-level --root',
    'docker-compose': '-f --file -p --project-name --project-directory --profile --env-file',
    cargo: '-C --config -Z --color',
    npm: '--prefix -w --workspace -C --loglevel',
    pnpm: '--filter -F -C --dir --loglevel',
    yarn: '--cwd',
    bun: '--cwd --filter',
    dotnet: '',
    terraform: '',
    mvn: '-f --file -pl --projects -P -s --settings -T --threads',
    gradle: '-p --project-dir -b --build-file -c --settings-file -x --exclude-task',
    gradlew: '-p --project-dir -b --build-file -c --settings-file -x --exclude-task',
    gh: '-R --repo',
    aws: '--profile --region --output --endpoint-url',
    poetry: '-C --directory -P --project',
    uv: '--directory --project --config-file --cache-dir',
    'golangci-lint': '',
  }).map(([name, options]) => [name, options.split(' ')]),
)

/**
 * Whether `program` is the command named by leading words, options between them passed over: `git -C x --no-pager log -3`
 * is `git log`. @param command words joined by single spaces: `go test`, `pytest`, `docker compose logs`
 */
export function matchesCommand(program: Program, command: string): boolean {
  // First, since it settles almost all, and takes nothing apart.
  if (!command.startsWith(program.name)) return false
  const [name, ...words] = command.split(' ')
  if (name !== program.name) return false
  const valued = VALUED.get(program.name) ?? []
  let i = 0
  for (const word of words) {
    i = skipOptions(program.args, i, valued)
    if (program.args[i] !== word) return false
    i += 1
  }
  return true
}

function skipOptions(args: readonly string[], from: number, valued: readonly string[]): number {
  let i = from
  for (;;) {
    const arg = args[i]
    // `cargo +nightly test`: a toolchain stands where an option may.
    if (arg === undefined || arg === '--' || !(arg.startsWith('-') || arg.startsWith('+'))) return i
    i += valued.includes(arg) ? 2 : 1
  }
}
