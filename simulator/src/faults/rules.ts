import { parseScenarios, type Scenario } from './scenarios';

export interface RuleMatch {
  wire?: string;
  /** Part of the request path. */
  path?: string;
  model?: string;
  /** Regular expression over the raw prompt. */
  prompt?: string;
  /** Only the nth call (from 1) among those that match otherwise. */
  nth?: number;
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
  let seen = 0;
  return (call) => {
    if (match.wire !== undefined && match.wire !== call.wire) return false;
    if (match.path !== undefined && !call.path.includes(match.path)) return false;
    if (match.model !== undefined && match.model !== call.model) return false;
    if (prompt && !prompt.test(call.prompt)) return false;
    seen += 1;
    return match.nth === undefined || match.nth === seen;
  };
}
