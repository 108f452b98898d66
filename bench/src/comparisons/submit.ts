import type { Comparison, Outcome } from '../comparison';
import { figure, type Goal, latency, rateRatio, totalCpu } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, type Books, mustMatchAcknowledged, openBooks } from '../product/books';
import { type HttpContender, httpContender, inFlightAtMost } from '../product/http-contender';
import { startApi } from '../product/services';
import { startReferenceApi, submissionTo } from '../product/submission-load';

const CALLERS = 64;

const VS_NAIVE: Goal = {
  id: 'P1',
  measure: 'submissions, one hot account',
  against: 'naive API',
  threshold: { atLeast: 15 },
  unit: 'x',
};
const VS_FLOOR: Goal = { ...VS_NAIVE, id: 'P2', against: 'floor API', threshold: { atLeast: 0.5 } };
const ALONE: Goal = {
  id: 'P2',
  measure: 'submission p50, one caller alone',
  threshold: { atMost: 5 },
  unit: 'ms',
};
const CPU: Goal = { id: 'P13', measure: 'CPU of a submission, all three', threshold: { atMost: 250 }, unit: 'µs' };

/** 64 callers submit to one account: the product, the textbook, and the least server that books the same. */
export const submit: Comparison = {
  name: 'submit',
  goals: ['P1', 'P2', 'P13'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const naiveBooks = await openBooks(stage, 'naive');
    const floorBooks = await openBooks(stage, 'floor');
    const api = await startApi(stage, books);
    const naive = await startReferenceApi(stage, { path: 'reference/naive-api.ts', books: naiveBooks, redis: 1 });
    const floor = await startReferenceApi(stage, { path: 'reference/floor-api.ts', books: floorBooks, redis: 2 });

    const productSide = httpContender(stage, 'product', api.pid, submissionTo(api.url, books, CALLERS));
    const naiveSide = httpContender(stage, 'naive', naive.pid, submissionTo(naive.url, naiveBooks, CALLERS));
    const floorSide = httpContender(stage, 'floor', floor.pid, submissionTo(floor.url, floorBooks, CALLERS));
    const [product = [], textbook = [], least = []] = await interleave([productSide, naiveSide, floorSide], stage.pace);
    // Whoever else writes would be counted as well.
    await Promise.all([stage.stop(naive), stage.stop(floor)]);
    const aloneSide = httpContender(stage, 'product, one caller', api.pid, submissionTo(api.url, books, 1));
    const [alone = []] = await interleave([aloneSide], stage.pace);

    return {
      figures: [
        rateRatio(VS_NAIVE, product, textbook),
        rateRatio(VS_FLOOR, product, least),
        latency(ALONE, alone),
        figure(CPU, { values: product.map(totalCpu), slices: product }),
      ],
      faults: [
        ...(await bookFaults('product', books, productSide, aloneSide)),
        ...(await bookFaults('naive', naiveBooks, naiveSide)),
        ...(await bookFaults('floor', floorBooks, floorSide)),
        ...(await auditFaults(books)),
      ],
    };
  },
};

/** @param alone asked the same server, one request after the other. */
async function bookFaults(
  name: string,
  books: Books,
  contender: HttpContender,
  alone?: HttpContender,
): Promise<string[]> {
  const tasks = await books.count('tasks');
  const acked = {
    answers: contender.answers() + (alone?.answers() ?? 0),
    inFlightAtMost: inFlightAtMost(contender, CALLERS) + (alone ? inFlightAtMost(alone, 1) : 0),
  };
  return [...contender.faults(), ...(alone?.faults() ?? []), ...mustMatchAcknowledged(`${name}: tasks`, tasks, acked)];
}
