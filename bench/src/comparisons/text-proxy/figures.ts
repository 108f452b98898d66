import { type Figure, figure, type Goal, rateRatio } from '../../measure/figure';
import type { Slice } from '../../measure/slice';
import { median } from '../../measure/statistics';
import type { Measured, WayName } from './ways';

const AGAINST = 'Portkey, no key, no bill';
const RATE: Goal = {
  id: 'P7',
  measure: 'texts, reserved and settled, 64 callers',
  against: AGAINST,
  threshold: { atLeast: 1.4 },
  unit: 'x',
};
const SOME: Goal = { ...RATE, measure: 'the same, 16 callers', threshold: { atLeast: 1.2 } };
const ADDED: Goal = {
  id: 'P8',
  measure: 'latency p50 added to the vendor’s own, one caller',
  against: 'what Portkey adds',
  threshold: { atMost: 2 },
  unit: 'x',
};
const MEMORY: Goal = {
  id: 'P12',
  measure: 'memory of the API under that load, peak',
  against: AGAINST,
  threshold: { atMost: 1 },
  unit: 'x',
};

/** @param memoryOf peak of a way's process in MiB. */
export function figuresOf(
  { many, some, one }: Record<'many' | 'some' | 'one', Measured>,
  memoryOf: (name: WayName) => number,
): Figure[] {
  return [
    rateRatio(RATE, many.product, many.portkey),
    rateRatio(SOME, some.product, some.portkey),
    added(one),
    memory(memoryOf('product'), memoryOf('portkey')),
  ];
}

/** A gateway adds the wait with it less the wait without, in the same round. */
function added({ product, portkey, direct }: Measured): Figure {
  const p50 = (slice: Slice | undefined) => slice?.p50Ms ?? Number.NaN;
  const addedTo = (slices: readonly Slice[]) => slices.map((slice, round) => p50(slice) - p50(direct[round]));
  const [ours, theirs] = [addedTo(product), addedTo(portkey)];
  return figure(ADDED, {
    values: ours.map((each, round) => each / (theirs[round] ?? Number.NaN)),
    slices: product,
    referenceSlices: portkey,
    product: median(ours),
    reference: median(theirs),
    limit: `ms added; direct takes ${median(direct.map(p50)).toFixed(2)} ms`,
  });
}

function memory(ours: number, theirs: number): Figure {
  return figure(MEMORY, {
    values: [ours / theirs],
    slices: [],
    product: ours,
    reference: theirs,
    limit: 'MiB: the engine, and the libraries it has loaded',
  });
}
