import type { Comparison, Outcome } from '../comparison';
import { peakMemoryMib } from '../machine/memory';
import { type Figure, figure, type Goal, rateRatio } from '../measure/figure';
import { interleave } from '../measure/interleave';
import type { Slice } from '../measure/slice';
import { median } from '../measure/statistics';
import { auditFaults, mustEqual, mustMatchAcknowledged, openBooks } from '../product/books';
import {
  type Request,
  textDirect,
  textThroughPortkey,
  textThroughProduct,
  writeFastChannels,
} from '../product/fast-paths';
import { httpContender, inFlightAtMost } from '../product/http-contender';
import { startFastApi } from '../product/services';
import { untilEnded } from '../product/tasks';

const MANY = 64;
const SOME = 16;

const RATE: Goal = {
  id: 'P7',
  measure: `texts, reserved and settled, ${MANY} callers`,
  against: 'Portkey, no key, no bill',
  threshold: { atLeast: 8 },
  unit: 'x',
};
const RATE_OF_SOME: Goal = {
  ...RATE,
  measure: `the same, ${SOME} callers`,
  threshold: { atLeast: 4.5 },
};
const ADDED: Goal = {
  id: 'P8',
  measure: 'latency p50 added to the vendor’s own, one caller',
  against: 'what Portkey adds',
  threshold: { atMost: 0.5 },
  unit: 'x',
};
const MEMORY: Goal = {
  id: 'P12',
  measure: 'memory of the API under that load, peak',
  against: 'Portkey’s',
  threshold: { atMost: 0.7 },
  unit: 'x',
};

/** `generateContent` through the product, with every call in the books, beside Portkey's gateway and no gateway at all. */
export const textProxy: Comparison = {
  name: 'text-proxy',
  goals: ['P7', 'P8', 'P12'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const vendor = await stage.startProgram('instruments/fast-upstream.ts', {});
    const api = await startFastApi(stage, books, writeFastChannels(stage, vendor.url));
    const portkey = await stage.startProgram('reference/portkey.ts', {});
    const ways: [string, number, Request][] = [
      ['product', api.pid, textThroughProduct(api.url, books)],
      ['Portkey', portkey.pid, textThroughPortkey(portkey.url, vendor.url)],
      ['direct', vendor.pid, textDirect(vendor.url)],
    ];
    const contenders = (connections: number) =>
      ways.map(([name, pid, request]) => httpContender(stage, name, pid, { ...request, method: 'POST', connections }));
    const [many, some, one] = [contenders(MANY), contenders(SOME), contenders(1)];

    const [product = [], reference = []] = await interleave(many, stage.pace);
    const [productOfSome = [], referenceOfSome = []] = await interleave(some, stage.pace);
    const alone = await interleave(one, stage.pace);
    const memory = [peakMemoryMib(api.pid), peakMemoryMib(portkey.pid)] as const;
    const own = [many, some, one].flatMap(([side]) => (side ? [side] : []));
    const left = own.reduce((sum, side) => sum + inFlightAtMost(side, MANY), 0);
    const acknowledged = { answers: own.reduce((sum, side) => sum + side.answers(), 0), inFlightAtMost: left };
    return {
      figures: [
        rateRatio(RATE, product, reference),
        rateRatio(RATE_OF_SOME, productOfSome, referenceOfSome),
        addedRatio(alone),
        memoryRatio(memory),
      ],
      faults: [
        ...[...many, ...some, ...one].flatMap((side) => side.faults()),
        ...mustMatchAcknowledged('texts', await books.count('tasks'), acknowledged),
        ...mustEqual('texts not settled', await untilEnded(books), 0),
        ...(await auditFaults(books)),
      ],
    };
  },
};

/** What a gateway adds is the wait with it less the wait without, of one round. */
function addedRatio([product = [], reference = [], direct = []]: Slice[][]): Figure {
  const p50 = (slice: Slice | undefined) => slice?.p50Ms ?? Number.NaN;
  const added = (slices: readonly Slice[]) => slices.map((slice, round) => p50(slice) - p50(direct[round]));
  const [ours, theirs] = [added(product), added(reference)];
  return figure(ADDED, {
    values: ours.map((each, round) => each / (theirs[round] ?? Number.NaN)),
    slices: product,
    referenceSlices: reference,
    product: median(ours),
    reference: median(theirs),
    limit: `ms added; direct takes ${median(direct.map(p50)).toFixed(2)} ms`,
  });
}

function memoryRatio([ours, theirs]: readonly [number, number]): Figure {
  return figure(MEMORY, {
    values: [ours / theirs],
    slices: [],
    product: ours,
    reference: theirs,
    limit: 'MiB: the engine, and the libraries it has loaded',
  });
}
