// Express as it comes, one statement for each request over eight connections, a job that is awaited: what a careful team
// writes before it measures.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { newTaskId } from '@mediagate/contracts';
import { Queue } from 'bullmq';
import express from 'express';
import { announce } from '../src/program';
import { createSingleCte } from './single-cte';
import { COST_NANO, isBody } from './submission';

const { DATABASE_URL = '', REDIS_URL = '', PEPPER = '', KEY_ID = '', KEY_HASH = '', ACCOUNT_ID = '' } = process.env;
const POOL_SIZE = 8;
const reserve = createSingleCte(DATABASE_URL, POOL_SIZE);
const queue = new Queue('image', { connection: { url: REDIS_URL } });
/** The one key, as a cache would hold it. */
const keys = new Map([[KEY_ID, { accountId: ACCOUNT_ID, hash: Buffer.from(KEY_HASH, 'hex') }]]);

const app = express();
app.use(express.json());

app.post('/v1/images/generations', async (request, response) => {
  const [, keyId = '', secret = ''] = /^Bearer mg_(\w{12})_(\w{64})$/.exec(request.headers.authorization ?? '') ?? [];
  const key = keys.get(keyId);
  if (!key || !timingSafeEqual(key.hash, createHmac('sha256', PEPPER).update(secret).digest())) {
    return void response.status(401).json({ error: { message: 'invalid API key' } });
  }
  if (!isBody(request.body)) return void response.status(400).json({ error: { message: 'invalid request' } });
  const { model: _model, ...input } = request.body;
  const taskId = newTaskId();
  const reserved = await reserve({ taskId, accountId: key.accountId, keyId, amountNano: COST_NANO, input });
  if (!reserved) return void response.status(402).json({ error: { message: 'insufficient balance' } });
  await queue.add('image', { taskId }, { jobId: taskId, removeOnComplete: true });
  response.json({ code: 200, data: [{ status: 'submitted', task_id: taskId }] });
});

const server = app.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
