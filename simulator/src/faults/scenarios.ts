/**
 * Every fault the simulator can play, with the argument it takes. The text form is `name`, `name=argument` or
 * `name*times`, joined by commas: `rate-limit*2,retry-after=1s,latency=300ms`.
 */
const scenarioArguments = {
  latency: 'duration',
  'slow-body': 'duration?',
  stuck: 'none',
  'rate-limit': 'none',
  'retry-after': 'duration',
  quota: 'none',
  balance: 'none',
  auth: 'none',
  '5xx': 'status?',
  busy: 'none',
  'gateway-html': 'none',
  'reset-before': 'none',
  'reset-after': 'none',
  malformed: 'none',
  'truncated-json': 'none',
  'wrong-type': 'none',
  'missing-url': 'none',
  'empty-result': 'none',
  'policy-submit': 'none',
  'policy-result': 'none',
  partial: 'share',
  // Of answers that are streamed: they break off, say that something went wrong, or go silent, after that share of them.
  'stream-cut': 'share?',
  'stream-error-event': 'share?',
  'stream-stall': 'share?',
  // Of texts: nothing says what they cost.
  'missing-usage': 'none',
  'asset-403': 'none',
  'asset-404': 'none',
  'asset-410': 'none',
  'asset-truncated': 'none',
  'asset-slow': 'duration?',
  'asset-html': 'none',
  'asset-huge': 'none',
  'wrong-media': 'none',
  // Of moderations: the categories that the text is to be flagged for, joined by a plus sign; violence without any.
  flag: 'categories?',
  // Of jobs that go on after the answer: how the start is delayed, how the job ends, and what strikes the checks.
  'start-latency': 'duration',
  'failed-result': 'none',
  // Of tracks: how long they are to be, in seconds.
  seconds: 'seconds',
  'new-status-word': 'none',
  'check-latency': 'duration',
  'check-rate-limit': 'none',
  'check-5xx': 'status?',
  'check-busy': 'none',
  'check-auth': 'none',
  'check-gateway-html': 'none',
  'check-reset': 'none',
  'check-malformed': 'none',
  'check-truncated-json': 'none',
} as const;

export type ScenarioName = keyof typeof scenarioArguments;
export type AssetScenarioName = Extract<ScenarioName, `asset-${string}`>;

export const assetScenarioNames = (Object.keys(scenarioArguments) as ScenarioName[]).filter(isAssetScenario);

export interface Scenario {
  name: ScenarioName;
  /** The text after `=`; empty when there was none. Already checked against the kind of argument. */
  value: string;
  /** How often it strikes before it clears; undefined is always. */
  times: number | undefined;
}

/** Reads a list such as `5xx=503*2,latency=1s`. What cannot be understood comes back as sentences in `mistakes`. */
export function parseScenarios(text: string): { scenarios: Scenario[]; mistakes: string[] } {
  const scenarios: Scenario[] = [];
  const mistakes: string[] = [];
  for (const item of text.split(',').map((part) => part.trim())) {
    const [, name = '', value = '', times] = /^([a-z0-9-]+)(?:=([^*]+))?(?:\*(\d{1,6}))?$/.exec(item) ?? [];
    if (!isScenarioName(name)) mistakes.push(`unknown scenario '${item.slice(0, 60)}'`);
    else if (!argumentFits(name, value)) mistakes.push(`scenario '${name}' has a wrong argument '${value}'`);
    else scenarios.push({ name, value, times: times === undefined ? undefined : Number(times) });
  }
  return { scenarios, mistakes };
}

/** `1500ms`, `2s` or `1m` in milliseconds; the fallback for an absent argument. */
export function durationMs(value: string, fallbackMs: number): number {
  const [, amount, unit] = durationPattern.exec(value) ?? [];
  if (amount === undefined) return fallbackMs;
  return Number(amount) * (unit === 'ms' ? 1 : unit === 's' ? 1_000 : 60_000);
}

/** `2/4` as how many of how many succeed. */
export function share(value: string): { succeed: number; of: number } {
  const [succeed = 0, of = 1] = value.split('/').map(Number);
  return { succeed, of };
}

export function isAssetScenario(name: ScenarioName): name is AssetScenarioName {
  return name.startsWith('asset-');
}

const durationPattern = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$/;

const argumentPatterns = {
  none: /^$/,
  duration: durationPattern,
  'duration?': new RegExp(`^$|${durationPattern.source}`),
  'status?': /^$|^5\d\d$/,
  seconds: /^\d{1,3}(?:\.\d{1,2})?$/,
  share: /^\d{1,2}\/[1-9]\d?$/,
  'share?': /^$|^\d{1,2}\/[1-9]\d?$/,
  'categories?': /^$|^[a-z/-]{1,40}(?:\+[a-z/-]{1,40}){0,12}$/,
};

function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(scenarioArguments, name);
}

function argumentFits(name: ScenarioName, value: string): boolean {
  return argumentPatterns[scenarioArguments[name]].test(value);
}
