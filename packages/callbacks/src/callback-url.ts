import { type Message, message } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';
import { callbackOriginSettings } from './callback-origin-settings';

/** Longest base URL taken, in characters. */
const MAX_URL_CHARACTERS = 2048;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point; URL parsing would silently drop some
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

export type CallbackUrl = AllowedUrl | RefusedUrl;

interface AllowedUrl {
  ok: true;
  url: string;
  /** The host with its port, unless that is the scheme's own. */
  host: string;
}

interface RefusedUrl {
  ok: false;
  /** The rule that it breaks, as records have it. */
  reason: string;
  /** The same for people. */
  problem: Message;
}

export interface WebhookPolicy {
  /** The client that will send: it knows which schemes, ports and literal addresses it would refuse. */
  client: { checkUrl(url: string): { reason: string; problem: Message } | undefined };
  /** Host names of this service: nothing is sent to them or to names below them. Any spelling; a port is ignored. */
  ownHosts: readonly string[];
  /** Exact origins an operator named; they are exempt from the own-domain rule, as the client exempts them from its own. */
  allowOrigins?: readonly string[];
}

/**
 * Decides from the text alone whether a callback may ever be sent to this base URL, and where: no name is resolved here,
 * because only the address of the actual connection counts, and the client judges that one when it sends. The reason of a
 * refusal is a short code for the delivery's record.
 */
export function judgeWebhook(base: string, policy: WebhookPolicy): CallbackUrl {
  const judged = JUDGED.get(policy) ?? judgementsBy(policy);
  JUDGED.set(policy, judged);
  return judged.memo(base);
}

/** An answer depends on the text and the policy alone, so the last answers of each policy are kept. */
const JUDGED = new WeakMap<WebhookPolicy, LRUCache<string, CallbackUrl>>();
/** Total length of the URLs whose answers are kept. */
const JUDGED_CHARACTERS = 500_000;

function judgementsBy(policy: WebhookPolicy): LRUCache<string, CallbackUrl> {
  return new LRUCache({
    maxSize: JUDGED_CHARACTERS,
    sizeCalculation: (_, base) => base.length + 1,
    memoMethod: (base) => judgeAnew(base, policy),
  });
}

function judgeAnew(base: string, policy: WebhookPolicy): CallbackUrl {
  const target = callbackUrl(base);
  return target.ok ? judgeAddress(target, policy) : target;
}

/** Judges an address that is posted to as it is. */
export function judgeUrl(text: string, policy: WebhookPolicy): CallbackUrl {
  const address = readUrl(text);
  return address.ok ? judgeAddress(allowed(address.url), policy) : address;
}

function judgeAddress(target: AllowedUrl, policy: WebhookPolicy): CallbackUrl {
  const refusal = policy.client.checkUrl(target.url);
  if (refusal) return { ok: false, reason: refusal.reason, problem: refusal.problem };
  const { hostname, origin } = new URL(target.url);
  if (isOwnHost(hostname, policy.ownHosts) && !isAllowedOrigin(origin, policy.allowOrigins ?? [])) {
    return refused('own_domain', message('url_own_domain'));
  }
  return target;
}

/**
 * The address a callback goes to: the base with `/callback` appended to its path. One trailing slash is not doubled, and a
 * query stays behind the path. A fragment is refused, because it never reaches a receiver and so shows a mistake.
 */
export function callbackUrl(base: string): CallbackUrl {
  const address = readUrl(base);
  if (!address.ok) return address;
  const { url } = address;
  url.pathname = url.pathname.endsWith('/') ? `${url.pathname}callback` : `${url.pathname}/callback`;
  return allowed(url);
}

function allowed({ href: url, host }: URL): AllowedUrl {
  return { ok: true, url, host };
}

/** Applies the rules that hold for every address, whoever is called there. */
export function readUrl(base: string): { ok: true; url: URL } | RefusedUrl {
  if (base.length > MAX_URL_CHARACTERS)
    return refused('too_long', message('url_too_long', { limit: MAX_URL_CHARACTERS }));
  if (CONTROL_CHARACTER.test(base)) return refused('control_character', message('url_control_character'));
  const url = URL.parse(base);
  if (url === null) return refused('bad_url', message('url_invalid'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refused('bad_scheme', message('url_scheme'));
  }
  // The href keeps the sign of an empty fragment, which `hash` hides.
  if (url.href.includes('#')) return refused('fragment', message('url_fragment'));
  return { ok: true, url };
}

function refused(reason: string, problem: Message): RefusedUrl {
  return { ok: false, reason, problem };
}

/** One spelling of a host: lower case, punycode, without port, trailing dot and the brackets of IPv6; undefined if it is none. */
export function canonicalHost(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '');
}

function isOwnHost(hostname: string, ownHosts: readonly string[]): boolean {
  const host = canonicalHost(hostname);
  return ownHosts.some((entry) => {
    const own = canonicalHost(entry);
    return own !== undefined && host !== undefined && (host === own || host.endsWith(`.${own}`));
  });
}

function isAllowedOrigin(origin: string, allowOrigins: readonly string[]): boolean {
  return allowOrigins.some((entry) => URL.parse(entry)?.origin === origin);
}

/** Reasons that an origin of the operator's own is exempt from. */
const BY_ADDRESS: ReadonlySet<string> = new Set(['blocked_address', 'blocked_port', 'own_domain']);
const [VARIABLE = ''] = Object.keys(callbackOriginSettings);

interface Refused {
  url: string;
  reason: string;
}

/** How an operator lets callbacks go where one was refused for its address, for the log; undefined: it was for something else. */
export function exemptionOf({ url, reason }: Refused): string | undefined {
  return BY_ADDRESS.has(reason) ? `${new URL(url).origin} is called once ${VARIABLE} names it` : undefined;
}

/** The problem of a refusal; of an address also its origin, and how who runs this service allows it: of a laptop or a local network most often the caller. */
export function withExemption(problem: Message, { url, reason }: Refused): Message {
  const address = BY_ADDRESS.has(reason) ? URL.parse(url) : null;
  if (address === null) return problem;
  return message('origin_allowed_by', { problem, origin: address.origin, variable: VARIABLE });
}
