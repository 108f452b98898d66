import type { Server } from 'node:http';

/** A connection that becomes idle during a drain is closed within this. */
const SWEEP_MS = 100;

/**
 * Takes no more connections, closes idle ones, lets requests in flight finish, calls `cut` after `timeoutMs` for what is left,
 * and resolves once all are closed.
 */
export function drainServer(server: Server, { timeoutMs, cut }: { timeoutMs: number; cut(): void }): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const timer = setTimeout(cut, timeoutMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
