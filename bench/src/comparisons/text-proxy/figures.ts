import { type Figure, figure, type Goal, rateRatio } from '../../measure/figure';
import type { Slice } from '../../measure/slice';
import { median } from '../../measure/statistics';
import type { Measured, WayName } from './ways';

const RATE: Goal = {
  id: 'P7',
  measure: 'texts, reserved and settled, 64 callers',
  threshold: { atLeast: 5.5 },
  unit: 'x',
};
const SOME = 'the same, 16 callers';
const ADDED: Goal = {
  id: 'P8',
  measure: 'latency p50 added to the vendor’s own, one caller',
  threshold: { atMost: 1 },
  unit: 'x',
};
const MEMORY: Goal = {
  id: 'P12',
  measure: 'memory of the API under that load, peak',
  threshold: { atMost: 0.7 },
  unit: 'x',
};

/** Whom the product is set against, and from which ratio it is as wanted: for LiteLLM those of Portkey, for the floors what may be lost to all that they do not do. */
interface Rival {
  name: WayName;
  against: string;
  many: number;
  some: number;
  added?: { against: string; atMost: number };
}

const RIVALS: readonly Rival[] = [
  {
    name: 'portkey',
    against: 'Portkey, no key, no bill',
    many: 5.5,
    some: 3,
    added: { against: 'what Portkey adds', atMost: 1 },
  },
  {
    name: 'litellm',
    against: 'LiteLLM, no key, no bill',
    many: 5.5,
    some: 3,
    added: { against: 'what LiteLLM adds', atMost: 1 },
  },
  {
    name: 'floor',
    against: 'the floor',
    many: 0.2,
    some: 0.2,
    added: { against: 'what the floor adds', atMost: 8 },
  },
];

/** @param memoryOf peak of a way's process in MiB. */
export function figuresOf(
  measured: Record<'many' | 'some' | 'one', Measured>,
  memoryOf: (name: WayName) => number,
): Figure[] {
  const { many, some, one } = measured;
  const present = RIVALS.filter(({ name }) => many[name] !== undefined);
  return [
    ...present.map((rival) => rate({ ...RATE, threshold: { atLeast: rival.many } }, rival, many)),
    ...present.map((rival) => rate({ ...RATE, measure: SOME, threshold: { atLeast: rival.some } }, rival, some)),
    ...present.flatMap((rival) => added(rival, one)),
    ...present.filter(({ name }) => name === 'portkey' || name === 'litellm').map((rival) => memory(rival, memoryOf)),
  ];
}

function rate(goal: Goal, { name, against }: Rival, measured: Measured): Figure {
  return rateRatio({ ...goal, against }, measured.product ?? [], measured[name] ?? []);
}

/** A gateway adds the wait with it less the wait without, in the same round. */
function added({ name, added: goal }: Rival, measured: Measured): Figure[] {
  if (goal === undefined) return [];
  const { product = [], direct = [] } = measured;
  const reference = measured[name] ?? [];
  const p50 = (slice: Slice | undefined) => slice?.p50Ms ?? Number.NaN;
  const addedTo = (slices: readonly Slice[]) => slices.map((slice, round) => p50(slice) - p50(direct[round]));
  const [ours, theirs] = [addedTo(product), addedTo(reference)];
  const threshold = { atMost: goal.atMost };
  const found = figure(
    { ...ADDED, against: goal.against, threshold },
    {
      values: ours.map((each, round) => each / (theirs[round] ?? Number.NaN)),
      slices: product,
      referenceSlices: reference,
      product: median(ours),
      reference: median(theirs),
      limit: `ms added; direct takes ${median(direct.map(p50)).toFixed(2)} ms`,
    },
  );
  return [found];
}

function memory({ name, against }: Rival, memoryOf: (name: WayName) => number): Figure {
  const [ours, theirs] = [memoryOf('product'), memoryOf(name)];
  return figure(
    { ...MEMORY, against },
    {
      values: [ours / theirs],
      slices: [],
      product: ours,
      reference: theirs,
      limit: 'MiB: the engine, and the libraries it has loaded',
    },
  );
}
