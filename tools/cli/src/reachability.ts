import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface Reachability {
  reachable: boolean;
  /** What it answered, or why it could not be asked. */
  detail: string;
}

const TIMEOUT_MS = 5000;

/**
 * Asks for the address alone, without a key: whoever answers, whatever the status, can be reached. Not through the guarded
 * client, because the address is the operator's own. Takes 5 s at most, name resolution and TLS included.
 */
export function probe(url: string, timeoutMs: number = TIMEOUT_MS): Promise<Reachability> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    request(url, { method: 'HEAD', agent: false, signal })
      .on('response', (response) => {
        response.destroy();
        resolve({ reachable: true, detail: `HTTP ${response.statusCode}` });
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        const detail = signal.aborted ? `no answer within ${timeoutMs} ms` : (error.code ?? error.message);
        resolve({ reachable: false, detail });
      })
      .end();
  });
}
