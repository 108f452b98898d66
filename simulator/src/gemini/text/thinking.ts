import type { GenerationConfig } from '../request';
import { invalidArgument } from '../wire';

/** How much a model thinks. */
export interface Thinking {
  maxTokens: number;
  shown: boolean;
}

/** A model takes a number of tokens within bounds, and from the third generation on a level. */
interface Habit {
  tokens: [least: number, most: number];
  levels?: { known: string[]; usual: string };
}

const LEVELS = ['minimal', 'low', 'medium', 'high'];

/** Pro always thinks, Flash unless the request forbids it; every model of the third generation thinks at least a little. */
const habits: Record<string, Habit> = {
  'gemini-2.5-pro': { tokens: [128, 32_768] },
  'gemini-2.5-flash': { tokens: [0, 24_576] },
  'gemini-3.5-flash-lite': { tokens: [1, 24_576], levels: { known: LEVELS, usual: 'minimal' } },
  'gemini-3.8-flash': { tokens: [1, 32_768], levels: { known: LEVELS.slice(1), usual: 'medium' } },
};

const tokensByLevel: Record<string, number> = { minimal: 0, low: 1024, medium: 8192, high: 24_576 };

/** Whether the model is of the third generation. */
export function goesByLevels(model: string): boolean {
  return habits[model]?.levels !== undefined;
}

export function thinkingOf({ thinkingConfig = {} }: GenerationConfig, model: string): Thinking {
  const { thinkingBudget: asked = -1, thinkingLevel: level, includeThoughts: shown = false } = thinkingConfig;
  const { tokens: bounds, levels } = habits[model] ?? { tokens: [0, 0] };
  if (level !== undefined && thinkingConfig.thinkingBudget !== undefined) {
    throw invalidArgument('You can only set only one of thinking budget and thinking level.');
  }
  if (asked !== -1) return { maxTokens: withinBounds(asked, bounds, levels !== undefined), shown };
  if (level !== undefined && !levels?.known.includes(level.toLowerCase())) {
    throw invalidArgument(`Thinking level ${level} is not supported for this model.`);
  }
  const named = level?.toLowerCase() ?? levels?.usual;
  return { maxTokens: named === undefined ? bounds[1] : (tokensByLevel[named] ?? 0), shown };
}

function withinBounds(asked: number, [least, most]: [number, number], goesByLevel: boolean): number {
  if (asked === 0 && least > 0) {
    const ofThird = 'Request contains an invalid argument.';
    throw invalidArgument(goesByLevel ? ofThird : 'Budget 0 is invalid. This model only works in thinking mode.');
  }
  if (asked >= least && asked <= most) return asked;
  throw invalidArgument(`The thinking budget ${asked} is invalid. Please choose a value between ${least} and ${most}.`);
}
