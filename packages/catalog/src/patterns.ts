import { listed, type MessageParam } from '@mediagate/contracts';

/** The patterns of fields, each with a description: callers cannot read what a text must be from an expression. */
export const WORD = '^\\w[\\w-]*$';
export const RATIO = '^[1-9]\\d{0,2}:[1-9]\\d{0,2}$';
export const TURN_ROLE = '^(?:user|model|function)$';
export const INSTRUCTION_ROLE = '^(?:user|model|system)$';

type PatternDemand = { key: 'must_be_word' | 'must_be_ratio' } | { key: 'must_be'; values: MessageParam };

const DEMANDS: ReadonlyMap<unknown, PatternDemand> = new Map<string, PatternDemand>([
  [WORD, { key: 'must_be_word' }],
  [RATIO, { key: 'must_be_ratio' }],
  [TURN_ROLE, { key: 'must_be', values: listed('or', ['user, model', 'function']) }],
  [INSTRUCTION_ROLE, { key: 'must_be', values: listed('or', ['user, model', 'system']) }],
]);

export function demandOfPattern(pattern: unknown): PatternDemand | undefined {
  return DEMANDS.get(pattern);
}
