// Receivers of callbacks, one a port, each a customer's server of its own. Every signature is checked. An order asks what
// came since the last one.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, serveOrders } from '../src/program';

export interface ReceiverReport {
  ports: number[];
  callbacks: number;
  /** Distinct ids among them. */
  tasks: number;
  badlySigned: number;
}

const { PORTS = '', WEBHOOK_SECRET = '' } = process.env;
const secret = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const ids = new Set<string>();
let callbacks = 0;
let badlySigned = 0;

function receive({ headers }: IncomingMessage, body: Buffer): void {
  const id = String(headers['webhook-id']);
  const signed = createHmac('sha256', secret)
    .update(`${id}.${headers['webhook-timestamp']}.`)
    .update(body)
    .digest('base64');
  callbacks += 1;
  ids.add(id);
  if (headers['webhook-signature'] !== `v1,${signed}`) badlySigned += 1;
}

function listen(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      receive(request, Buffer.concat(chunks));
      response.writeHead(200, { 'content-length': 0 }).end();
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

void Promise.all(Array.from({ length: Number(PORTS) }, listen)).then((ports) => {
  serveOrders(async (): Promise<ReceiverReport> => {
    const report = { ports, callbacks, tasks: ids.size, badlySigned };
    callbacks = 0;
    badlySigned = 0;
    ids.clear();
    return report;
  });
  announce();
});
