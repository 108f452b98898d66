import { FAMILY_TRAITS, type Family, type Nano, proRata, type Usage } from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';

/** The record of a task whose model is no longer in the catalogue. */
export interface GoneTask {
  model: string;
  operation: string;
  family: Family;
  rates: Rates;
  reservedNano: Nano;
}

const RESULT_LIFETIME_MS = 24 * 3_600_000;

/**
 * Stands in for a model that the catalogue has no more, for what is still to be done for a task that an upstream has accepted: it
 * is charged by the rates on its row. Where these price what nobody counted, all that was reserved is charged.
 */
export function goneModel(task: GoneTask): CatalogueEntry {
  const { model: id, operation, family } = task;
  return {
    id,
    aliases: [],
    family,
    kind: FAMILY_TRAITS[family].kind,
    operation,
    version: 0,
    synchronous: false,
    isGone: true,
    unsupportedParameters: [],
    answersInBase64: false,
    takesAnyMetadata: false,
    schema: {},
    examples: [],
    defaultPrices: {},
    deadlineMs: 0,
    resultLifetimeMs: RESULT_LIFETIME_MS,
    compile: () => undefined,
    parse: () => notTaken(id),
    reserve: () => task.reservedNano,
    settle: (_, usage, rates) => settleBy(rates, usage, task),
    least: () => undefined,
    within: (input) => input,
    media: () => [],
    pages: () => [],
    source: () => undefined,
    continuesSource: false,
    bindSource: () => notTaken(id),
    madeBy: () => undefined,
    callersPart: () => 'none',
    moderate: () => undefined,
    checkMedia: () => undefined,
    request: () => notTaken(id),
    outputsAsked: () => undefined,
    fieldOf: () => undefined,
  };
}

function notTaken(id: string): never {
  throw new Error(`${id} is no model any more: nothing of it can begin`);
}

/** `rates` are those of the task, or others, by which is found out how much of a unit there is. */
function settleBy(rates: Rates, usage: Usage, task: GoneTask): Nano {
  const [unit, ...others] = Object.keys(task.rates);
  const isTasks = rates === task.rates;
  if (unit === undefined || others.length > 0) return isTasks ? task.reservedNano : 0n;
  const rate = rates[unit] ?? 0n;
  const made = COUNTED[unit]?.(usage);
  const whole = task.rates[unit] ?? 0n;
  if (whole === 0n) return 0n;
  const reserved = proRata(1, task.reservedNano * rate, whole);
  if (made === undefined) return reserved;
  const settled = proRata(Math.round(made * 1000), rate, 1000n);
  if (settled > reserved) return reserved;
  return settled;
}

/** Counts by unit, from stored outputs or the upstream; other units are not counted. */
const COUNTED: Readonly<Record<string, (usage: Usage) => number | undefined>> = {
  per_image: ({ images }) => images,
  per_second: ({ seconds }) => seconds,
};
