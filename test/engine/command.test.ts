import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeCommand, matchesCommand, parseCommand } from '../../src/engine/command.ts'

function words(text: string): string[][] {
  return parseCommand(text).pipelines.flatMap(({ stages }) =>
    stages.map((stage) => (stage.kind === 'simple' ? [stage.name, ...stage.args] : ['(group)'])),
  )
}

/** The program and its arguments, in one string; '-' for none. */
function program(text: string): string {
  const found = describeCommand(parseCommand(text)).program
  return found === null ? '-' : [found.name, ...found.args].join(' ')
}

describe('parseCommand', () => {
  test.each<[string, string[][]]>([
    ['', []],
    ['  \n ', []],
    ['go test ./...', [['go', 'test', './...']]],
    [`a 'b c' "d e" f\\ g`, [['a', 'b c', 'd e', 'f g']]],
    [`a 'it'"'"'s'`, [['a', "it's"]]],
    [`a "x\\"y" "\\$z" "\\n"`, [['a', 'x"y', '$z', '\\n']]],
    [`a $'x\\ty\\'z' $'\\x41\\u00e9\\101'`, [['a', "x\ty'z", 'AéA']]],
    [`a ""`, [['a', '']]],
    ['a \\\n  b', [['a', 'b']]],
    ['a\r\nb\r\n', [['a'], ['b']]],
    ['a # comment && b\nc#d', [['a'], ['c#d']]],
    ['a && b || c; d & e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a | b |& c', [['a'], ['b'], ['c']]],
    ['a &&\n  b |\n c', [['a'], ['b'], ['c']]],
    ['a 2>&1 >out <in b', [['a', 'b']]],
    ['a 2>/dev/null', [['a']]],
    ['a 2 >x', [['a', '2']]],
    ['a &>x', [['a']]],
    ['a <<< "b c" d', [['a', 'd']]],
    ['cat <<EOF | wc -l\nit\'s ( "\nEOF\nb', [['cat'], ['wc', '-l'], ['b']]],
    ["cat <<-'X Y'\n\tbody\n\tX Y\nb", [['cat'], ['b']]],
    ['a $(b "c)" \')\' $(d)) e', [['a', '$(b "c)" \')\' $(d))', 'e']]],
    ['a `b | c` d', [['a', '`b | c`', 'd']]],
    [`a "$(b "c d")" e`, [['a', '$(b "c d")', 'e']]],
    [`a $((1 << 2)) \${x:-"}"} b`, [['a', '$((1 << 2))', `\${x:-"}"}`, 'b']]],
    ['diff <(a | b) <(c) d', [['diff', '<(a | b)', '<(c)', 'd']]],
    [
      `git commit -m "$(cat <<'EOF'\nDon't panic :)\n\n(it's fine\nEOF\n)" && git status`,
      [
        ['git', 'commit', '-m', `$(cat <<'EOF'\nDon't panic :)\n\n(it's fine\nEOF\n)`],
        ['git', 'status'],
      ],
    ],
    ['(a; b) | c', [['(group)'], ['c']]],
    ['{ a; b; } 2>&1', [['(group)']]],
    ['echo {a,b}', [['echo', '{a,b}']]],
    ['[[ a == b && -f c ]] && d', [['[[', 'a', '==', 'b', '-f', 'c'], ['d']]],
    ['C:\\Go\\bin\\go.exe test', [['C:\\Go\\bin\\go.exe', 'test']]],
    ['"C:\\Program Files\\Go\\go.exe" test', [['C:\\Program Files\\Go\\go.exe', 'test']]],
  ])('%j', (text, expected) => {
    expect(parseCommand(text).understood).toBe(true)
    expect(words(text)).toEqual(expected)
  })

  test.each([
    "a 'b",
    'a "b',
    'a `b',
    'a $(b',
    `a \${b`,
    "a $'b",
    '(a',
    'a)',
    '{ a;',
    'a &&',
    '&& a',
    'a | | b',
    'a ;; b',
    'a >',
    'if true; then go test; fi',
    'for i in 1 2; do go test; done',
    'cd x && while true; do date; done',
    'f() { go test; }',
    'a=(1 2)',
    '[[ a',
    '('.repeat(1_000_000),
    '$('.repeat(300_000),
    '"$('.repeat(300_000),
    '{ '.repeat(300_000),
  ])('not understood: %.40j', (text) => {
    expect(parseCommand(text)).toEqual({ understood: false, pipelines: [] })
    expect(describeCommand(parseCommand(text))).toEqual({ program: null, narrowed: false, exitCodeTrusted: false })
  })

  test('assignments, redirections, connectors', () => {
    expect(parseCommand('! FOO=1 BAR="a b" go test 2>&1 >out || x &').pipelines).toEqual([
      {
        connector: null,
        negated: true,
        background: false,
        stages: [
          {
            kind: 'simple',
            name: 'go',
            args: ['test'],
            assignments: ['FOO=1', 'BAR=a b'],
            redirections: [
              { operator: '>&', descriptor: 2, target: '1' },
              { operator: '>', descriptor: null, target: 'out' },
            ],
          },
        ],
      },
      {
        connector: '||',
        negated: false,
        background: true,
        stages: [{ kind: 'simple', name: 'x', args: [], assignments: [], redirections: [] }],
      },
    ])
  })

  test('any string is split and described', () => {
    const unit = fc.constantFrom(...'ab 1=-\'"\\$(){}`|&;<>#!\n[]', '$(', '<<', '&&', '2>&1', 'if ', 'env ', 'bash -c ')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const described = describeCommand(parseCommand(text))
        expect(described).toEqual(describeCommand(parseCommand(text)))
        const { program } = described
        if (program !== null && !program.name.includes(' ')) expect(matchesCommand(program, program.name)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('long lines end', () => {
    for (const piece of [
      'a ',
      'env ',
      'sudo -u x ',
      'a;',
      'a|',
      '\\',
      '<<a\n',
      'x=1 ',
      "''",
      '""',
      'npm exec ',
      'a|head|',
      '-',
    ])
      expect(() => describeCommand(parseCommand(piece.repeat(30_000)))).not.toThrow()
    let nested = 'go test'
    for (let depth = 0; depth < 12; depth += 1) nested = `bash -c ${JSON.stringify(nested)}`
    expect(program(nested)).toBe('-')
  })
})

describe('describeCommand: the program', () => {
  test.each([
    ['go test ./...', 'go test ./...'],
    ['cd /repo && go test ./... -json', 'go test ./... -json'],
    ['cd x && FOO=1 npx vitest run 2>&1 | tail -50', 'vitest run'],
    ['export CI=1; source .venv/bin/activate && python -m pytest -q tests', 'pytest -q tests'],
    ['. .venv/bin/activate; python3 -u -m unittest discover', 'unittest discover'],
    ['set -euo pipefail\ncd /app\nmake test', 'make test'],
    ['cd "/my repo" ; git --no-pager diff HEAD~1', 'git --no-pager diff HEAD~1'],
    ['mkdir -p out && cargo +nightly test --all', 'cargo +nightly test --all'],
    ['sleep 5; docker ps -a', 'docker ps -a'],
    ['go test ./... 2>&1 | head -n 100', 'go test ./...'],
    ['go test ./... 2>&1 | tee test.log', 'go test ./...'],
    ['go test ./... 2>&1 | tee test.log | tail -30', 'go test ./...'],
    ['(cd pkg && go test ./...) 2>&1 | tail -20', 'go test ./...'],
    ['{ go vet ./...; } 2>&1', 'go vet ./...'],
    ['go test ./...; echo "exit: $?"', 'go test ./...'],
    ['echo "--- tests ---" && go test ./...', 'go test ./...'],
    ['go test ./... > out.txt 2>&1; tail -50 out.txt', 'tail -50 out.txt'],
    ['cat package.json', 'cat package.json'],
    ["sed -i '' 's/a/b/' x.ts && npx tsc --noEmit", 'tsc --noEmit'],
    ["cat > /tmp/fix.py <<'EOF'\nprint('(it')\nEOF\npython3 /tmp/fix.py", 'python3 /tmp/fix.py'],
    ['git add -A && git commit -m "x"', 'git commit -m x'],
    ['go build -o app 2>build.log', 'go build -o app'],
    ['go build ./... >&2', 'go build ./...'],
    ['make 2>&1 > >(tee build.log)', 'make'],
    ['echo hello', 'echo hello'],
    ['echo y | npm init', 'npm init'],
    ['go test -json ./... | gotestsum', 'gotestsum'],
    ['grep -rn TODO src | head -20', 'grep -rn TODO src'],
    ['grep -rn TODO src | grep -v test | sort', 'grep -rn TODO src'],
    ['find . -name "*.ts" | grep -v node_modules | head', 'find . -name *.ts'],
    ['cd x || exit 1; go test', 'go test'],
    // wrappers
    ['env -u FOO GOFLAGS=-count=1 go test', 'go test'],
    ['sudo -E -u root FOO=1 apt-get install -y jq', 'apt-get install -y jq'],
    ['time go build ./...', 'go build ./...'],
    ['nice -n 10 nohup make -j8', 'make -j8'],
    ['timeout -k 5 --signal=KILL 60s cargo test', 'cargo test'],
    ['timeout 300 bash -lc "cd /x && pytest -x 2>&1 | tail -100"', 'pytest -x'],
    ['stdbuf -oL -e L python manage.py test', 'python manage.py test'],
    ['command git status', 'git status'],
    ['exec node server.js', 'node server.js'],
    ["bash -c 'go test ./... | tail'", 'go test ./...'],
    ['sh -ec "npm test"', 'npm test'],
    ['eval "go test ./..."', 'go test ./...'],
    ['bash run.sh', 'bash run.sh'],
    ['npx --yes vitest@2.1.0 run', 'vitest run'],
    ['npx @biomejs/biome@2 check .', 'biome check .'],
    ['npx -p typescript tsc --noEmit', 'tsc --noEmit'],
    ['bunx jest', 'jest'],
    ['pnpm exec -- tsc -b', 'tsc -b'],
    ['pnpm --filter web vitest run', 'vitest run'],
    ['yarn jest --ci', 'jest --ci'],
    ['yarn run eslint .', 'eslint .'],
    ['yarn build', 'yarn build'],
    ['npm exec vitest run', 'vitest run'],
    ['npm test', 'npm test'],
    ['npm run lint -- --fix', 'npm run lint -- --fix'],
    ['./node_modules/.bin/tsc -p .', 'tsc -p .'],
    ['node node_modules/vitest/vitest.mjs run', 'vitest run'],
    ['node --import tsx --test test/*.ts', 'node --import tsx --test test/*.ts'],
    ['uv run --with pytest-cov pytest -q', 'pytest -q'],
    ['uv run python -m pytest', 'pytest'],
    ['poetry run pytest', 'pytest'],
    ['pipenv run python -m mypy .', 'mypy .'],
    ['coverage run -m pytest -q', 'pytest -q'],
    ['python -m coverage run --branch -m pytest -q', 'pytest -q'],
    ['bundle exec rspec', 'rspec'],
    ['python -c "print(1)"', 'python -c print(1)'],
    ['docker exec -it -e A=1 web pytest', 'pytest'],
    ['docker compose -f dev.yml exec -T web go test', 'go test'],
    ['docker compose logs web', 'docker compose logs web'],
    ['C:\\Go\\bin\\go.exe test ./...', 'go test ./...'],
    ['.\\node_modules\\.bin\\vitest.cmd run', 'vitest run'],
    ['/usr/local/go/bin/go vet', 'go vet'],
    ['$(npm bin)/eslint .', 'eslint .'],
    ['command -v go', 'command -v go'],
    // none
    ['', '-'],
    ['cd x', '-'],
    ['FOO=1', '-'],
    ['go vet ./... && go test ./...', '-'],
    ['git status; git diff', '-'],
    ['npm run dev & sleep 5; curl localhost', '-'],
    ['go test ./... > out.txt', '-'],
    ['go test ./... &> out.txt', '-'],
    ['go test ./... | grep FAIL', '-'],
    ['go test ./... | sed "s/^/ /"', '-'],
    ['git ls-files | xargs wc -l', '-'],
    ['find . -name x | xargs -n1 go vet', '-'],
    ['(go vet; go test) | tail', '-'],
  ])('%s', (text, expected) => {
    expect(program(text)).toBe(expected)
  })
})

describe('describeCommand: narrowed by hand', () => {
  test.each([
    'grep -c TODO src/x.ts',
    'grep -rc TODO src',
    'grep -rn TODO src | wc -l',
    'wc -l src/*.ts',
    "sed -n '10,50p' src/x.ts",
    "sed -ne '1p' x",
    'jq .scripts package.json',
    'cd x && cat package.json | jq -r .name',
    "awk '{print $1}' x",
    'cut -d: -f1 /etc/passwd | sort',
    'sort x | uniq -c | sort -rn | head',
    'gh pr list --json number,title | jq length',
    'gh pr view 3 --json body',
    'git log --format=%h -5',
    'git log --pretty=format:"%h %s"',
    'git for-each-ref --format "%(refname)"',
    'kubectl get pods -o jsonpath={.items}',
    'kubectl get pods -ojsonpath={.items}',
    'kubectl get pods -o name',
    'go list -f "{{.Dir}}" ./...',
    'docker ps --format "{{.Names}}"',
    'docker inspect -f "{{.State}}" web',
    'go test -json ./... | jq .Test',
    'curl -s x | python3 -c "import json,sys"',
    'ps -eo pid,cmd',
    'grep -c a x; wc -l y; echo done',
    'rg --count TODO',
    'rg -tc TODO -c',
    "bash -c 'wc -l x'",
    'make -n',
    'make -C build -sn all',
    'make --dry-run',
    'make -p',
    'ninja -n',
    'ninja -C out -t commands',
    'gradle build --dry-run',
    './gradlew -m test',
    'npx tsc --listFilesOnly',
    'tsc -p . --showConfig',
    'go test -list . ./...',
    'go test -list=Foo ./...',
    'go build -n ./...',
    'pytest --collect-only -q',
    'npx jest --listTests',
    'ctest -N',
    'cargo test -- --list',
    'find . -name x -print0',
    'find . -print0 | sort -z',
    'git ls-files -z',
    'git status --porcelain -z',
    'git diff --name-only -z HEAD',
    'grep -rlZ foo .',
    'grep -z foo x',
    'rg -0 -l foo',
    'du -0 .',
    'ls --zero',
  ])('%s', (text) => {
    expect(describeCommand(parseCommand(text)).narrowed).toBe(true)
  })

  test.each([
    'go test ./...',
    'go test ./... | grep FAIL',
    'go test ./... | tail -5',
    'grep -rn -e c src',
    'grep -ec src',
    'grep -A2 -f c x',
    'rg -tc TODO',
    'sed -i s/a/n/ x',
    'sed s/a/b/ x',
    'git log --oneline -20',
    'git log --pretty=fuller',
    'git diff --stat',
    'eslint --format json .',
    'kubectl get pods -o wide',
    'docker compose -f x.yml logs -f',
    'go vet ./... && wc -l x',
    'jq -r .files[] x | xargs go vet',
    'cargo metadata --format-version 1',
    'uniq x',
    'cd x',
    'make -j8 -C pn all',
    'ninja -C out -j 4',
    'gradle -p m test',
    'go test ./... -run List',
    'tsc -p .',
    'git commit -m z',
    'git log -Sz',
    'grep -rn -e Z0 .',
  ])('not: %s', (text) => {
    expect(describeCommand(parseCommand(text)).narrowed).toBe(false)
  })
})

describe('describeCommand: what exit code 0 proves', () => {
  test.each([
    'go test ./...',
    'cd x && go test ./... 2>&1',
    'cd x; go test ./...',
    'cd x || exit 1; go test ./...',
    'go vet ./... && go test ./...',
    'go test ./... && echo ok',
    'set -e; go test ./...; echo done',
    'set -euo pipefail; go test ./... | tee log',
    'set -o pipefail && go test ./... | tail -50',
    "bash -c 'go test ./...'",
    "bash -o pipefail -c 'go test | tail'",
    'timeout 60 go test ./...',
    'go test ./... > out.txt',
    '(cd x && go test ./...)',
  ])('%s', (text) => {
    expect(describeCommand(parseCommand(text)).exitCodeTrusted).toBe(true)
  })

  test.each([
    'go test ./... | tail -50',
    'go test ./... | tee log',
    'go test ./... || true',
    'go test ./... || echo failed',
    'go test ./...; true',
    'go test ./...; echo $?',
    'go test ./...\necho $?',
    'go test ./... &',
    '! go test ./...',
    'test -f x || go test ./...',
    'go vet; go test',
    'cd x && go test ./... || true',
    '(go test ./...; true)',
    '(go test ./...) || true',
    "bash -c 'go test ./... | tail'",
    "bash -c 'go test ./...'; true",
    'set -o pipefail; go test ./... | grep FAIL',
    'set -o pipefail; go test ./... | head -5',
    'set -e; set +e; go test ./...; echo done',
    'go test ./... > out.txt; tail out.txt; true',
    '',
  ])('nothing: %s', (text) => {
    expect(describeCommand(parseCommand(text)).exitCodeTrusted).toBe(false)
  })
})

describe('matchesCommand', () => {
  test.each<[string, string]>([
    ['go test ./...', 'go test'],
    ['go -C sub test ./...', 'go test'],
    ['git status --short', 'git status'],
    ['git -C /x -c color.ui=never --no-pager --git-dir=y -P status', 'git status'],
    ['git --git-dir y status', 'git status'],
    ['kubectl -n prod --context x get pods', 'kubectl get'],
    ['docker --context x -H y ps', 'docker ps'],
    ['docker compose -f dev.yml logs web', 'docker compose logs'],
    ['cargo +nightly --config a=b -C dir test', 'cargo test'],
    ['npm --prefix web test', 'npm test'],
    ['npm --silent run build', 'npm run build'],
    ['terraform -chdir=infra plan', 'terraform plan'],
    ['make -j8 all', 'make'],
    ['pytest -q', 'pytest'],
    ['golangci-lint -v run ./...', 'golangci-lint run'],
  ])('%s is %s', (text, command) => {
    const found = describeCommand(parseCommand(text)).program
    expect(found !== null && matchesCommand(found, command)).toBe(true)
  })

  test.each<[string, string]>([
    ['go vet test', 'go test'],
    ['git -C status log', 'git status'],
    ['git log -- status', 'git status'],
    ['go', 'go test'],
    ['gofmt test', 'go test'],
    ['git stash', 'git sta'],
  ])('%s is not %s', (text, command) => {
    const found = describeCommand(parseCommand(text)).program
    expect(found !== null && matchesCommand(found, command)).toBe(false)
  })
})
