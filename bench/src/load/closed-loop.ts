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
  /** Answers other than 2xx and 3xx, broken connections, time-outs. */
  failures: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadGenerator {
  name: 'wrk' | 'autocannon';
  run(load: ClosedLoop): Promise<LoadResult>;
}
