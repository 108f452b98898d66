import { type ArgumentKind, FAULTS, isScenarioName, type ScenarioName } from './table';

export interface Scenario {
  name: ScenarioName;
  /** The text after `=`; empty when there was none. Already checked against the kind of argument. */
  value: string;
  /** How often it strikes before it clears; undefined is always. */
  times: number | undefined;
}

/**
 * Reads a list of `name`, `name=argument` or `name*times`, joined by commas, such as `5xx=503*2,latency=1s`. What cannot be
 * understood comes back as sentences in `mistakes`.
 */
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

const durationPattern = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$/;

const argumentPatterns: Record<ArgumentKind, RegExp> = {
  none: /^$/,
  duration: durationPattern,
  'duration?': new RegExp(`^$|${durationPattern.source}`),
  'status?': /^$|^5\d\d$/,
  'page?': /^$|^(?:200|403|50[234])$/,
  'detail?': /^$|^(?:text|list)$/,
  count: /^\d$/,
  seconds: /^\d{1,3}(?:\.\d{1,2})?$/,
  share: /^\d{1,2}\/[1-9]\d?$/,
  'share?': /^$|^\d{1,2}\/[1-9]\d?$/,
  'categories?': /^$|^[a-z/-]{1,40}(?:\+[a-z/-]{1,40}){0,12}$/,
};

function argumentFits(name: ScenarioName, value: string): boolean {
  return argumentPatterns[FAULTS[name].argument].test(value);
}
