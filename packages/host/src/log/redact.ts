const MAX_TEXT_CHARACTERS = 500;
/** Characters of a long text that are searched; the rest is dropped unseen. */
const MAX_SEARCHED_CHARACTERS = 16_384;
const MAX_DEPTH = 4;
const MAX_ITEMS = 50;
const HIDDEN = '***';

/** Patterns of what must never be read in a log, wherever it stands in a text. `$1` is the part that may stay. */
const SECRETS: readonly [pattern: RegExp, shown: string][] = [
  [/\bdata:[a-z]*\/?[^\s"',]{0,200},[^\s"']*/gi, HIDDEN],
  [/\b(postgres(?:ql)?|rediss?):\/\/\S*@/gi, `$1://${HIDDEN}@`],
  [/:\/\/[^\s/?#]*@/g, `://${HIDDEN}@`],
  [/([?&][\w.-]*(?:signature|sig|expires|key|token|secret|password|credential)=)[^&\s"']*/gi, `$1${HIDDEN}`],
  [/\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:[a-z]+ +)?[^\s"',}]+/gi, `$1${HIDDEN}`],
  [/\b((?:[a-z]+-)*api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',}]+/gi, `$1${HIDDEN}`],
  [/\bbearer\s+[^\s"',}]+/gi, HIDDEN],
  [/mg(?:o|_test)?_[a-z0-9]{6,}_[a-z0-9]+/gi, HIDDEN],
  [/whsec_[\w+/=-]+/gi, HIDDEN],
  [/\bsk-[\w-]{8,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, HIDDEN],
];

/** Finds every text with a line break or with a match of one of the patterns: most texts, as names and numbers, have neither. */
const SUSPICIOUS = /[:=?&\r\n]|bearer|mgo?_|whsec_|sk-|AIza|eyJ/i;

/** Texts that look suspicious and hide nothing, as names of routes do: every request has one in its line. Forgotten when they are many. */
const harmless = new Set<string>();
const MAX_HARMLESS = 500;
const MAX_HARMLESS_CHARACTERS = 100;

/** A field of such a name shows nothing of its value, whatever it looks like. */
const SECRET_NAME = /secret|password|pepper|authorization|signature|api_?key/i;

/**
 * One line that is safe to print, of 500 characters at most. Secrets go before the text is cut, and a text too long to be
 * searched loses its last word, so that no cut can leave a part of a secret that is no longer recognised.
 */
export function redact(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS && !SUSPICIOUS.test(text)) return text;
  if (text.length > MAX_HARMLESS_CHARACTERS) return redactSuspicious(text);
  if (harmless.has(text)) return text;
  const clean = redactSuspicious(text);
  if (clean === text) {
    if (harmless.size >= MAX_HARMLESS) harmless.clear();
    harmless.add(text);
  }
  return clean;
}

function redactSuspicious(text: string): string {
  const searched = text.length > MAX_SEARCHED_CHARACTERS ? text.slice(0, MAX_SEARCHED_CHARACTERS) : text;
  let clean = searched;
  for (const [pattern, shown] of SECRETS) clean = clean.replace(pattern, shown);
  if (searched !== text) clean = `${withoutLastWord(clean)}…`;
  clean = clean.replace(/[\r\n]+[ \t]*/g, ' ');
  return clean.length > MAX_TEXT_CHARACTERS ? `${clean.slice(0, MAX_TEXT_CHARACTERS)}…` : clean;
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same for whatever a field of a log line holds, to a depth of 4. What is of no known kind is named, not shown. */
export function redactValue(value: unknown, name = '', depth = 0): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (SECRET_NAME.test(name)) return HIDDEN;
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return value.toISOString();
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redactValue(item, name, depth + 1));
  if (!isPlain(value)) return `[${typeof value}]`;
  const fields = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(fields.map(([field, item]) => [field, redactValue(item, field, depth + 1)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const MAX_CAUSES = 3;
const MAX_FRAMES = 5;

/**
 * Name, message and first frames, with causes and the first errors of an aggregate; never the fields of the error itself, which
 * may hold headers and bodies.
 */
export function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return describeThrown(error);
  const parts = [redact(`${error.name}: ${error.message}`)];
  if (depth === 0) parts.push(...framesOf(error));
  if (depth < MAX_CAUSES) {
    const inner = error instanceof AggregateError ? error.errors.slice(0, MAX_CAUSES) : [];
    if (error.cause !== undefined) inner.unshift(error.cause);
    parts.push(...inner.map((cause) => `<- ${describeError(cause, depth + 1)}`));
  }
  return parts.join(' ');
}

/** Shows a text, or the texts and numbers of a plain object, as libraries throw them; nothing that is nested. */
function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return redact(thrown);
  const fields = isPlain(thrown) ? Object.entries(thrown).slice(0, MAX_ITEMS) : [];
  const shown = fields.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  if (shown.length === 0) return `[thrown ${typeof thrown}]`;
  return JSON.stringify(Object.fromEntries(shown.map(([name, value]) => [name, redactValue(value, name)])));
}

/** The frames of an error's stack, which begins with the message and all its lines. */
function framesOf({ stack = '' }: Error): string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.slice(0, MAX_FRAMES).map((frame) => redact(frame.trim()));
}
