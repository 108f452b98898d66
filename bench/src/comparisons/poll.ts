import { toTaskRecord } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
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

const VS_FLOOR: Goal = {
  id: 'P6',
  measure: 'polls, ended tasks at random',
  against: 'its floor in Express',
  threshold: { atLeast: 0.9 },
  unit: 'x',
};
const ALONE: Goal = { id: 'P6', measure: 'poll p50, one caller alone', threshold: { atMost: 2 }, unit: 'ms' };

/** 64 callers read ended tasks at random; both servers answer the same bytes. */
export const poll: Comparison = {
  name: 'poll',
  goals: ['P6'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const ids = await submitTasks(books, { count: stage.quick ? TASKS.quick : TASKS.full });
    await completeTasks(books, ids);
    await storeAnswers(stage, books, ids);

    const contenders = await startContenders(stage, books);
    const [product] = contenders;
    const paths = ids.map((id) => `/v1/tasks/${id}`);
    const headers = authorization(books);
    const load = (url: string, connections = CALLERS): Load => ({ url, method: 'GET', headers, paths, connections });
    const sides = contenders.map(({ name, pid, url }) => httpContender(stage, name, pid, load(url)));
    const urls = contenders.map(({ url }) => url);
    const sameAnswers = await compareAnswers(urls, paths, headers);
    const [ours = [], least = []] = await interleave(sides, stage.pace);
    const aloneSide = httpContender(stage, 'product, one caller', product.pid, load(product.url, 1));
    const [alone = []] = await interleave([aloneSide], stage.pace);
    return {
      figures: [rateRatio(VS_FLOOR, ours, least), latency(ALONE, alone)],
      faults: [
        ...sameAnswers,
        ...[...sides, aloneSide].flatMap((side) => side.faults()),
        ...(await auditFaults(books)),
      ],
    };
  },
};

interface Contending {
  name: string;
  pid: number;
  url: string;
}

async function startContenders(stage: Stage, books: Books): Promise<[product: Contending, floor: Contending]> {
  const { Authorization = '' } = authorization(books);
  const env = { REDIS_URL: stage.servers.redisUrl(REDIS_OF_REFERENCE), AUTHORIZATION: Authorization };
  const product = { name: 'product', ...(await startApi(stage, books)) };
  return [product, { name: 'floor', ...(await stage.startProgram('reference/floor-poll.ts', env)) }];
}

/** Stores the product's answers in Redis, where the floor loads them from. */
async function storeAnswers(stage: Stage, books: Books, ids: readonly string[]): Promise<void> {
  const redis = new Redis(stage.servers.redisUrl(REDIS_OF_REFERENCE));
  const { readTask } = books.database;
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
