/** Letters and digits that look random and are the same on every run; each number gives others. */
export function noise(length: number, number = 1, alphabet = ALPHANUMERIC): string {
  let state = (number * 2_654_435_761 + 12_345) >>> 0
  let text = ''
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += alphabet[(state >>> 16) % alphabet.length]
  }
  return text
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ALPHANUMERIC = `${UPPER}${UPPER.toLowerCase()}0123456789`
const HEX = '0123456789abcdef'
const TOKEN = `${ALPHANUMERIC}_-`
const BASE64 = `${ALPHANUMERIC}+/`

const base64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * A key of each kind: how it stands in an output, and what of it must not be seen. Put together here, so that no text
 * in the form of a key stands in any file.
 */
export function keysOf(n: number): readonly (readonly [name: string, shown: string, secret: string])[] {
  const all = (name: string, secret: string): readonly [string, string, string] => [name, secret, secret]
  const pem = Array.from({ length: 4 }, (_, i) => noise(64, n + i, BASE64))
  const label = `${'-'.repeat(5)}BEGIN RSA PRIVATE ${'KEY'}${'-'.repeat(5)}`
  const footer = label.replace('BEGIN', 'END')
  const awsId = `AK${'IA'}${noise(16, n, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`
  const awsSecret = `aB3${noise(37, n, BASE64)}`
  const session = noise(200, n, BASE64)
  const hook = `T${noise(8, n, UPPER)}/B${noise(10, n, UPPER)}/${noise(24, n)}`
  const storage = `${noise(86, n, BASE64)}==`
  const basic = Buffer.from(`deploy:${noise(12, n)}`).toString('base64')
  const bearer = `r4${noise(40, n, TOKEN)}`
  const password = noise(14, n)
  return [
    all('aws-access-key', awsId),
    ['aws-access-key', `Access key ID,Secret access key\n${awsId},${awsSecret}`, awsSecret],
    ['aws-secret-key', `"SecretAccessKey": "${awsSecret}"`, awsSecret],
    ['aws-secret-key', `export AWS_SECRET_ACCESS_KEY=${awsSecret}`, awsSecret],
    ['aws-session-token', `\\"SessionToken\\": \\"${session}\\"`, session],
    ...['p', 'o', 'u', 's', 'r'].map((kind) => all('github-token', `gh${kind}_${noise(36, n)}`)),
    all('github-token', `github_${'pat'}_${noise(22, n)}_${noise(59, n)}`),
    all('gitlab-token', `gl${'pat'}-${noise(20, n, TOKEN)}`),
    all('slack-token', `xox${'b'}-${noise(12, n, '123')}-${noise(12, n, '456')}-${noise(24, n)}`),
    all('slack-token', `xa${'pp'}-1-A${noise(10, n, UPPER)}-${noise(13, n, '123')}-${noise(64, n, HEX)}`),
    ['slack-webhook', `https://hooks.slack.${'com'}/services/${hook}`, hook],
    all('stripe-key', `sk_${'live'}_${noise(24, n)}`),
    all('stripe-key', `rk_${'live'}_${noise(99, n)}`),
    all('google-api-key', `AI${'za'}${noise(35, n, TOKEN)}`),
    all('npm-token', `np${'m'}_${noise(36, n)}`),
    all('pypi-token', `py${'pi'}-AgEIcHlwaS5vcmc${noise(140, n, TOKEN)}`),
    all('openai-key', `sk-${'proj'}-${noise(120, n, TOKEN)}`),
    all('openai-key', `sk-${noise(20, n)}T3Blbk${'FJ'}${noise(20, n)}`),
    all('anthropic-key', `sk-${'ant'}-api03-${noise(93, n, TOKEN)}AA`),
    all('hugging-face-token', `hf${'_'}${noise(34, n)}`),
    all('twilio-key', `S${'K'}${noise(32, n, HEX)}`),
    all('sendgrid-key', `S${'G'}.${noise(22, n, TOKEN)}.${noise(43, n, TOKEN)}`),
    all('telegram-bot-token', `${noise(10, n, '123456789')}:A${'A'}${noise(33, n, TOKEN)}`),
    all('digitalocean-token', `dop${'_v1'}_${noise(64, n, HEX)}`),
    ['azure-storage-key', `AccountName=logs;Account${'Key'}=${storage};EndpointSuffix=core.windows.net`, storage],
    all('jwt', `${base64Url({ alg: 'HS256', typ: 'JWT' })}.${base64Url({ sub: `${n}` })}.${noise(43, n, TOKEN)}`),
    ['private-key', [label, ...pem, footer].join('\n'), pem.join('\n')],
    ['private-key', `{"private_key": "${[label, ...pem, footer, ''].join('\\n')}"}`, pem.join('\\n')],
    ['authorization', `> Authorization: Bearer ${bearer}`, bearer],
    ['authorization', `{"authorization":"Basic ${basic}"}`, basic],
    ['url-password', `postgres://app:${password}@db.internal:5432/app`, password],
  ]
}
