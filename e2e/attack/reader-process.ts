import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pace } from '@mediagate/concurrency';
import { BODIES_IN_MEMORY } from '../../services/api/src/request-limits';

/** Shorter pauses are left to the next piece. */
const MIN_PAUSE_MS = 20;

/** Reads bodies as fast as the API reads those of one account, and does nothing with them. */
const pace = new Pace({ perSecond: BODIES_IN_MEMORY.accountBytesPerSecond, burst: 0 });
const server = createServer((request, response) => {
  request.on('error', () => undefined).on('end', () => response.end());
  request.on('data', (piece: Buffer) => {
    const aheadMs = pace.count('all', piece.length);
    if (aheadMs < MIN_PAUSE_MS) return;
    request.pause();
    setTimeout(() => request.resume(), aheadMs);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
