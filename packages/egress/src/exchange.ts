import { Client, type Dispatcher } from 'undici';
import { toEgressError } from './egress-error';
import { pinnedConnector } from './pinned-connector';
import { findAddresses, type Resolve } from './resolver';
import type { Target, UrlPolicy } from './url-policy';

export interface Exchange {
  target: Target;
  headers: Record<string, string>;
  /** The time limit of the call; its reason becomes the error. */
  signal: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** As it came over the wire, never inflated. */
  body: AsyncIterable<Buffer>;
  /** Where the connection went. */
  peerAddress: string;
}

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * One request and its answer on a connection of its own, which ends when `read` does: nothing is kept for the next caller,
 * and a body that `read` leaves is cut off. No redirects, no proxies, no HTTP/2.
 */
export async function exchange<T>(
  wanted: Exchange,
  network: Network,
  read: (answer: Answer) => Promise<T>,
): Promise<T> {
  const { answer, close } = await openExchange(wanted, network);
  try {
    return await read(answer);
  } finally {
    await close();
  }
}

export interface Network {
  policy: UrlPolicy;
  resolve: Resolve;
}

/** The same for a reader who ends it himself: nothing of it is left once `close` has resolved. */
export async function openExchange(
  { target, headers, signal }: Exchange,
  { policy, resolve }: Network,
): Promise<{ answer: Answer; close(): Promise<void> }> {
  const addresses = await findAddresses(target, policy, { resolve, signal });
  let peerAddress = '';
  const onPeer = (address: string) => {
    peerAddress = address;
  };
  const client = new Client(target.url.origin, {
    connect: pinnedConnector({ target, addresses, policy, signal, onPeer }),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The signal is the one clock. The client's own run per read and restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const close = () => client.destroy();
  try {
    const path = `${target.url.pathname}${target.url.search}`;
    const response = await client
      .request({ path, method: 'GET', headers, signal })
      .catch((error: unknown) => fail(error, signal));
    // A body nobody reads still reports the cut; a reader gets the same error from its iteration.
    response.body.on('error', () => {});
    const incoming = reported(response.body, signal);
    const { statusCode: status, headers: fields } = response;
    return { answer: { status, headers: fields, body: incoming, peerAddress }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A failure of the body is reported as the connection's; an error where the body is read remains the reader's own. */
async function* reported(body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => fail(error, signal));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

function fail(error: unknown, signal: AbortSignal): never {
  throw signal.aborted ? signal.reason : toEgressError(error);
}

/** A header's one value; undefined when it is absent or given twice. */
export function singleHeader(headers: Answer['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
