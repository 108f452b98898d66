import { type Figure, figure, type Goal, rateRatio } from '../../measure/figure';
import type { Slice } from '../../measure/slice';
import { median } from '../../measure/statistics';
import type { Measured, WayName } from './ways';

const RATE: Goal = {
  id: 'P7',
  measure: 'texts, reserved and settled, 64 callers',
  threshold: { atLeast: 1.4 },
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
  threshold: { atMost: 1 },
  unit: 'x',
};

/** A gateway that the product is set against: the least ratio of texts with 64 and with 16 callers, the most of what is added for one. */
interface Rival {
  name: WayName;
  gateway: string;
  many: number;
  some: number;
  added: number;
}

const RIVALS: readonly Rival[] = [
  { name: 'portkey', gateway: 'Portkey', many: 1.4, some: 1.2, added: 2 },
  { name: 'litellm', gateway: 'LiteLLM', many: 20, some: 15, added: 0.15 },
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
    ...present.map((rival) => added(rival, one)),
    ...present.map((rival) => memory(rival, memoryOf)),
  ];
}

const unbilled = (gateway: string) => `${gateway}, no key, no bill`;

function rate(goal: Goal, { name, gateway }: Rival, measured: Measured): Figure {
  return rateRatio({ ...goal, against: unbilled(gateway) }, measured.product ?? [], measured[name] ?? []);
}

/** A gateway adds the wait with it less the wait without, in the same round. */
function added({ name, gateway, added: atMost }: Rival, measured: Measured): Figure {
  const { product = [], direct = [] } = measured;
  const reference = measured[name] ?? [];
  const p50 = (slice: Slice | undefined) => slice?.p50Ms ?? Number.NaN;
  const addedTo = (slices: readonly Slice[]) => slices.map((slice, round) => p50(slice) - p50(direct[round]));
  const [ours, theirs] = [addedTo(product), addedTo(reference)];
  return figure(
    { ...ADDED, against: `what ${gateway} adds`, threshold: { atMost } },
    {
      values: ours.map((each, round) => each / (theirs[round] ?? Number.NaN)),
      slices: product,
      referenceSlices: reference,
      product: median(ours),
      reference: median(theirs),
      limit: `ms added; direct takes ${median(direct.map(p50)).toFixed(2)} ms`,
    },
  );
}

function memory({ name, gateway }: Rival, memoryOf: (name: WayName) => number): Figure {
  const [ours, theirs] = [memoryOf('product'), memoryOf(name)];
  return figure(
    { ...MEMORY, against: unbilled(gateway) },
    {
      values: [ours / theirs],
      slices: [],
      product: ours,
      reference: theirs,
      limit: 'MiB: the engine, and the libraries it has loaded',
    },
  );
}
