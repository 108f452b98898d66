import { createHmac } from 'node:crypto';
import { Pool } from 'undici';

const CONNECTIONS = 16;

/** POSTs the same body, signed, over connections that are kept: a few to each receiver, as a sender has them. */
export function createFloorSender(options: {
  ports: readonly number[];
  secret: string;
  body: string;
}): (id: string) => Promise<void> {
  const { ports, body } = options;
  const secret = Buffer.from(options.secret.replace('whsec_', ''), 'base64');
  const receivers = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS }));
  let next = 0;
  return async (id) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const receiver = receivers[next % receivers.length] as Pool;
    next += 1;
    const answer = await receiver.request({ method: 'POST', path: '/hook/callback', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a receiver answered ${answer.statusCode}`);
  };
}

/** So many units, so many at once; resolves with the seconds that they took. */
export async function runUnits(
  count: number,
  { atOnce, unit }: { atOnce: number; unit(index: number): Promise<void> },
): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await unit(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return (performance.now() - startedAt) / 1000;
}
