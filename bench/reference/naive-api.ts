// The textbook: stock Express with its JSON parser, Prisma for everything, one interactive transaction, and a job that is
// awaited before the answer. It books less than the product: no hold on the key, no reservation row, no idempotency.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { newTaskId } from '@mediagate/contracts';
import { Queue } from 'bullmq';
import express from 'express';
import { createLogger, format, transports } from 'winston';
import { announce } from '../src/program';
import { openPrisma } from './prisma';
import { COST_NANO, DEADLINE_MS, isBody, RATES } from './submission';

const { DATABASE_URL = '', REDIS_URL = '', PEPPER = '' } = process.env;
const prisma = openPrisma(DATABASE_URL);
const queue = new Queue('image', { connection: { url: REDIS_URL } });
const logger = createLogger({
  format: format.combine(format.timestamp(), format.json()),
  transports: [new transports.Console()],
});

class InsufficientBalance extends Error {}

const app = express();
app.use(express.json());

app.post('/v1/images/generations', async (request, response) => {
  const startedAt = Date.now();
  const key = await authenticate(request.headers.authorization ?? '');
  if (!key) return void response.status(401).json({ error: { message: 'invalid API key' } });
  if (!isBody(request.body)) return void response.status(400).json({ error: { message: 'invalid request' } });
  const { model, ...input } = request.body;
  const id = newTaskId();
  try {
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.account.updateMany({
        where: { id: key.accountId, toppedUpNano: { gte: COST_NANO } },
        data: { toppedUpNano: { decrement: COST_NANO } },
      });
      if (count === 0) throw new InsufficientBalance();
      await tx.task.create({
        data: {
          id,
          accountId: key.accountId,
          keyId: key.id,
          family: 'image',
          kind: 'image',
          model,
          input,
          rates: RATES,
          operation: 'images.generations',
          catalogueVersion: 1,
          reservedNano: COST_NANO,
          deadlineAt: new Date(Date.now() + DEADLINE_MS),
        },
      });
      await tx.ledgerEntry.create({
        data: { accountId: key.accountId, keyId: key.id, taskId: id, kind: 'hold', amountNano: COST_NANO },
      });
    });
  } catch (error) {
    if (!(error instanceof InsufficientBalance)) throw error;
    return void response.status(402).json({ error: { message: 'insufficient balance' } });
  }
  await queue.add('image', { taskId: id }, { jobId: id, removeOnComplete: true });
  response.json({ code: 200, data: [{ status: 'submitted', task_id: id }] });
  logger.info('http.request', { taskId: id, keyId: key.id, status: 200, durationMs: Date.now() - startedAt });
});

async function authenticate(header: string) {
  const [, id = '', secret = ''] = /^Bearer mg_(\w{12})_(\w{64})$/.exec(header) ?? [];
  const key = await prisma.apiKey.findUnique({ where: { id } });
  const offered = createHmac('sha256', PEPPER).update(secret).digest();
  return key && key.revokedAt === null && timingSafeEqual(key.secretHash, offered) ? key : undefined;
}

const server = app.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
