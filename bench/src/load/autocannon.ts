import type { ClosedLoop, LoadResult } from './closed-loop';

/** The part of autocannon's interface that is used here; it brings no types. */
type Autocannon = (options: object) => Promise<{
  '2xx': number;
  non2xx: number;
  errors: number;
  timeouts: number;
  /** Seconds. */
  duration: number;
  /** Milliseconds. */
  latency: { p50: number; p99: number };
}>;

interface Outgoing {
  path?: string;
}

/** Closed loop by `autocannon`. */
export async function runAutocannon(load: ClosedLoop): Promise<LoadResult> {
  const autocannon = require('autocannon') as Autocannon;
  const { url, method, headers, body, paths, connections, durationMs } = load;
  const result = await autocannon({
    url,
    method,
    headers,
    body,
    connections,
    duration: durationMs / 1000,
    timeout: 20,
    ...(paths === undefined ? {} : atRandom(url, paths)),
  });
  return {
    requests: result['2xx'],
    seconds: result.duration,
    failures: result.non2xx + result.errors + result.timeouts,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** The URL itself serves for the first request of each connection only. */
function atRandom(url: string, paths: readonly string[]): object {
  const [first = '/'] = paths;
  const choose = (outgoing: Outgoing): Outgoing => ({
    ...outgoing,
    path: paths[Math.floor(Math.random() * paths.length)] ?? first,
  });
  return { url: new URL(first, url).href, requests: [{ setupRequest: choose }] };
}
