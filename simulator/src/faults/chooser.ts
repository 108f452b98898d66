import { createHash } from 'node:crypto';
import type { Clock } from '../clock';
import { directiveIn } from './directive';
import type { CallFacts, Rule } from './rules';
import { durationMs, parseScenarios, type Scenario } from './scenarios';
import { isAssetScenario, nameAtChecks, type ScenarioName } from './table';

/** The faults chosen for one call. They are taken one by one, as the call reaches the place where each would strike. */
export interface Faults {
  /** `prompt` or `rule:<id>`; null when nothing was chosen. */
  from: string | null;
  /** Sentences on what the chooser could not understand. */
  mistakes: string[];
  /** Names taken so far. */
  taken: ScenarioName[];
  /**
   * The scenario if it is to strike now. Taking uses up one of its counted hits, so `rate-limit*2,reset-after*1`
   * gives two refusals, then a cut, then a success.
   */
  take(name: ScenarioName): TakenScenario | undefined;
}

interface TakenScenario {
  value: string;
  /** How often it has struck for this job, this time included. */
  hit: number;
  times: number | undefined;
}

export interface FaultChooser {
  choose(call: CallFacts): Faults;
  setRules(rules: Rule[]): void;
  reset(): void;
}

/** How long a throttle lasts when nothing asked for a figure. */
const THROTTLE_MS = 60_000;

/** First match wins: a directive in the prompt, then the rules in their order. */
export function createFaultChooser(clock: Pick<Clock, 'now'>): FaultChooser {
  let rules: Rule[] = [];
  const hits = createHits(clock);

  const isSpent = ({ name, value, times }: Scenario, key: string): boolean => {
    // An asset fault's count belongs to the downloads, not to the call that made the asset.
    if (!isAssetScenario(name) && times !== undefined && hits.reached(key, times)) return true;
    return isLasting(name) && hits.isOlder(key, durationMs(value, THROTTLE_MS));
  };

  return {
    choose(call) {
      const choice = chooseScenarios(call, rules);
      const taken: ScenarioName[] = [];
      return {
        from: choice.from,
        mistakes: choice.mistakes,
        taken,
        take(name) {
          const scenario = choice.scenarios.find((candidate) => candidate.name === name);
          const key = `${choice.counterScope}:${name}`;
          if (!scenario || isSpent(scenario, key)) return undefined;
          taken.push(name);
          return { value: scenario.value, times: scenario.times, hit: hits.strike(key) };
        },
      };
    },
    setRules(next) {
      rules = next;
      hits.clear();
    },
    reset() {
      rules = [];
      hits.clear();
    },
  };
}

/** Strikes until its time is over, on the simulator's clock, however often it is met. */
function isLasting(name: ScenarioName): boolean {
  return /^(?:check-)?throttle-/.test(name);
}

interface Choice {
  from: string | null;
  scenarios: Scenario[];
  mistakes: string[];
  counterScope: string;
}

function chooseScenarios(call: CallFacts, rules: Rule[]): Choice {
  const job = createHash('sha256').update(`${call.wire} ${call.path} ${call.model} ${call.prompt}`).digest('base64url');
  const directive = directiveIn(call.prompt);
  if (directive !== undefined) return { from: 'prompt', ...parseScenarios(directive), counterScope: job };
  const rule = rules.find((candidate) => candidate.matches(call));
  if (!rule) return { from: null, scenarios: [], mistakes: [], counterScope: job };
  return {
    from: `rule:${rule.id}`,
    scenarios: rule.scenarios,
    mistakes: [],
    counterScope: rule.per === 'rule' ? rule.id : `${rule.id}:${job}`,
  };
}

/** How often, and since when, each fault has struck each job. */
interface Hits {
  /** Whether it has struck so often. */
  reached(key: string, times: number): boolean;
  /** Whether it struck for the first time so long ago. */
  isOlder(key: string, ms: number): boolean;
  /** Counts a strike and says how many there were. */
  strike(key: string): number;
  clear(): void;
}

/** Jobs whose counts are remembered; beyond that the oldest is forgotten and would fail afresh. */
const MAX_COUNTERS = 20_000;

function createHits(clock: Pick<Clock, 'now'>): Hits {
  const hits = new Map<string, { count: number; sinceMs: number }>();
  return {
    reached: (key, times) => (hits.get(key)?.count ?? 0) >= times,
    isOlder(key, ms) {
      const known = hits.get(key);
      return known !== undefined && clock.now() >= known.sinceMs + ms;
    },
    strike(key) {
      const { count, sinceMs } = hits.get(key) ?? { count: 0, sinceMs: clock.now() };
      hits.delete(key);
      hits.set(key, { count: count + 1, sinceMs });
      const oldest = hits.keys().next().value;
      if (hits.size > MAX_COUNTERS && oldest !== undefined) hits.delete(oldest);
      return count + 1;
    },
    clear: () => hits.clear(),
  };
}

/**
 * The faults that a job's start chose, as its checks meet them: `busy` struck the start, `check-busy*2` strikes the first
 * two checks.
 */
export function checkFaults(ofStart: Faults): Faults {
  const taken: ScenarioName[] = [];
  return {
    from: ofStart.from,
    mistakes: [],
    taken,
    take(name) {
      const asked = nameAtChecks(name);
      const scenario = asked && ofStart.take(asked);
      if (asked && scenario) taken.push(asked);
      return scenario;
    },
  };
}
