import { Agent, request } from 'node:http';

export interface HttpSender {
  /** True when the answer was 2xx and was read to its end. */
  send(): Promise<boolean>;
  close(): void;
}

export interface SenderOptions {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
}

/** POSTs the same body again and again over kept-alive connections. */
export function createHttpSender({ url, headers, body, connections }: SenderOptions): HttpSender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const bytes = Buffer.from(body);
  const options = { method: 'POST', agent, headers: { ...headers, 'content-length': bytes.length } };
  return {
    send: () =>
      new Promise((resolve) => {
        const call = request(url, options, (response) => {
          const isSuccess =
            response.statusCode !== undefined && response.statusCode >= 200 && response.statusCode < 300;
          response.resume();
          response.once('end', () => resolve(isSuccess));
          response.once('error', () => resolve(false));
        });
        call.once('error', () => resolve(false));
        call.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}
