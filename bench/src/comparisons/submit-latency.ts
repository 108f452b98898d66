import type { Comparison, Outcome } from '../comparison';
import { createHttpSender } from '../load/http-sender';
import { runOpenLoop } from '../load/open-loop';
import { type Goal, latencyRatio } from '../measure/figure';
import { type Contender, interleave } from '../measure/interleave';
import { metered } from '../measure/slice';
import { percentile } from '../measure/statistics';
import { auditFaults, type Books, mustEqual, openBooks } from '../product/books';
import { startApi } from '../product/services';
import { startReferenceApi, submissionTo } from '../product/submission-load';
import type { Stage } from '../stage';

const PER_SECOND = 200;
const CONNECTIONS = 64;

const GOAL: Goal = {
  id: 'P5',
  measure: `submission p50, ${PER_SECOND}/s by the clock`,
  against: 'one statement each, Express',
  threshold: { atMost: 1.1 },
  unit: 'x',
};

/** Does grouping cost a caller who comes alone anything? 200 submissions a second by the clock, far from any limit. */
export const submitLatency: Comparison = {
  name: 'submit-latency',
  goals: ['P5'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const singleBooks = await openBooks(stage, 'single');
    const api = await startApi(stage, books);
    const single = await startReferenceApi(stage, {
      path: 'reference/single-cte-api.ts',
      books: singleBooks,
      redis: 1,
    });
    const productSide = openLoopContender(stage, 'product', { ...api, books });
    const singleSide = openLoopContender(stage, 'single', { ...single, books: singleBooks });
    const [product = [], reference = []] = await interleave([productSide, singleSide], stage.pace);
    return {
      figures: [latencyRatio(GOAL, product, reference)],
      faults: [...(await productSide.faults()), ...(await singleSide.faults())],
    };
  },
};

interface OpenLoopContender extends Contender {
  faults(): Promise<string[]>;
}

function openLoopContender(
  stage: Stage,
  name: string,
  { pid, url, books }: { pid: number; url: string; books: Books },
): OpenLoopContender {
  const load = submissionTo(url, books, CONNECTIONS);
  const sender = createHttpSender({ ...load, body: load.body ?? '' });
  stage.defer(() => sender.close());
  const meters = { service: [{ pid }], postgres: stage.servers.postgres, redis: stage.servers.redis };
  let answers = 0;
  let failures = 0;
  return {
    name,
    slice: (durationMs) =>
      metered(meters, async () => {
        const result = await runOpenLoop({ perSecond: PER_SECOND, durationMs, send: sender.send });
        const { latenciesMs } = result;
        answers += latenciesMs.length - result.failures;
        failures += result.failures;
        return {
          count: latenciesMs.length,
          seconds: durationMs / 1000,
          p50Ms: percentile(latenciesMs, 50),
          p99Ms: percentile(latenciesMs, 99),
        };
      }),
    faults: async () => [
      ...mustEqual(`${name}: failed requests`, failures, 0),
      ...mustEqual(`${name}: tasks`, await books.count('tasks'), answers),
      ...(await auditFaults(books)),
    ],
  };
}
