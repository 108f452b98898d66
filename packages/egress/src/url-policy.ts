import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { message } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';
import { isPublicAddress, isWithin, parseCidr } from './address';
import { EgressError } from './egress-error';

export interface UrlPolicyOptions {
  /** Ranges (`10.0.0.0/8`) that count as public. */
  allowPrivateCidrs: readonly string[];
  allowPorts: readonly number[];
  /** Exact origins, `http://127.0.0.1:9000`, exempt from the address and port rules. */
  allowOrigins: readonly string[];
}

/** A URL that passed every rule that needs no socket. Shared by all who asked about it, so it is never changed. */
export interface Target {
  url: URL;
  /** The name that is looked up and that TLS uses: lower case, without brackets and without the root's dot. */
  hostname: string;
  port: number;
  /** Its origin is one of the allowed ones. */
  exempt: boolean;
  /** Where the host is a literal or localhost; undefined: ask the resolver. */
  literalAddresses: string[] | undefined;
}

export interface JudgeOptions {
  /** Exempt beside the policy's own. */
  allowOrigins?: readonly string[] | undefined;
  /** The page that sent us here; its URL is the base of a relative one. */
  redirectedFrom?: Target;
}

export interface UrlPolicy {
  /** Throws EgressError. */
  judge(text: string, options?: JudgeOptions): Target;
  /** Whether a connection to this address, found for this target, may be used. */
  permits(address: string, target: Target): boolean;
}

/** Presigned links run to 3 kB; beyond this it is no link. */
const MAX_URL_CHARACTERS = 8192;
const MAX_HOSTNAME_CHARACTERS = 253;
/** Characters of all URLs whose judgement is kept, together. */
const JUDGED_CHARACTERS = 500_000;

/**
 * The rules of a URL before anything is opened. The WHATWG parser alone decides what a URL says (it folds every spelling
 * of an address, `0x7f.1` or fullwidth digits, into one), and only its answer is judged, never the text.
 */
export function createUrlPolicy(options: UrlPolicyOptions): UrlPolicy {
  const cidrs = options.allowPrivateCidrs.map(parseCidr);
  const ports = new Set(options.allowPorts);
  const ownOrigins = options.allowOrigins.map(parseOrigin);

  const permits = (address: string, target: Target): boolean =>
    target.exempt || isPublicAddress(address) || isWithin(address, cidrs);

  function judgeAnew(text: string, { allowOrigins = [], redirectedFrom }: JudgeOptions = {}): Target {
    const { url, hostname, port } = readUrl(text, redirectedFrom?.url.href);
    const origins = [...ownOrigins, ...allowOrigins.map(parseOrigin)];
    // A stranger's redirect must not reach what only we were meant to name.
    const exempt = origins.includes(url.origin) && redirectedFrom?.exempt !== false;
    const target = { url, hostname, port, exempt, literalAddresses: literalAddresses(hostname) };
    if (!exempt && !ports.has(port)) throw new EgressError('blocked_port', message('port', { port }));
    if (target.literalAddresses?.some((address) => !permits(address, target))) throw notPublic();
    return target;
  }

  // Its text decides: callbacks of an account go to the same address, thousands of times.
  const targets = new LRUCache<string, Target>({
    maxSize: JUDGED_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
    memoMethod: (text) => judgeAnew(text),
  });
  const judge = (text: string, options?: JudgeOptions) =>
    options === undefined ? targets.memo(text) : judgeAnew(text, options);

  return { judge, permits };
}

export function notPublic(): EgressError {
  return new EgressError('blocked_address', message('address_not_public'));
}

function readUrl(text: string, base: string | undefined): Pick<Target, 'url' | 'hostname' | 'port'> {
  if (text.length > MAX_URL_CHARACTERS) {
    throw new EgressError('bad_url', message('url_too_long', { limit: MAX_URL_CHARACTERS }));
  }
  // The parser drops tabs and line breaks without a word; in a URL they are never meant well.
  const url = hasControlCharacter(text) ? null : URL.parse(text, base);
  if (url === null) throw new EgressError('bad_url', message('url_invalid'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError('bad_url', message('url_scheme'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('bad_url', message('url_credentials'));
  }
  const hostname = canonicalHostname(url);
  return { url, hostname, port: url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port) };
}

const DEFAULT_PORTS = { 'http:': 80, 'https:': 443 };

/** The function also takes the root's dot out of the URL itself, so that every later reader sees `example.com`, not `example.com.`. */
function canonicalHostname(url: URL): string {
  if (url.hostname.startsWith('[')) return url.hostname.slice(1, -1);
  const hostname = url.hostname.replace(/\.$/, '');
  if (hostname.length > MAX_HOSTNAME_CHARACTERS || hostname.split('.').includes('')) {
    throw new EgressError('bad_url', message('host_invalid'));
  }
  url.hostname = hostname;
  return hostname;
}

/** `localhost` and names under it mean this machine whatever a resolver says (RFC 6761). */
function literalAddresses(hostname: string): string[] | undefined {
  if (isIP(hostname) !== 0) return [hostname];
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  return undefined;
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.origin === 'null') throw new TypeError(`not an origin: ${text}`);
  return url.origin;
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** False where the host is an address that is not public, or this machine by name. Any other name may lead anywhere. */
export function mayBePublic({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|[\].]$/g, '');
  return literalAddresses(bare)?.every(isPublicAddress) !== false;
}

/** For connections to hosts of the public internet alone: a name that has any other address has none. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(
        Object.assign(new Error('the address of the host is not public'), { code: 'EADDRNOTPUBLIC' }),
        [],
      );
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
