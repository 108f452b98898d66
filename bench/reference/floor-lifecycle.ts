// The floor of an image with its callback: a third of the bytes that one of the product writes in a durable statement before the
// vendor is asked, undici to the same vendor, base64 decoded, written to a file that is flushed, a third more, a signed POST,
// and the rest. No claim, no lease, no judging of the image, no job, no log. An order is one slice.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { FloorOrder, FloorReport } from '../src/product/order-contender';
import { SUBMISSION } from '../src/product/tasks';
import { announce, serveOrders } from '../src/program';
import { createFloorSender, runUnits } from './floor-callback';
import { openFloorLog } from './floor-log';

const { DATABASE_URL = '', UPSTREAM_URL = '', MEDIA_DIRECTORY = '', BYTES = '' } = process.env;
const { PORTS = '', WEBHOOK_SECRET = '', BODY = '', CONCURRENCY = '' } = process.env;
const COMMITS = 3;
const CONNECTIONS = 200;
const bytes = Number(BYTES) / COMMITS;
const send = createFloorSender({ ports: PORTS.split(',').map(Number), secret: WEBHOOK_SECRET, body: BODY });
const vendor = new Pool(UPSTREAM_URL, { connections: CONNECTIONS });
const request = JSON.stringify({ ...SUBMISSION, model: 'bench' });
let done = 0;

async function makeImage(): Promise<Buffer> {
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', path: '/v1/images/generations', headers, body: request } as const;
  const { body } = await vendor.request(options);
  const { data } = (await body.json()) as { data: { b64_json: string }[] };
  return Buffer.from(data[0]?.b64_json ?? '', 'base64');
}

async function keep(name: string, image: Buffer): Promise<void> {
  const file = await open(join(MEDIA_DIRECTORY, name), 'wx');
  await file.writeFile(image);
  await file.sync();
  await file.close();
}

void openFloorLog(DATABASE_URL).then((log) => {
  const unit = async () => {
    done += 1;
    const id = `floor_${done}`;
    await log.write(bytes);
    await keep(`${id}.png`, await makeImage());
    await log.write(bytes);
    await send(id);
    await log.write(bytes);
  };
  serveOrders(async ({ run }: FloorOrder): Promise<FloorReport> => {
    return { seconds: await runUnits(run, { atOnce: Number(CONCURRENCY), unit }) };
  });
  announce();
});
