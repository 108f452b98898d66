import { WORD } from '../patterns';
import { ignore, reject } from '../rules';
import { prompt, ratio } from './fields';
import { HAS_FLAG } from './flags';
import { versionFlag } from './version';

/** Fields of what is drawn from words; each is also a flag of the prompt. */
export const drawing = {
  prompt,
  size: ratio,
  quality: { type: 'number', enum: [0.25, 0.5, 1, 2] },
  style: { type: 'string', maxLength: 64, pattern: WORD, description: 'A word.' },
  version: { type: ['string', 'number'], description: '8.1, 7, 6.1, 5.2 or 5.1; 7 or 6 with niji.' },
  niji: { type: 'boolean', default: false, description: 'The model for drawn images.' },
  seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
  negative_prompt: { type: 'string', maxLength: 1000, description: 'What should not be there.' },
  stylize: { type: 'integer', minimum: 0, maximum: 1000 },
  chaos: { type: 'integer', minimum: 0, maximum: 100 },
  weird: { type: 'integer', minimum: 0, maximum: 3000 },
  tile: { type: 'boolean', default: false, description: 'A pattern that can be repeated.' },
  iw: { type: 'number', minimum: 0, maximum: 3, description: 'Weight of the images given.' },
  raw: { type: 'boolean', default: false },
  draft: { type: 'boolean', default: false },
  hd: { type: 'boolean', default: false },
  stop: { type: 'integer', minimum: 10, maximum: 100 },
  repeat: { type: 'integer', minimum: 1, maximum: 40 },
} as const;

interface Drawing {
  prompt: string;
  size?: string;
  quality?: number;
  style?: string;
  version?: string | number;
  niji: boolean;
  seed?: number;
  negative_prompt?: string;
  stylize?: number;
  chaos?: number;
  weird?: number;
  tile: boolean;
  iw?: number;
  raw: boolean;
  draft: boolean;
  hd: boolean;
  stop?: number;
  repeat?: number;
}

/** Rule: what stands in it is read by the vendor as part of the prompt, where a flag could cost more than was paid. */
export function negatesWords({ negative_prompt }: Pick<Drawing, 'negative_prompt'>) {
  if (negative_prompt === undefined || !HAS_FLAG.test(negative_prompt)) return undefined;
  return reject('negative_prompt', 'must_be_words_without_flags');
}

/** Rule: a task is one job with one result and one price. */
export function repeatsNothing() {
  return ignore('repeat', 'ignored_drawn_once');
}

/** The prompt as the vendor reads it: the words, then every parameter as a flag. */
export function promptWithFlags(input: Drawing): string {
  return [
    input.prompt,
    ...valued('ar', input.size),
    ...(input.version === undefined ? [] : [versionFlag(String(input.version))]),
    ...valued('style', input.style ?? oldRawStyle(input)),
    ...valued('s', input.stylize),
    ...valued('c', input.chaos),
    ...valued('w', input.weird),
    ...valued('q', input.quality),
    ...valued('iw', input.iw),
    ...valued('seed', input.seed),
    ...valued('stop', input.stop),
    ...switched('tile', input.tile),
    ...switched('raw', input.raw && oldRawStyle(input) === undefined),
    ...switched('draft', input.draft),
    ...switched('hd', input.hd),
    // Last, because it reads on to the next flag.
    ...valued('no', input.negative_prompt),
  ].join(' ');
}

/** Versions before 7 know raw as a style only. */
function oldRawStyle({ raw, style, version }: Drawing): string | undefined {
  return raw && style === undefined && /^v[56]\b/.test(String(version)) ? 'raw' : undefined;
}

function valued(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${flag} ${value}`];
}

function switched(flag: string, on: boolean): string[] {
  return on ? [`--${flag}`] : [];
}
