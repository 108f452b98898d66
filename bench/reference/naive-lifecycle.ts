// The textbook worker: a BullMQ job a task, Prisma for each step, axios to the vendor, the image written to a file, then a
// second job that signs and posts the callback. One process does both.
import { createHmac, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { Queue, Worker } from 'bullmq';
import { createLogger, format, transports } from 'winston';
import { announce, serveOrders } from '../src/program';
import { openPrisma } from './prisma';

const { DATABASE_URL = '', REDIS_URL = '', UPSTREAM_URL = '', MEDIA_DIRECTORY = '', CONCURRENCY = '' } = process.env;
const DAY_MS = 86_400_000;
const CALLBACK_TIMEOUT_MS = 10_000;
const prisma = openPrisma(DATABASE_URL);
const connection = { url: REDIS_URL };
const options = { connection, concurrency: Number(CONCURRENCY) };
const callbacks = new Queue<{ deliveryId: string }>('deliveries', { connection });
const logger = createLogger({
  format: format.combine(format.timestamp(), format.json()),
  transports: [new transports.Console()],
});
const done = { tasks: 0, callbacks: 0 };

async function runTask(taskId: string): Promise<void> {
  const task = await prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  await prisma.task.update({ where: { id: taskId }, data: { status: 'processing', startedAt: new Date() } });
  const attemptId = randomUUID();
  await prisma.taskAttempt.create({
    data: { id: attemptId, taskId, number: 1, channelId: 'bench', protocol: 'openai-images', state: 'starting' },
  });
  const { data } = await axios.post(`${UPSTREAM_URL}/v1/images/generations`, task.input);
  const bytes = Buffer.from(data.data[0].b64_json, 'base64');
  const id = randomUUID();
  await writeFile(join(MEDIA_DIRECTORY, `${id}.png`), bytes);
  const expiresAt = new Date(Date.now() + DAY_MS);
  await prisma.mediaObject.create({
    data: {
      id,
      accountId: task.accountId,
      taskId,
      purpose: 'result',
      storageKey: `${id}.png`,
      contentType: 'image/png',
      bytes: BigInt(bytes.length),
      sha256: new Uint8Array(32),
      expiresAt,
    },
  });
  const result = { images: [{ url: [`http://api.bench.test/v1/files/${id}.png`] }] };
  const deliveryId = await settle(task, attemptId, result);
  await callbacks.add('callback', { deliveryId }, { jobId: deliveryId, removeOnComplete: true });
  logger.info('task.completed', { taskId, accountId: task.accountId });
  done.tasks += 1;
}

type Task = Awaited<ReturnType<typeof prisma.task.findUniqueOrThrow>>;

async function settle(task: Task, attemptId: string, result: object): Promise<string> {
  const { id: taskId, accountId, keyId, reservedNano: cost } = task;
  const now = new Date();
  const moved = { heldNano: { decrement: cost }, settledNano: { increment: cost } };
  const delivery = { id: randomUUID(), taskId, accountId, url: task.webhook ?? '' };
  await prisma.$transaction([
    prisma.task.update({
      where: { id: taskId },
      data: { status: 'completed', progress: 100, completedAt: now, costNano: cost, result },
    }),
    prisma.taskAttempt.update({ where: { id: attemptId }, data: { state: 'succeeded', endedAt: now } }),
    prisma.reservation.update({ where: { taskId }, data: { state: 'settled', settledNano: cost, resolvedAt: now } }),
    prisma.account.update({ where: { id: accountId }, data: moved }),
    prisma.apiKey.update({ where: { id: keyId }, data: moved }),
    prisma.ledgerEntry.create({ data: { accountId, keyId, taskId, kind: 'settle', amountNano: cost } }),
    prisma.webhookDelivery.create({ data: delivery }),
  ]);
  return delivery.id;
}

async function runCallback(deliveryId: string): Promise<void> {
  const delivery = await prisma.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId } });
  const task = await prisma.task.findUniqueOrThrow({ where: { id: delivery.taskId } });
  const account = await prisma.account.findUniqueOrThrow({ where: { id: delivery.accountId } });
  const { id, status, progress, model, kind, result } = task;
  const body = JSON.stringify({ id, status, progress, model, kind, result });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const secret = Buffer.from(account.webhookSecret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  const startedAt = new Date();
  const answer = await axios.post(`${delivery.url}/callback`, body, {
    headers: { 'content-type': 'application/json', ...headers },
    timeout: CALLBACK_TIMEOUT_MS,
  });
  await prisma.webhookAttempt.create({
    data: { deliveryId, number: 1, startedAt, endedAt: new Date(), httpStatus: answer.status },
  });
  await prisma.webhookDelivery.update({
    where: { id: deliveryId },
    data: { state: 'delivered', attemptsMade: 1, endedAt: new Date(), nextAttemptAt: null },
  });
  logger.info('callback.delivered', { taskId: id, accountId: account.id });
  done.callbacks += 1;
}

const workers = [
  new Worker<{ taskId: string }>('image', (job) => runTask(job.data.taskId), options),
  new Worker<{ deliveryId: string }>('deliveries', (job) => runCallback(job.data.deliveryId), options),
];
for (const worker of workers) worker.on('failed', (_job, error) => logger.error('job.failed', { error: error.stack }));

serveOrders(async () => done);
void Promise.all(workers.map((worker) => worker.waitUntilReady())).then(() => announce());
