import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A connection that becomes idle during a drain is closed within this. */
const SWEEP_MS = 100;

interface ListenAddress {
  port: number;
  host: string;
  /** The variable that sets the port. */
  variable: string;
}

/**
 * Listens at an address, and answers the port: another than asked for when that was 0. For `::` Node is given no host: it then takes every
 * address, and those of IPv4 alone where the machine has no IPv6, on which `::` itself fails.
 *
 * @throws Error naming the port and its variable when it is taken.
 */
export async function listenAt(server: Server, { port, host, variable }: ListenAddress): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const advice = `port ${port} is in use: stop what listens there, or set ${variable} to another one`;
      reject(isTaken ? new Error(advice) : error);
    });
    server.listen({ port, host: host === '::' ? undefined : host }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

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
