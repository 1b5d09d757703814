import { expect, test } from 'vitest'
import { terraform } from '../../../src/engine/families/terraform.ts'
import { condensed, recorded, strategyOf } from './condensed.ts'

test.each(['plan-mixed', 'apply-create', 'apply-fails', 'destroy', 'plan-colour'])(
  '%s is condensed by terraform',
  (name) => {
    const { text, command } = recorded('terraform', name)
    expect(strategyOf(text, command)).toBe('terraform')
  },
)

test('every changed attribute of a plan stays', () => {
  const { text, command } = recorded('terraform', 'plan-mixed')
  const shown = condensed(text, command)
  for (const line of text
    .split('\n')
    .filter((one) => /^\s+[-~+] /.test(one) && !/ resource "|^ {2}[-~+] (?:create|destroy|update)/.test(one)))
    expect(shown).toContain(line.trim())
  expect(shown).toContain('-/+ # terraform_data.migrate must be replaced')
})

test('a resource whose creation never ended keeps its start', () => {
  const lines = [
    'aws_instance.a: Creating...',
    'aws_instance.b: Creating...',
    'aws_instance.a: Creation complete after 2s [id=i-1]',
  ]
  for (let i = 1; i <= 30; i += 1) lines.push(`aws_instance.b: Still creating... [${i}0s elapsed]`)
  const shown = condensed(lines.join('\n'), 'terraform apply -auto-approve')
  expect(shown).toContain('aws_instance.b: Creating...')
  expect(shown).toContain('aws_instance.b: Still creating... [300s elapsed]')
  expect(shown).not.toContain('Still creating... [290s')
})

test('killed while a resource is replaced: the creation, though its destruction ended', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `aws_s${i}.x: Refreshing state... [id=${i}]`)
  lines.push(
    'data.aws_ami.slow: Reading...',
    'Plan: 1 to add, 0 to change, 1 to destroy.',
    'aws_db.a: Destroying... [id=db-1]',
    'aws_db.a: Destruction complete after 1s',
    'aws_db.a: Creating...',
    'aws_db.a: Still creating... [10s elapsed]',
    'aws_db.a: Still creating... [20s elapsed]',
  )
  const shown = condensed(lines.join('\n'), 'terraform apply -auto-approve', 137)
  expect(shown).toContain('aws_db.a: Creating...\n')
  expect(shown).toContain('aws_db.a: Still creating... [20s elapsed]')
  expect(shown).toContain('data.aws_ami.slow: Reading...')
  expect(shown).toContain('incomplete: the output ends before the apply does')
  expect(shown).not.toContain('Destroying...')
})

test('events killed while a resource is made: its start, and no success of the plan before it', () => {
  const event = (type: string, text: string, hook: object): string =>
    JSON.stringify({ '@level': 'info', '@message': text, '@module': 'terraform.ui', type, hook })
  const of = (addr: string, action: string): object => ({ resource: { addr }, action })
  const lines = Array.from({ length: 30 }, (_, i) => [
    event('refresh_start', `a.x${i}: Refreshing state...`, { resource: { addr: `a.x${i}` } }),
    event('refresh_complete', `a.x${i}: Refresh complete`, { resource: { addr: `a.x${i}` } }),
  ]).flat()
  lines.push(
    event('change_summary', 'Plan: 1 to add, 0 to change, 1 to destroy.', {}),
    event('apply_start', 'a.db: Destroying...', of('a.db', 'delete')),
    event('apply_complete', 'a.db: Destruction complete', of('a.db', 'delete')),
    event('apply_start', 'a.db: Creating...', of('a.db', 'create')),
    event('apply_progress', 'a.db: Still creating... [10s elapsed]', of('a.db', 'create')),
  )
  const shown = condensed(lines.join('\n'), 'terraform apply -json -auto-approve', 137)
  expect(shown).toContain('a.db: Creating...\na.db: Still creating... [10s elapsed]')
  expect(shown).toContain('incomplete: the output ends before the summary')
  expect(shown).not.toContain('a.db: Destroying...')
})

test('a plan that is cut in a block is said to be, and what follows stays as it is', () => {
  const { text, command } = recorded('terraform', 'plan-mixed')
  const lines = text.split('\n')
  const from = lines.findIndex((line) => /^ {6}[-+~] /.test(line))
  const after = [
    'Terminated by watchdog after 600s',
    '... [312 lines truncated] ...',
    '  # aws_db.prod will be destroyed',
    '  - resource "aws_db" "prod" {',
  ]
  const shown = condensed([...lines.slice(0, from + 1), ...after].join('\n'), command, 143)
  expect(shown).toContain('incomplete: the output ends before the plan does')
  for (const line of after.slice(0, 2)) expect(shown.split('\n')).toContain(line)
  expect(shown).toContain('# aws_db.prod will be destroyed')
  expect(condensed(text, command)).not.toContain('incomplete')
})

test('what another program says stays as it is, wherever it cuts a plan', () => {
  const { text, command } = recorded('terraform', 'plan-mixed')
  const lines = text.split('\n')
  for (let cut = 1; cut < lines.length; cut += 1)
    for (const said of ['Terminated', '  Killed by the watchdog', '    deeper words'])
      expect(condensed([...lines.slice(0, cut), said].join('\n'), command).split('\n')).toContain(said)
})

test('every plan that was recorded whole is not said to be cut, and cut anywhere is', () => {
  for (const name of ['plan-mixed', 'plan-colour', 'plan-create', 'plan-tainted', 'apply-create', 'destroy']) {
    const { text, command } = recorded('terraform', name)
    expect(condensed(text, command)).not.toContain('incomplete:')
    const lines = text.split('\n')
    const half = lines.slice(0, Math.floor(lines.length / 2)).join('\n')
    const shown = condensed(half, command)
    if (shown !== half) expect(shown).toContain('incomplete:')
  }
})

test('an event stream that is cut off is said to be; a diagnostic keeps its place', () => {
  const { text, command } = recorded('terraform', 'plan-json')
  expect(condensed(text.slice(0, 11_000), command)).toContain('incomplete: the output ends before the summary')
  const event = {
    '@level': 'error',
    '@message': 'Error: Invalid value',
    '@module': 'terraform.ui',
    type: 'diagnostic',
    diagnostic: { severity: 'error', detail: 'At most nine.', range: { filename: 'main.tf', start: { line: 4 } } },
  }
  const shown = condensed(`${text}${JSON.stringify(event)}\n`, command)
  expect(shown).toContain('Error: Invalid value\n  on main.tf line 4\nAt most nine.')
})

test('prose about a plan is no plan', () => {
  expect(terraform.detect(['We said that Terraform will perform the following actions: none.'])).toBe(false)
})
