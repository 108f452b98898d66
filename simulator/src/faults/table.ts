/**
 * Where a fault strikes: what a call meets before the vendor has read it, what the vendor says instead of taking it, or what
 * becomes of its answer and of what follows on it.
 */
export type Strikes =
  /** In front of any vendor: the wait, the connection, the pages and errors of a gateway. */
  | 'before'
  /** The vendor's refusal, in its own words (`Wire.words`). */
  | 'instead'
  /** The answer to a call that was taken. */
  | 'answer'
  /** An answer that is streamed. */
  | 'stream'
  /** How a job goes that was taken. */
  | 'job'
  /** The callbacks about a job. */
  | 'callback'
  /** The downloads of a result. */
  | 'download';

export type ArgumentKind =
  | 'none'
  | 'duration'
  | 'duration?'
  | 'status?'
  | 'page?'
  | 'detail?'
  | 'seconds'
  | 'share'
  | 'share?'
  | 'categories?'
  | 'count';

interface Entry {
  argument: ArgumentKind;
  strikes: Strikes;
}

const beforeTheVendor = {
  'gateway-html': { argument: 'page?', strikes: 'before' },
  'detail-error': { argument: 'detail?', strikes: 'before' },
} as const satisfies Record<string, Entry>;

/** `throttle-…` say the words of `rate-limit` and `concurrency`, to every call until the time is over. */
const refusals = {
  auth: { argument: 'none', strikes: 'instead' },
  'throttle-rate': { argument: 'duration?', strikes: 'instead' },
  'throttle-concurrency': { argument: 'duration?', strikes: 'instead' },
  'rate-limit': { argument: 'none', strikes: 'instead' },
  concurrency: { argument: 'none', strikes: 'instead' },
  quota: { argument: 'none', strikes: 'instead' },
  balance: { argument: 'none', strikes: 'instead' },
  payment: { argument: 'none', strikes: 'instead' },
  'plan-window': { argument: 'none', strikes: 'instead' },
  retired: { argument: 'none', strikes: 'instead' },
  'new-users': { argument: 'none', strikes: 'instead' },
  '5xx': { argument: 'status?', strikes: 'instead' },
  busy: { argument: 'none', strikes: 'instead' },
} as const satisfies Record<string, Entry>;

const waits = {
  'retry-after': { argument: 'duration', strikes: 'instead' },
  'retry-after-date': { argument: 'duration', strikes: 'instead' },
} as const satisfies Record<string, Entry>;

/** Faults that a start can meet, and the checks of its job under `check-` and the same name. */
const ofChecks = {
  latency: { argument: 'duration', strikes: 'before' },
  ...beforeTheVendor,
  ...refusals,
  ...waits,
  malformed: { argument: 'none', strikes: 'answer' },
  'truncated-json': { argument: 'none', strikes: 'answer' },
} as const satisfies Record<string, Entry>;

type NameOfCheck = keyof typeof ofChecks;

/** Every fault the simulator can play. */
export const FAULTS = {
  ...ofChecks,
  ...(Object.fromEntries(Object.entries(ofChecks).map(([name, entry]) => [`check-${name}`, entry])) as {
    [Name in NameOfCheck as `check-${Name}`]: (typeof ofChecks)[Name];
  }),
  'reset-before': { argument: 'none', strikes: 'before' },
  'check-reset': { argument: 'none', strikes: 'before' },
  'start-latency': { argument: 'duration', strikes: 'before' },
  'policy-submit': { argument: 'none', strikes: 'instead' },
  'slow-body': { argument: 'duration?', strikes: 'answer' },
  'reset-after': { argument: 'none', strikes: 'answer' },
  'wrong-type': { argument: 'none', strikes: 'answer' },
  'missing-url': { argument: 'none', strikes: 'answer' },
  'empty-result': { argument: 'none', strikes: 'answer' },
  'policy-result': { argument: 'none', strikes: 'answer' },
  partial: { argument: 'share', strikes: 'answer' },
  'new-status-word': { argument: 'none', strikes: 'answer' },
  /** The id of the job is a number that a double cannot hold. */
  'long-id': { argument: 'none', strikes: 'answer' },
  /** A moderation flags the text for these categories, joined by a plus sign; for violence without any. */
  flag: { argument: 'categories?', strikes: 'answer' },
  // They break off, or go silent, after that share.
  'stream-cut': { argument: 'share?', strikes: 'stream' },
  'stream-stall': { argument: 'share?', strikes: 'stream' },
  stuck: { argument: 'none', strikes: 'job' },
  'failed-result': { argument: 'none', strikes: 'job' },
  /** The length of tracks, in seconds. */
  seconds: { argument: 'seconds', strikes: 'job' },
  /** How often each is sent. */
  callbacks: { argument: 'count', strikes: 'callback' },
  'asset-404': { argument: 'none', strikes: 'download' },
  'asset-410': { argument: 'none', strikes: 'download' },
  /** The link is there so long after it was first asked for. */
  'asset-late': { argument: 'duration?', strikes: 'download' },
  'asset-truncated': { argument: 'none', strikes: 'download' },
  /** Every connection breaks off halfway through what was asked for; the rest can be asked for by its range. */
  'asset-cut': { argument: 'none', strikes: 'download' },
  'asset-slow': { argument: 'duration?', strikes: 'download' },
} as const satisfies Record<string, Entry>;

export type ScenarioName = keyof typeof FAULTS;
export type AssetScenarioName = Extract<ScenarioName, `asset-${string}`>;
export type RefusalScenarioName = keyof typeof refusals;

export const scenarioNames = Object.keys(FAULTS) as ScenarioName[];
export const refusalNames = Object.keys(refusals) as RefusalScenarioName[];
export const assetScenarioNames = scenarioNames.filter(isAssetScenario);

export function isAssetScenario(name: ScenarioName): name is AssetScenarioName {
  return name.startsWith('asset-');
}

export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(FAULTS, name);
}

/** The scenario by which the list of a job's start asks for what its checks meet. */
export function nameAtChecks(name: ScenarioName): ScenarioName | undefined {
  if (name === 'reset-before') return 'check-reset';
  const atChecks = `check-${name}`;
  return isScenarioName(atChecks) ? atChecks : SHOWN_BY_CHECKS.find((shown) => shown === name);
}

/** Only a check shows the state and the result, so these need no other name. */
const SHOWN_BY_CHECKS: readonly ScenarioName[] = ['new-status-word', 'missing-url', 'empty-result', 'wrong-type'];
