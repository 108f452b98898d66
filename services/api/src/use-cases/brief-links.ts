import { isJsonObject, type Json } from '@mediagate/contracts';
import type { Links } from '@mediagate/media';

/** How long a link made for an operator opens a file to whoever has it; the file itself may be kept longer. */
const BRIEF_SECONDS = 900;
const EXPIRES_AT = 'expires_at';

/**
 * A result with links of our own that end soon, and at the latest when they would have. Links that lead elsewhere stay, and so do those
 * that only look like ours: a text that a vendor returned opens no file.
 */
export function withBriefLinks(
  result: Json,
  links: Pick<Links, 'parseOwnUrl' | 'sign' | 'verify'>,
  nowMs = Date.now(),
): Json {
  const until = Math.floor(nowMs / 1000) + BRIEF_SECONDS;
  const brief = (value: Json, name = ''): Json => {
    if (Array.isArray(value)) return value.map((each) => brief(each));
    if (isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, brief(each as Json, key)]));
    if (typeof value === 'number' && name === EXPIRES_AT) return Math.min(value, until);
    return typeof value === 'string' ? briefLink(value, until, links) : value;
  };
  return brief(result);
}

function briefLink(text: string, until: number, links: Pick<Links, 'parseOwnUrl' | 'sign' | 'verify'>): string {
  const own = links.parseOwnUrl(text);
  if (own === undefined) return text;
  const { id, extension, expires, signature } = own;
  if (links.verify(id, expires, signature) !== 'valid') return text;
  return links.sign({ id, extension, expiresAt: new Date(Math.min(Number(expires), until) * 1000) });
}
