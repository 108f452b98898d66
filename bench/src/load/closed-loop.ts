/** So many callers, each of whom sends its next request when the last one was answered. */
export interface ClosedLoop {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** One of these at random replaces the URL's path at every request. */
  paths?: readonly string[];
  connections: number;
  durationMs: number;
}

export interface LoadResult {
  /** Answered in full. Requests in flight when the time was up are not among them, though the server may have done them. */
  requests: number;
  seconds: number;
  /** Answers other than 2xx, broken connections, time-outs. */
  failures: number;
  p50Ms: number;
  p99Ms: number;
}

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

export async function runClosedLoop({ paths, durationMs, ...load }: ClosedLoop): Promise<LoadResult> {
  const autocannon = require('autocannon') as Autocannon;
  const result = await autocannon({
    ...load,
    duration: durationMs / 1000,
    timeout: 20,
    ...(paths === undefined ? {} : atRandom(load.url, paths)),
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
  const choose = (outgoing: { path?: string }) => ({
    ...outgoing,
    path: paths[Math.floor(Math.random() * paths.length)] ?? first,
  });
  return { url: new URL(first, url).href, requests: [{ setupRequest: choose }] };
}
