import { createServer, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface Callback {
  /** Whether the signature is the account's. */
  verified: boolean;
}

export interface CallbackReceiver {
  /** The address that callers give as `webhook`; the gateway adds `/callback`. */
  origin: string;
  /** The callback of a task. @throws Error when it does not come in time. */
  next(taskId: string, limitMs: number): Promise<Callback>;
  close(): void;
}

const MAX_BODY_BYTES = 1_000_000;
const MAX_KEPT = 100;

/** A caller's own callback endpoint, on loopback: takes every callback with 204 and checks its signature. */
export async function openCallbackReceiver(port: number, webhookSecret: string): Promise<CallbackReceiver> {
  const webhook = new Webhook(webhookSecret);
  const received = new Map<string, Callback>();
  const waiting = new Map<string, (callback: Callback) => void>();

  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const headers = standardHeaders(request);
        const callback = { verified: isVerified(webhook, body, headers) };
        const taskId = headers['webhook-id'] ?? '';
        received.set(taskId, callback);
        if (received.size > MAX_KEPT) forgetOldest(received);
        waiting.get(taskId)?.(callback);
        response.writeHead(204).end();
      },
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    origin: `http://127.0.0.1:${port}`,
    next(taskId, limitMs) {
      const already = received.get(taskId);
      if (already !== undefined) return Promise.resolve(already);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(taskId);
          reject(new Error(`its callback did not come within ${limitMs / 1000} s`));
        }, limitMs);
        waiting.set(taskId, (callback) => {
          clearTimeout(timer);
          waiting.delete(taskId);
          resolve(callback);
        });
      });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forgetOldest(received: Map<string, Callback>): void {
  const [oldest] = received.keys();
  if (oldest !== undefined) received.delete(oldest);
}

function standardHeaders(request: IncomingMessage): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(request.headers[name] ?? '')]));
}

function isVerified(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers);
    return true;
  } catch {
    // The library says "not valid" by throwing.
    return false;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
