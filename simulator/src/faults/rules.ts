import { parseScenarios, type Scenario } from './scenarios';

export interface RuleMatch {
  wire?: string;
  /** Part of the request path. */
  path?: string;
  /** Regular expression over the raw prompt. */
  prompt?: string;
}

export interface RuleInput {
  id?: string;
  match?: RuleMatch;
  /** A list as in a directive: `5xx*2,latency=1s`. */
  scenario: string;
  /** Whether `*N` counts for each job apart (the default) or over every call the rule matches. */
  per?: 'job' | 'rule';
}

export interface Rule {
  id: string;
  scenarios: Scenario[];
  per: 'job' | 'rule';
  matches(call: CallFacts): boolean;
}

export interface CallFacts {
  wire: string;
  path: string;
  model: string;
  prompt: string;
}

/** Turns rules as sent to the control API into ones that can be applied; `mistakes` says what is wrong with them. */
export function compileRules(inputs: RuleInput[]): { rules: Rule[]; mistakes: string[] } {
  const mistakes: string[] = [];
  const rules = inputs.map((input, index): Rule => {
    const id = input.id ?? `r${index + 1}`;
    const parsed = parseScenarios(input.scenario);
    mistakes.push(...parsed.mistakes.map((mistake) => `rule ${id}: ${mistake}`));
    return { id, scenarios: parsed.scenarios, per: input.per ?? 'job', matches: createMatcher(input.match ?? {}) };
  });
  return { rules, mistakes };
}

function createMatcher(match: RuleMatch): (call: CallFacts) => boolean {
  const prompt = match.prompt === undefined ? undefined : new RegExp(match.prompt);
  return (call) => {
    if (match.wire !== undefined && match.wire !== call.wire) return false;
    if (match.path !== undefined && !call.path.includes(match.path)) return false;
    return !prompt || prompt.test(call.prompt);
  };
}
