import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  url: string;
  /** Where requests go from now on, in turns. Resolves once each that was sent elsewhere has its answer. */
  leadTo(ports: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

interface Backend {
  agent: Agent;
  inFlight: Set<Promise<unknown>>;
}

/** Before several processes of one service. It tries nothing twice: what one of them fails has failed. */
export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let turn = 0;
  const backends = new Map<number, Backend>();
  const backendOf = (port: number): Backend => {
    const backend = backends.get(port) ?? { agent: new Agent({ keepAlive: true }), inFlight: new Set() };
    backends.set(port, backend);
    return backend;
  };
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const port = ports[turn % ports.length] ?? 0;
    const { agent, inFlight } = backendOf(port);
    const over = new Promise((resolve) => outgoing.once('close', resolve)).finally(() => inFlight.delete(over));
    inFlight.add(over);
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async leadTo(next) {
      ports = next;
      const left = [...backends].filter(([port]) => !next.includes(port));
      for (const [port, { agent, inFlight }] of left) {
        backends.delete(port);
        await Promise.all(inFlight);
        agent.destroy();
      }
    },
    async close() {
      server.close();
      server.closeAllConnections();
      for (const { agent } of backends.values()) agent.destroy();
    },
  };
}
