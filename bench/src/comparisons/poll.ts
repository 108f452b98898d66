import { createTaskReader, type TaskRow, toTaskRecord } from '@mediagate/tasks';
import { Redis } from 'ioredis';
import type { Comparison, Outcome } from '../comparison';
import { type Goal, latency, rateRatio } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, type Books, openBooks } from '../product/books';
import { httpContender, type Load } from '../product/http-contender';
import { startApi } from '../product/services';
import { authorization } from '../product/submission-load';
import { completeTasks, submitTasks } from '../product/tasks';
import type { Stage } from '../stage';

const CALLERS = 64;
const TASKS = { full: 20_000, quick: 2_000 };
const CREDITS_PER_UNIT = 10;
const REDIS_OF_REFERENCE = 1;

const VS_PRISMA: Goal = {
  id: 'P6',
  measure: 'polls, ended tasks at random',
  against: 'Express and Prisma, no key',
  threshold: { atLeast: 10 },
  unit: 'x',
};
const VS_REDIS: Goal = { ...VS_PRISMA, against: 'node:http and Redis GET, no key', threshold: { atLeast: 0.8 } };

const VS_FLOOR: Goal = { ...VS_PRISMA, against: 'its floor in Express', threshold: { atLeast: 0.6 } };

const ALONE: Goal = { id: 'P6', measure: 'poll p50, one caller alone', threshold: { atMost: 2 }, unit: 'ms' };

/** 64 callers read ended tasks at random, all servers answering the same bytes from the same tasks. */
export const poll: Comparison = {
  name: 'poll',
  goals: ['P6'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const ids = await submitTasks(books, { count: stage.quick ? TASKS.quick : TASKS.full });
    await completeTasks(books, ids);
    await storeAnswers(stage, books, ids);

    const api = await startApi(stage, books);
    const { Authorization = '' } = authorization(books);
    const env = { DATABASE_URL: books.url, REDIS_URL: stage.servers.redisUrl(REDIS_OF_REFERENCE) };
    const prisma = await stage.startProgram('reference/prisma-poll.ts', env);
    const redis = await stage.startProgram('reference/redis-poll.ts', env);
    const floor = await stage.startProgram('reference/floor-poll.ts', { ...env, AUTHORIZATION: Authorization });
    const paths = ids.map((id) => `/v1/tasks/${id}`);
    const load = (url: string, connections = CALLERS): Load => ({
      url,
      method: 'GET',
      headers: authorization(books),
      paths,
      connections,
    });
    const sides = [
      httpContender(stage, 'product', api.pid, load(api.url)),
      httpContender(stage, 'prisma', prisma.pid, load(prisma.url)),
      httpContender(stage, 'redis', redis.pid, load(redis.url)),
      httpContender(stage, 'floor', floor.pid, load(floor.url)),
    ];
    const sameAnswers = await compareAnswers([api.url, prisma.url, redis.url, floor.url], paths, authorization(books));
    const [product = [], stock = [], least = [], bare = []] = await interleave(sides, stage.pace);
    const aloneSide = httpContender(stage, 'product, one caller', api.pid, load(api.url, 1));
    const [alone = []] = await interleave([aloneSide], stage.pace);
    return {
      figures: [
        rateRatio(VS_PRISMA, product, stock),
        rateRatio(VS_REDIS, product, least),
        rateRatio(VS_FLOOR, product, bare),
        latency(ALONE, alone),
      ],
      faults: [
        ...sameAnswers,
        ...[...sides, aloneSide].flatMap((side) => side.faults()),
        ...(await auditFaults(books)),
      ],
    };
  },
};

/** What the product answers, ready made in Redis. */
async function storeAnswers(stage: Stage, books: Books, ids: readonly string[]): Promise<void> {
  const redis = new Redis(stage.servers.redisUrl(REDIS_OF_REFERENCE));
  const readTask = createTaskReader(books.database);
  await Promise.all(
    ids.map(async (id) => {
      const data = toTaskRecord((await readTask(id)) as TaskRow, { creditsPerUnit: CREDITS_PER_UNIT });
      await redis.set(`task:${id}`, JSON.stringify({ code: 200, data }));
    }),
  );
  redis.disconnect();
}

/** Servers that say different things are not compared. */
async function compareAnswers(urls: string[], paths: string[], headers: Record<string, string>): Promise<string[]> {
  const [path = ''] = paths;
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}${path}`, { headers })).text()));
  return new Set(texts).size === 1 ? [] : [`the answers to one poll differ:\n${texts.join('\n')}`];
}
