// The floor: node:http and one statement for all requests that wait, with nothing around them: no router, no rate limit, no
// job in a queue, no log, no metrics. It checks key and body and writes the rows that the product writes.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newTaskId } from '@mediagate/contracts';
import { Pool } from 'pg';
import { announce } from '../src/program';
import { COST_NANO, DEADLINE_MS, isBody, RATES } from './submission';

const { DATABASE_URL = '', PEPPER = '', KEY_ID = '', KEY_HASH = '', ACCOUNT_ID = '' } = process.env;
const MAX_BATCH_ITEMS = 64;
const pool = new Pool({ connectionString: DATABASE_URL, max: 1 });
const keyHash = Buffer.from(KEY_HASH, 'hex');
const rates = JSON.stringify(RATES);

const RESERVE = `
with item as materialized (
  select * from unnest($1::text[], $2::text[]) as i(id, input)
),
account as (
  update accounts set held_nano = held_nano + $5 * cardinality($1)
  where id = $3 and topped_up_nano - held_nano - settled_nano >= $5 * cardinality($1) returning id
),
api_key as (
  update api_keys set held_nano = held_nano + $5 * cardinality($1)
  where id = $4 and revoked_at is null and (select count(*) from account) = 1 returning id
),
task as (
  insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
    deadline_at)
  select item.id, account.id, api_key.id, 'image', 'image', 'imagegen-2.5-flare', 'images.generations', item.input::jsonb,
    $6::jsonb, 1, $5, now() + make_interval(secs => $7)
  from item, account, api_key
),
reservation as (
  insert into reservations (task_id, account_id, key_id, amount_nano, expires_at)
  select item.id, account.id, api_key.id, $5, now() + make_interval(secs => $7) from item, account, api_key
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano)
  select account.id, api_key.id, item.id, 'hold', $5 from item, account, api_key
)
select 1 from api_key`;

interface Waiting {
  id: string;
  input: string;
  response: ServerResponse;
}

let waiting: Waiting[] = [];
let busy = false;

const server = createServer((request, response) => {
  if (!isAuthentic(request.headers.authorization ?? '')) return answer(response, 401, '{}');
  readJson(request, (body) => {
    if (!isBody(body)) return answer(response, 400, '{}');
    const { model: _model, ...input } = body;
    waiting.push({ id: newTaskId(), input: JSON.stringify(input), response });
    if (busy) return;
    busy = true;
    setImmediate(drain);
  });
});
server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));

async function drain(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting.slice(0, MAX_BATCH_ITEMS);
    waiting = waiting.slice(MAX_BATCH_ITEMS);
    const items = [batch.map(({ id }) => id), batch.map(({ input }) => input)];
    const values = [...items, ACCOUNT_ID, KEY_ID, COST_NANO, rates, DEADLINE_MS / 1000];
    const { rowCount } = await pool.query({ name: 'reserve', text: RESERVE, values });
    for (const { id, response } of batch) {
      if (rowCount === 1) answer(response, 200, `{"code":200,"data":[{"status":"submitted","task_id":"${id}"}]}`);
      else answer(response, 402, '{}');
    }
  }
  busy = false;
}

function isAuthentic(header: string): boolean {
  const [, id, secret = ''] = /^Bearer mg_(\w{12})_(\w{64})$/.exec(header) ?? [];
  return id === KEY_ID && timingSafeEqual(keyHash, createHmac('sha256', PEPPER).update(secret).digest());
}

function readJson(request: IncomingMessage, then: (body: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(JSON.parse(Buffer.concat(chunks).toString())));
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
