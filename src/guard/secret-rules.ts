import { ID_PATTERN } from '../engine/marker.ts'
import { findPrivateKey } from './private-key.ts'

/** What is to be replaced, in UTF-16 units; the end is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One kind of secret, in the form that its issuer has published. */
export interface SecretRule {
  /** Stands in the place of the secret. */
  readonly name: string
  /** Source of a pattern that occurs in every secret of this kind; without groups, and cheap where it does not occur. */
  readonly keyword: string
  /**
   * The secrets at a keyword, the one that it belongs to first; none where it is something else.
   * @param at where the keyword starts
   */
  find(text: string, at: number): readonly Span[]
}

const NONE: readonly Span[] = []

/**
 * What may stand before a token: nothing, no letter or digit, or one that belongs to an escape (`\n`, `\u0022`, `%3D`)
 * or to a colour.
 */
const BOUNDARY = /(?:^|[^A-Za-z0-9]|\\[nrtbfv0]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,5}m)$/

function startsToken(text: string, at: number): boolean {
  return BOUNDARY.test(text.slice(Math.max(0, at - 9), at))
}

/** A secret that is all of its pattern. Repeats in it are bounded, or run over characters that can't start a new match. */
function token(name: string, keyword: string, pattern: string, boundary: 'boundary' | 'anywhere'): SecretRule {
  const whole = new RegExp(pattern, 'y')
  return {
    name,
    keyword,
    find(text, at) {
      whole.lastIndex = at
      const length = whole.exec(text)?.[0].length
      if (length === undefined || (boundary === 'boundary' && !startsToken(text, at))) return NONE
      return [{ start: at, end: at + length }]
    },
  }
}

/** A secret behind a name that stays: the pattern's first group is what stays, the second the secret. */
function labelled(
  name: string,
  keyword: string,
  pattern: string,
  isSecret: (secret: string, label: string) => boolean,
): SecretRule {
  const whole = new RegExp(pattern, 'y')
  return {
    name,
    keyword,
    find(text, at) {
      whole.lastIndex = at
      const [, label = '', secret = ''] = whole.exec(text) ?? []
      if (secret === '' || ID_PATTERN.test(secret) || !isSecret(secret, label)) return NONE
      const start = at + label.length
      return [{ start, end: start + secret.length }]
    },
  }
}

/** Between a name and its value: quotes, escaped or not, and `:`, `=` or `=>`. */
const ASSIGN = `(?:\\\\{0,3}["'])?[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}(?:\\\\{0,3}["'])?`
/** What stands for a password in templates and documentation, and is none. */
const PLACEHOLDER = /^(?:[$[{*]|%[a-z({]|x+$|X+$|\.+$)/

const awsKeyId: SecretRule = {
  name: 'aws-access-key',
  keyword: 'A[KS]IA',
  find(text, at) {
    AWS_KEY_ID.lastIndex = at
    if (!AWS_KEY_ID.test(text) || !startsToken(text, at)) return NONE
    const id = { start: at, end: at + 20 }
    // The secret is 40 characters without a form of its own: it is known by its neighbour, and by being no hash.
    for (const { 0: found, index } of text.slice(id.end, id.end + 200).matchAll(AWS_SECRET)) {
      const start = id.end + index
      if (/[A-Z]/.test(found) && /[a-z]/.test(found) && /\d/.test(found)) return [id, { start, end: start + 40 }]
    }
    return [id]
  },
}
const AWS_KEY_ID = /A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/y
const AWS_SECRET = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g

const telegram: SecretRule = {
  name: 'telegram-bot-token',
  keyword: ':AA',
  find(text, at) {
    TELEGRAM.lastIndex = at
    if (!TELEGRAM.test(text)) return NONE
    const digits = /\d{8,10}$/.exec(text.slice(Math.max(0, at - 10), at))?.[0].length ?? 0
    for (let start = at - digits; start <= at - 8; start += 1) {
      // An address has it right behind `/bot`; digits of an escape are none of its own.
      if (!/\d/.test(text.charAt(start - 1)) || startsToken(text, start)) return [{ start, end: at + 36 }]
    }
    return NONE
  },
}
const TELEGRAM = /:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/y

const jwt: SecretRule = {
  name: 'jwt',
  keyword: 'eyJ',
  find(text, at) {
    // Each run of token characters is read once, from its start: these runs have no bound.
    if (!startsToken(text, at) || /[_-]/.test(text.charAt(at - 1))) return NONE
    JWT.lastIndex = at
    const [whole = '', header = '', payload = ''] = JWT.exec(text) ?? []
    if (whole === '') return NONE
    const head = decodeObject(header)
    if (head === null || !('alg' in head) || decodeObject(payload) === null) return NONE
    return [{ start: at, end: at + whole.length }]
  },
}
const JWT = /(eyJ[A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]{16,}/y

/** A JSON object in base64url; null for anything else. */
function decodeObject(text: string): object | null {
  const json = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  try {
    const value: unknown = json === null ? null : JSON.parse(json)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function decodeBase64(text: string): string | null {
  try {
    return atob(text)
  } catch {
    return null
  }
}

/** Random tokens of this length have digits or both cases; words with underscores in documentation have neither. */
function looksRandom(value: string): boolean {
  return /\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value))
}

function isCredential(secret: string, label: string): boolean {
  if (!/basic[ \t]+$/i.test(label)) return looksRandom(secret)
  // RFC 7617: base64 of user:password.
  return /^[^:\x00-\x1f\x7f]*:[^\x00-\x1f\x7f]+$/.test(decodeBase64(secret) ?? '')
}

const always = () => true

/** The first whose keyword stands at a place is the one that looks at it. */
export const SECRET_RULES: readonly SecretRule[] = [
  awsKeyId,
  labelled(
    'aws-secret-key',
    '[Ss]ecret_?[Aa]ccess_?[Kk]ey|SECRET_ACCESS_KEY',
    `((?:[Ss]ecret_?[Aa]ccess_?[Kk]ey|SECRET_ACCESS_KEY)${ASSIGN})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    always,
  ),
  labelled(
    'aws-session-token',
    '[Ss]ession_?[Tt]oken|SESSION_TOKEN',
    `((?:[Ss]ession_?[Tt]oken|SESSION_TOKEN)${ASSIGN})([A-Za-z0-9/+]{100,4096}={0,2})`,
    looksRandom,
  ),
  token('github-token', 'gh[pousr]_', 'gh[pousr]_[A-Za-z0-9]{36,251}', 'anywhere'),
  token('github-token', 'github_pat_', 'github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}', 'anywhere'),
  token('gitlab-token', 'glpat-', 'glpat-[A-Za-z0-9_-]{20,300}(?:\\.[a-z0-9]{2,9}){0,2}', 'anywhere'),
  token('slack-token', 'xox[abeoprs]-', 'xox[abeoprs]-(?:[a-z]-)?\\d{1,13}-[A-Za-z0-9-]{20,400}', 'anywhere'),
  token('slack-token', 'xapp-', 'xapp-\\d-[A-Z0-9]{8,14}-\\d{8,14}-[a-f0-9]{32,128}', 'anywhere'),
  labelled(
    'slack-webhook',
    'hooks\\.slack\\.com/',
    '(hooks\\.slack\\.com/(?:services|workflows|triggers)/)([A-Z0-9]{8,14}/[A-Z0-9]{8,20}/[A-Za-z0-9/]{20,80})',
    always,
  ),
  token('stripe-key', '[sr]k_live_', '[sr]k_live_[A-Za-z0-9]{16,247}', 'anywhere'),
  token('google-api-key', 'AIza', 'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])', 'boundary'),
  token('npm-token', 'npm_', 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])', 'anywhere'),
  token('pypi-token', 'pypi-AgE', 'pypi-AgE[A-Za-z0-9_-]{50,2000}', 'anywhere'),
  token('anthropic-key', 'sk-ant-', 'sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{60,200}', 'anywhere'),
  token('openai-key', 'sk-(?:proj|svcacct|admin)-', 'sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}', 'boundary'),
  // The middle of these keys is the same in all of them.
  token('openai-key', 'sk-[A-Za-z0-9]{20}T3B', 'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}(?![A-Za-z0-9])', 'anywhere'),
  token('hugging-face-token', 'hf_', 'hf_[A-Za-z0-9]{34,40}(?![A-Za-z0-9_])', 'boundary'),
  token('twilio-key', 'SK[0-9a-f]{4}', 'SK[0-9a-f]{32}(?![A-Za-z0-9])', 'boundary'),
  token('sendgrid-key', 'SG\\.', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])', 'boundary'),
  telegram,
  token('digitalocean-token', 'do[opr]_v1_', 'do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9])', 'anywhere'),
  labelled('azure-storage-key', 'AccountKey=', '(AccountKey=)([A-Za-z0-9+/]{86}==)', always),
  jwt,
  { name: 'private-key', keyword: '-----BEGIN ', find: findPrivateKey },
  labelled(
    'authorization',
    '[Aa]uthorization|AUTHORIZATION',
    `((?:[Aa]uthorization|AUTHORIZATION)${ASSIGN}(?:[Bb]earer|BEARER|[Tt]oken|[Bb]asic|BASIC)[ \\t]{1,4})([A-Za-z0-9._~+/-]{15,8192}[A-Za-z0-9_~+/-]={0,2}|[A-Za-z0-9+/]{4,15}={0,2})`,
    isCredential,
  ),
  labelled(
    'url-password',
    '://',
    '(://[^\\s:/?#@"\'`<>\\\\]{0,128}:)([^\\s/?#@"\'`<>\\\\]{1,256})@(?!sha\\d{3}:)[A-Za-z0-9[_-]',
    (secret) => !PLACEHOLDER.test(secret),
  ),
]
