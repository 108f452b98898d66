import { Slots } from '@mediagate/concurrency';
import { message, NOBODY, type Owner } from '@mediagate/contracts';
import { startDeadline } from './deadline';
import { EgressError } from './egress-error';
import { type Exchange, exchange, openExchange } from './exchange';
import { collect, type FilePart, type Incoming, receive } from './incoming';
import { type KeptConnectionLimits, KeptConnections } from './kept-connections';
import { createResolve, type Resolve } from './resolver';
import { type MissingPart, type Reopened, resumed } from './resumed';
import { createUrlPolicy, type Target, type UrlPolicy, type UrlPolicyOptions } from './url-policy';

export interface GuardedClientOptions extends UrlPolicyOptions {
  /** Replaces name resolution; default DNS. */
  resolve?: Resolve;
  /** Calls at once, default 256; half of them for one owner, a quarter for test work. One more waits, within its own time limit. */
  maxConnections?: number;
  /** Limits of the connections that `post` keeps for a few seconds. */
  kept?: Partial<KeptConnectionLimits>;
}

export interface DownloadOptions {
  /** The owner of the call; default: nobody, and all calls of nobody count together. */
  owner?: Owner;
  /** The most bytes of the whole file. */
  maxBytes: number;
  /** Over everything: waiting, resolving, connecting, every redirect, the last byte. */
  timeoutMs: number;
  /** Each judged like the first URL. Default 3. */
  maxRedirects?: number;
  /** The `accept` header; default anything. */
  accept?: string;
  /** Exempt for this call, beside the client's own. */
  allowOrigins?: readonly string[];
  /** Sent to its own origin alone, and no more once a redirect has left that. */
  secret?: OriginSecret;
  signal?: AbortSignal;
}

export interface OriginSecret {
  /** Scheme, host and port, as `https://vendor.example`. */
  origin: string;
  headers: Readonly<Record<string, string>>;
}

export interface Download {
  bytes: Buffer;
  /** The server's claim, lower case, without parameters. The bytes decide what it is. */
  contentType: string | undefined;
  finalUrl: string;
}

export interface IncomingFile extends Incoming {
  finalUrl: string;
}

export interface StreamOptions extends DownloadOptions {
  /** Asks for this part alone; a server that knows no parts sends the whole file. */
  part?: FilePart;
  /** Asks for the missing rest of a whole file when a connection breaks off, from a server that can be asked. */
  resumes?: boolean;
}

export interface PostOptions {
  /** The owner of the call; default: nobody, and all calls of nobody count together. */
  owner?: Owner;
  headers: Record<string, string>;
  body: string | Buffer;
  timeoutMs: number;
  /** Read at most; the rest is cut off. */
  maxResponseBytes: number;
  signal?: AbortSignal;
}

export interface PostAnswer {
  /** Any status, redirects included: none is followed. */
  status: number;
  /** At most 512 bytes of the body, printable; for operators, never for callers. */
  excerpt: string;
  peerAddress: string;
}

export interface GuardedClient {
  /** Why a URL is refused, found without a socket; undefined: it is not. */
  checkUrl(url: string): EgressError | undefined;
  /** GET. Throws EgressError. */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /**
   * GET, handed over while it comes in: `take` reads as much of the body as it wants, and the connection ends when it does.
   * Within the time and bytes of a download. Throws EgressError, and what `take` throws as it is. The call holds one of the
   * client's connections, so `take` must not wait for another.
   */
  stream<T>(url: string, options: StreamOptions, take: (file: IncomingFile) => Promise<T>): Promise<T>;
  /**
   * POST. Decided by the status line, however the body ends. Throws EgressError when there is none. Its connection is kept for a few
   * seconds for the next one to the same origin; a request that fails on such a one before a byte came back is sent once more.
   */
  post(url: string, options: PostOptions): Promise<PostAnswer>;
}

const DEFAULT_MAX_CONNECTIONS = 256;
const DEFAULT_MAX_REDIRECTS = 3;
const USER_AGENT = 'mediagate';

/**
 * The only way out to an address that a caller or an upstream named: public unicast addresses only, whatever the spelling,
 * the name, the second answer of a name server or a redirect says; bounded in time and bytes. Throws TypeError for options
 * that are not ranges or origins.
 */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const policy = createUrlPolicy(options);
  const network = { policy, resolve: options.resolve ?? createResolve() };
  const slots = new Slots({ capacity: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS });
  const kept = new KeptConnections(network, options.kept);

  async function stream<T>(url: string, call: StreamOptions, take: Take<T>): Promise<T> {
    const first = policy.judge(url, { allowOrigins: call.allowOrigins });
    return withinLimits(slots, call, (signal) => follow(first, call, { network, signal, take }));
  }

  return {
    checkUrl: (url) => refusalOf(policy, url),
    stream,
    download: (url, call) =>
      stream(url, call, async ({ body, contentType, finalUrl }) => {
        return { bytes: await collect(body), contentType, finalUrl };
      }),
    async post(url, call) {
      const target = policy.judge(url);
      return withinLimits(slots, call, (signal) => postBy(kept, target, { ...call, signal }));
    },
  };
}

type Take<T> = (file: IncomingFile) => Promise<T>;

interface Way {
  network: { policy: UrlPolicy; resolve: Resolve };
  signal: AbortSignal;
}

function refusalOf(policy: UrlPolicy, url: string): EgressError | undefined {
  try {
    policy.judge(url);
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return error;
    throw error;
  }
}

/** Follows redirects, each judged like the first address, up to the limit. */
async function follow<T>(first: Target, call: StreamOptions, way: Way & { take: Take<T> }): Promise<T> {
  const { allowOrigins, maxRedirects = DEFAULT_MAX_REDIRECTS } = call;
  let target = first;
  let secret = call.secret;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    // A stranger's redirect back must not make us show it, so that it is gone for good.
    if (secret?.origin !== target.url.origin) secret = undefined;
    const step = await fetchOnce(target, call, { ...way, secretHeaders: secret?.headers });
    if ('taken' in step) return step.taken;
    target = way.network.policy.judge(step.location, { allowOrigins, redirectedFrom: target });
  }
  throw new EgressError('redirect', message('redirects', { limit: maxRedirects }));
}

function fetchOnce<T>(
  target: Target,
  call: StreamOptions,
  { network, signal, take, secretHeaders }: Way & { take: Take<T>; secretHeaders: OriginSecret['headers'] | undefined },
): Promise<{ taken: T } | { location: string }> {
  const { accept = '*/*', part } = call;
  const range = part === undefined ? {} : { range: `bytes=${part.start}-${part.end}` };
  const headers = { ...secretHeaders, accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT, ...range };
  return exchange({ target, headers, signal }, network, async (answer) => {
    const received = receive(answer, call);
    if ('location' in received) return received;
    const { incoming } = received;
    const reopen = (missing: MissingPart) => reopenAt(missing, { target, headers, signal }, { call, network });
    const body = call.resumes === true && part === undefined ? resumed(incoming, reopen) : incoming.body;
    return { taken: await take({ ...incoming, body, finalUrl: target.url.href }) };
  });
}

/** Undefined: the rest cannot be had, because there is another file by now, or something else in its place. */
async function reopenAt(
  { start, end, etag }: MissingPart,
  wanted: Exchange,
  { call, network }: { call: StreamOptions; network: Way['network'] },
): Promise<Reopened | undefined> {
  const headers = { ...wanted.headers, range: `bytes=${start}-${end}`, 'if-range': etag };
  const { answer, close } = await openExchange({ ...wanted, headers }, network);
  try {
    const received = receive(answer, { maxBytes: call.maxBytes, part: { start, end } });
    if ('incoming' in received && received.incoming.part !== undefined) return { body: received.incoming.body, close };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  }
  await close();
  return undefined;
}

async function postBy(
  kept: KeptConnections,
  target: Target,
  call: PostOptions & Pick<Way, 'signal'>,
): Promise<PostAnswer> {
  const { pathname, search } = target.url;
  const headers = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...call.headers };
  const { body, signal, maxResponseBytes } = call;
  const answer = await kept.post(target, { path: `${pathname}${search}`, headers, body, signal, maxResponseBytes });
  return { status: answer.status, excerpt: answer.excerpt, peerAddress: answer.peerAddress };
}

/** Within the call's time, the wait for a connection's slot included. */
async function withinLimits<T>(
  slots: Slots,
  { owner = NOBODY, timeoutMs, signal }: { owner?: Owner; timeoutMs: number; signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, () => expired(timeoutMs), signal);
  try {
    const { release } = await slots.take({ owner }, deadline.signal);
    return await work(deadline.signal).finally(release);
  } finally {
    deadline.clear();
  }
}

function expired(timeoutMs: number): EgressError {
  return new EgressError('timeout', message('server_timeout', { seconds: timeoutMs / 1000 }));
}
