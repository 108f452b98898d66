import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verificationFault } from '@mediagate/callbacks';
import { exactSeconds } from '@mediagate/contracts';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';

export interface ListenOptions {
  port: number;
  /** The HTTP status with which callbacks are answered. */
  status: number;
  secret?: string;
  /** The URL of the API, where the secret is fetched with the key when none is given. */
  url: string;
  key?: string;
}

export interface Listener {
  port: number;
  close(): Promise<void>;
}

/** A record is some kilobytes; what is longer is none. */
const MAX_BODY_BYTES = 1_048_576;
const REQUEST_TIMEOUT_MS = 10_000;
const FETCH_TIMEOUT_MS = 10_000;
/** Ids that are known again when they come twice. */
const MAX_REMEMBERED = 10_000;
const LOOPBACK = '127.0.0.1';

/** Receives callbacks on loopback, and hands what it makes of each to `show`, until it is closed. */
export async function listen(
  session: Pick<Session, 'env'>,
  options: ListenOptions,
  show: (answer: Answer) => void,
): Promise<Listener> {
  const secret = await findSecret(session, options);
  const seen = new Set<string>();
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    receive(request, response, options.status)
      .then((body) => body !== undefined && show(describe(request, { body, secret, seen })))
      .catch(() => response.destroy());
  });
  server.listen(options.port, LOOPBACK);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`cannot listen on ${LOOPBACK}:${options.port}: ${error.code ?? error.message}`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Named, or that of the environment, or the account's own by its key. */
async function findSecret({ env }: Pick<Session, 'env'>, { secret, url, key }: ListenOptions): Promise<string> {
  const named = secret ?? env['MEDIAGATE_WEBHOOK_SECRET'];
  if (named !== undefined) return named;
  const apiKey = key ?? env['MEDIAGATE_API_KEY'];
  if (apiKey === undefined) {
    throw new Refusal('the secret is missing: give --secret or --key, MEDIAGATE_WEBHOOK_SECRET or MEDIAGATE_API_KEY');
  }
  return await fetchSecret(url, apiKey);
}

async function fetchSecret(url: string, key: string): Promise<string> {
  const address = `${url.replace(/\/+$/, '')}/v1/webhooks/secret`;
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  }).catch(() => {
    throw new Refusal(`${address} does not answer: --url says where the API is`);
  });
  if (!response.ok)
    throw new Refusal(`${address} answered ${response.status}: the key may be wrong, or have no right to manage`);
  const { data } = (await response.json()) as { data: { secret: string } };
  return data.secret;
}

/** The body of a callback, which is answered; undefined: it was none, or too long. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
): Promise<string | undefined> {
  const body = request.method === 'POST' ? await readBody(request) : undefined;
  response.writeHead(body === undefined ? 400 : status).end();
  return body;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describe(
  { headers, url: path }: IncomingMessage,
  { body, secret, seen }: { body: string; secret: string; seen: Set<string> },
): Answer {
  const receivedAt = new Date();
  const fault = verificationFault({ headers, body }, secret);
  const id = String(headers['webhook-id'] ?? '');
  const repeated = fault === undefined && seen.has(id);
  if (fault === undefined && seen.size < MAX_REMEMBERED) seen.add(id);
  const record = parse(body);
  const verdict = fault === undefined ? `verified${repeated ? ', came before' : ''}` : `NOT VERIFIED: ${fault}`;
  return {
    json: {
      received_at: exactSeconds(receivedAt),
      path,
      id,
      verified: fault === undefined,
      fault: fault ?? null,
      repeated,
      record,
    },
    text: `${receivedAt.toISOString()} ${path} ${id} ${verdict}\n${JSON.stringify(record, undefined, 2)}`,
  };
}

/** A body that is no JSON is shown as the text it is. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
