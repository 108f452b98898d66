import { lookup } from 'node:dns/promises';
import { keyFigures, type ProcessFigures } from './key-figures';
import { parseMetrics } from './metrics-text';
import type { ProcessAddress } from './process-addresses';

export interface ProcessHealth {
  name: string;
  /** `host:port` that was asked. */
  address: string;
  state: 'ready' | 'not_ready' | 'down';
  /** Why it is not ready, as it says itself, or why it could not be asked. */
  reason?: string;
  figures?: ProcessFigures;
}

const TIMEOUT_MS = 2000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const REASON_MAX_CHARACTERS = 300;
/** Processes that are asked under one name; of a service that is scaled further, the first ones are shown. */
const MAX_REPLICAS = 50;

/** The addresses of a host name. */
type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** Asks every process behind every address, all at once. Never rejects: not to answer is an answer. */
export async function probeProcesses(
  addresses: readonly ProcessAddress[],
  resolve: Resolve = (hostname) => lookup(hostname, { all: true }),
): Promise<ProcessHealth[]> {
  const found = await Promise.all(addresses.map((address) => probeName(address, resolve)));
  return found.flat();
}

/** A name stands for as many processes as it has addresses: the replicas of a scaled service. */
async function probeName({ name, url }: ProcessAddress, resolve: Resolve): Promise<ProcessHealth[]> {
  const { protocol, hostname, port, host } = new URL(url);
  // A certificate is for the name, so there the name is asked.
  if (protocol === 'https:') return [await probe(name, host, url)];
  let found: { address: string; family: number }[];
  try {
    found = await resolve(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return [{ name, address: host, state: 'down', reason: reasonOf(error) }];
  }
  // One process answers on either family.
  const oneFamily = found.filter(({ family }) => family === found[0]?.family).slice(0, MAX_REPLICAS);
  return Promise.all(
    oneFamily.map(({ address, family }) => {
      const replica = `${family === 6 ? `[${address}]` : address}:${port || '80'}`;
      return probe(name, replica, `http://${replica}`);
    }),
  );
}

async function probe(name: string, address: string, url: string): Promise<ProcessHealth> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const [readiness, metrics] = await Promise.all([read(`${url}/readyz`, signal), read(`${url}/metrics`, signal)]);
    const figures = keyFigures(parseMetrics(metrics.text), Date.now());
    if (readiness.ok) return { name, address, state: 'ready', figures };
    return { name, address, state: 'not_ready', reason: readiness.text.slice(0, REASON_MAX_CHARACTERS), figures };
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    return { name, address, state: 'down', reason };
  }
}

async function read(url: string, signal: AbortSignal): Promise<{ ok: boolean; text: string }> {
  const response = await fetch(url, { signal, redirect: 'error' });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_MAX_BYTES) throw new Error(`it answers with more than ${ANSWER_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { ok: response.ok, text: Buffer.concat(chunks).toString('utf8') };
}

/** fetch says only that it failed; the cause has the code. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return code ?? message;
}
