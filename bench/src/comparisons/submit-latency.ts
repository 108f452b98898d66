import type { Comparison, Outcome } from '../comparison';
import { type Goal, latencyRatio } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, openBooks } from '../product/books';
import { openLoopCaller } from '../product/open-loop-caller';
import { startApi } from '../product/services';
import { startReferenceApi } from '../product/submission-load';

const LOAD = { perSecond: 200, connections: 64 };

const GOAL: Goal = {
  id: 'P5',
  measure: `submission p50, ${LOAD.perSecond}/s by the clock`,
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
    const productSide = openLoopCaller(stage, { name: 'product', ...api, books, ...LOAD });
    const singleSide = openLoopCaller(stage, { name: 'single', ...single, books: singleBooks, ...LOAD });
    const [product = [], reference = []] = await interleave([productSide, singleSide], stage.pace);
    return {
      figures: [latencyRatio(GOAL, product, reference)],
      faults: [
        ...(await productSide.faults()),
        ...(await auditFaults(books)),
        ...(await singleSide.faults()),
        ...(await auditFaults(singleBooks)),
      ],
    };
  },
};
