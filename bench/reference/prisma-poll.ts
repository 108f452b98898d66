// A task by its id through stock Express and Prisma. It asks for no key, so it does less than the product.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { announce } from '../src/program';
import { openPrisma } from './prisma';

const { DATABASE_URL = '' } = process.env;
const CREDITS_PER_UNIT = 10;
const prisma = openPrisma(DATABASE_URL);
const app = express();

app.get('/v1/tasks/:id', async (request, response) => {
  const task = await prisma.task.findUnique({ where: { id: request.params.id } });
  if (!task?.completedAt) return void response.status(404).json({ error: { message: 'Task not found.' } });
  const cost = Number(task.costNano ?? 0n) / 1e9;
  const { id, status, progress, model, kind, result } = task;
  const created = Math.floor(task.createdAt.getTime() / 1000);
  const completed = Math.floor(task.completedAt.getTime() / 1000);
  const facts = { id, status, progress, created, model, kind };
  const money = { cost, credits_cost: Number((cost * CREDITS_PER_UNIT).toFixed(9)), reserved: 0 };
  const data = { ...facts, ...money, completed, actual_time: completed - created, result };
  response.json({ code: 200, data });
});

const server = app.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
