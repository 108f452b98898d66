import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACK_BODIES, type AttackBody, type AttackKind } from './bodies';

/** One caller's attack, run in a process of its own: what it costs to send must not be taken for what it does. */
export interface Attack {
  kind: AttackKind;
  port: number;
  key: string;
  /** Connections at once, each of which begins anew when it is answered or cut. */
  connections: number;
  seconds: number;
}

/** How often each status was answered; `cut`: the connection ended without an answer. */
export type Tally = Record<string, number>;

async function attack({ kind, port, key, connections, seconds }: Attack): Promise<Tally> {
  const body = ATTACK_BODIES[kind]();
  const ends = Date.now() + seconds * 1000;
  const tally: Tally = {};
  const open = new Set<Socket>();
  async function keepOn(): Promise<void> {
    while (Date.now() < ends) {
      const status = await send(body, port, key, open);
      tally[status] = (tally[status] ?? 0) + 1;
    }
  }
  const over = setTimeout(() => {
    for (const socket of open) socket.destroy();
  }, seconds * 1000);
  await Promise.all(Array.from({ length: connections }, keepOn));
  clearTimeout(over);
  return tally;
}

/** Resolves with the status of the answer, or with how the connection ended. */
async function send(body: AttackBody, port: number, key: string, open: Set<Socket>): Promise<string> {
  const { method = 'POST', path, type, bytes, missing = 0, pieces } = body;
  const socket = connect(port, '127.0.0.1');
  open.add(socket);
  let status = 'cut';
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? status;
      socket.destroy();
    });
  });
  const length = bytes.length + missing;
  const head = ['Host: x', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, `Content-Length: ${length}`];
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  if (pieces) {
    for (let at = 0; at < bytes.length && !socket.destroyed; at += pieces.bytes) {
      socket.write(bytes.subarray(at, at + pieces.bytes));
      await delay(pieces.pauseMs);
    }
  } else socket.write(bytes);
  await closed;
  open.delete(socket);
  return status;
}

if (process.send) {
  process.on('message', async (given: Attack[]) => process.send?.(await Promise.all(given.map(attack))));
  process.send('ready');
}
