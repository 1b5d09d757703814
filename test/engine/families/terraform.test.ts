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
  expect(shown).not.toContain('Still creating')
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
