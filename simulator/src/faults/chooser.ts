import { createHash } from 'node:crypto';
import { directiveIn } from './directive';
import type { CallFacts, Rule } from './rules';
import { isAssetScenario, parseScenarios, type Scenario, type ScenarioName } from './scenarios';

/** The faults chosen for one call. They are taken one by one, as the call reaches the place where each would strike. */
export interface Faults {
  /** `header`, `prompt` or `rule:<id>`; null when nothing was chosen. */
  from: string | null;
  /** What the chooser could not understand. */
  mistakes: string[];
  /** Names taken so far. */
  taken: ScenarioName[];
  /**
   * The scenario if it is to strike now. Taking uses up one of its counted hits, so `rate-limit*2,reset-after*1`
   * gives two refusals, then a cut, then a success.
   */
  take(name: ScenarioName): TakenScenario | undefined;
}

export interface TakenScenario {
  value: string;
  /** How often it has struck for this job, this time included. */
  hit: number;
  times: number | undefined;
}

export interface FaultChooser {
  choose(call: CallFacts & { header: string | undefined }): Faults;
  setRules(rules: Rule[]): void;
  reset(): void;
}

/** Jobs whose counts are remembered; beyond that the oldest is forgotten and would fail afresh. */
const MAX_COUNTERS = 20_000;

/** First match wins: the `x-sim-scenario` header, then a directive in the prompt, then the rules in their order. */
export function createFaultChooser(): FaultChooser {
  let rules: Rule[] = [];
  const hits = new Map<string, number>();

  const count = (key: string): number => {
    const next = (hits.get(key) ?? 0) + 1;
    hits.delete(key);
    hits.set(key, next);
    const oldest = hits.keys().next().value;
    if (hits.size > MAX_COUNTERS && oldest !== undefined) hits.delete(oldest);
    return next;
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
          if (!scenario) return undefined;
          const key = `${choice.counterScope}:${name}`;
          // An asset fault's count belongs to the downloads, not to the call that made the asset.
          const spent = !isAssetScenario(name) && (hits.get(key) ?? 0) >= (scenario.times ?? Number.POSITIVE_INFINITY);
          if (spent) return undefined;
          taken.push(name);
          return { value: scenario.value, times: scenario.times, hit: count(key) };
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

interface Choice {
  from: string | null;
  scenarios: Scenario[];
  mistakes: string[];
  counterScope: string;
}

function chooseScenarios(call: CallFacts & { header: string | undefined }, rules: Rule[]): Choice {
  const job = createHash('sha256').update(`${call.wire} ${call.path} ${call.model} ${call.prompt}`).digest('base64url');
  const directive = call.header ?? directiveIn(call.prompt);
  if (directive !== undefined) {
    return { from: call.header === undefined ? 'prompt' : 'header', ...parseScenarios(directive), counterScope: job };
  }
  const rule = rules.find((candidate) => candidate.matches(call));
  if (!rule) return { from: null, scenarios: [], mistakes: [], counterScope: job };
  return {
    from: `rule:${rule.id}`,
    scenarios: rule.scenarios,
    mistakes: [],
    counterScope: rule.per === 'rule' ? rule.id : `${rule.id}:${job}`,
  };
}
