import { beginning } from './json-guards';

const DETAIL_MAX_CHARS = 500;
/** A shared run this long between a vendor's message and the prompt is the prompt being quoted. */
const QUOTE_CHARS = 16;

/** Texts that must never show in a detail. */
export interface Confidential {
  apiKey: string;
  /** Absent where it is not known, as when a job is asked about; a vendor's words, which may quote it, are then left out. */
  prompt?: string;
}

/** Shorter parts of a key are common words, or numbers. */
const KEY_PART_MIN_CHARS = 8;

/**
 * Makes a vendor's words fit for logs and operators: without the key, the prompt or any run of 16 characters of it,
 * links, long opaque tokens and half-masked keys; one line, at most 500 characters.
 */
export function faultDetail(words: string, { apiKey, prompt = '' }: Confidential): string {
  return maskedBeginning(words, DETAIL_MAX_CHARS, { apiKey, prompts: [prompt] });
}

interface Secrets {
  apiKey: string;
  prompts: readonly string[];
}

/**
 * At most so many characters of a text, masked. A vendor may quote a whole body, of which eight times as many are scanned. Masks shorten
 * a text, so what was cut off can have begun within the part that is shown: the beginning of a key or of a token is dropped with the rest.
 */
export function maskedBeginning(words: string, maxChars: number, secrets: Secrets): string {
  const scanned = words.slice(0, 8 * maxChars);
  const masked =
    scanned.length === words.length
      ? maskConfidential(words, secrets)
      : maskConfidential(withoutBegunKey(maskKeys(scanned, secrets), secrets), secrets).replace(
          / ?[\w+/=*:-]{1,80}$/,
          '',
        );
  return masked.length <= maxChars ? masked : `${beginning(masked, maxChars - 1)}…`;
}

function maskKeys(words: string, { apiKey }: Pick<Secrets, 'apiKey'>): string {
  return keysIn(apiKey).reduce((masked, key) => masked.replaceAll(key, '[key]'), words);
}

function withoutBegunKey(words: string, { apiKey }: Pick<Secrets, 'apiKey'>): string {
  const begun = keysIn(apiKey).map((key) => {
    let length = Math.min(key.length - 1, words.length);
    while (!words.endsWith(key.slice(0, length))) length -= 1;
    return length;
  });
  return words.slice(0, words.length - Math.max(0, ...begun));
}

/**
 * A key as a vendor may repeat it: as it is, a part of `access:secret`, or as a query or HTTP Basic spells it. Longer ones come first,
 * since a shorter one may be a piece of them.
 */
function keysIn(apiKey: string): string[] {
  const parts = apiKey.split(':').filter((part) => part.length >= KEY_PART_MIN_CHARS);
  // A secret behind an id may have a colon itself.
  const behindId = apiKey.slice(apiKey.indexOf(':') + 1);
  const raw = [apiKey, ...(behindId.length >= KEY_PART_MIN_CHARS ? [behindId] : []), ...parts];
  const inQueries = raw.flatMap((key) => [encodeURIComponent(key), String(new URLSearchParams([['', key]])).slice(1)]);
  const spellings = new Set([...raw, ...inQueries, Buffer.from(apiKey).toString('base64')]);
  return [...spellings].filter((key) => key !== '').sort((one, other) => other.length - one.length);
}

/** The same on one line, whatever its length, without halves of characters: cuts and masks leave some, and no database keeps them as JSON. */
export function maskConfidential(words: string, { apiKey, prompts }: Secrets): string {
  let masked = maskKeys(words, { apiKey });
  for (const prompt of prompts) masked = maskQuotes(masked, prompt);
  masked = masked.replace(/\bhttps?:\/\/[^\s"]+/gi, '[link]');
  // Looked for first: where none is, the expression tries every character of every word.
  if (masked.includes('**')) masked = masked.replace(/[\w-]*\*{2,}[\w-]*/g, '[masked]');
  return (
    masked
      .replace(/\b(?:sk|pk|rk|AIza|Bearer)[-_ ]?[\w-]{8,}/g, '[key]')
      .replace(/[\w+/=-]{40,}/g, '[token]')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a vendor's control characters must not reach a terminal.
      .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
      .replace(/\p{Surrogate}/gu, '')
      .trim()
  );
}

function maskQuotes(words: string, prompt: string): string {
  const haystack = words.toLowerCase();
  const needle = prompt.trim().toLowerCase();
  const length = Math.min(QUOTE_CHARS, needle.length);
  // Shorter prompts, and lower-casing that changes lengths, would mask by accident or miss the place.
  if (length < 4 || haystack.length !== words.length) return length < 4 ? words : '[masked]';
  if (!mayQuote(haystack, needle, length)) return words;
  const windows = new Set<string>();
  for (let start = 0; start + length <= needle.length; start += 1) windows.add(needle.slice(start, start + length));
  let masked = '';
  let quotedUntil = 0;
  for (let index = 0; index < words.length; index += 1) {
    if (windows.has(haystack.slice(index, index + length))) {
      if (index >= quotedUntil) masked += '[prompt]';
      quotedUntil = index + length;
    }
    if (index >= quotedUntil) masked += words[index];
  }
  return masked;
}

/**
 * False: no run of `length` characters is shared. Whatever shares one shares one of the blocks, half as long, that the haystack is cut
 * into: each run has a whole block in it. Most answers quote nothing, and are through with a few look-ups.
 */
function mayQuote(haystack: string, needle: string, length: number): boolean {
  const block = Math.floor((length + 1) / 2);
  for (let start = 0; start + block <= haystack.length; start += block) {
    if (needle.includes(haystack.slice(start, start + block))) return true;
  }
  return false;
}
