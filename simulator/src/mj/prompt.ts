import { DEFAULT_NIJI, DEFAULT_VERSION, readVersion, type Version, versionFlag } from './version';

export type Mode = 'RELAX' | 'FAST' | 'TURBO';

/** A prompt taken apart: links to images, words, and the flags behind them. */
export interface ReadPrompt {
  links: string[];
  /** Without links and flags. */
  words: string;
  version: Version;
  /** Width by height; undefined when the prompt leaves it open. */
  ratio: number | undefined;
  seed: number | undefined;
  /** The things that `--no` names, in lower case. */
  excluded: string[];
  mode: Mode | undefined;
  /** As it came. */
  text: string;
  /** As it is worked on: with its version named. */
  full: string;
  /** Why the work will fail; undefined for a good prompt. The vendor takes wrong flags, and fails later. */
  fault: string | undefined;
}

type Reader = (value: string, prompt: ReadPrompt) => boolean;

/** Reads a prompt without fault directives. `isNiji` says which model it is for when the prompt does not. */
export function readPrompt(text: string, { isNiji }: { isNiji: boolean }): ReadPrompt {
  const [head = '', ...flags] = text.trim().split(/(?:^|\s+)--(?=[a-z])/i);
  const pieces = head.split(/\s+/);
  const prompt: ReadPrompt = {
    links: pieces.filter(isLink),
    words: pieces.filter((piece) => !isLink(piece)).join(' '),
    version: isNiji ? DEFAULT_NIJI : DEFAULT_VERSION,
    ratio: undefined,
    seed: undefined,
    excluded: [],
    mode: undefined,
    text: text.trim(),
    full: text.trim(),
    fault: undefined,
  };
  for (const flag of flags) {
    const [, name = '', value = ''] = /^(\S+)\s*(.*)$/s.exec(flag) ?? [];
    const read = Object.hasOwn(readers, name.toLowerCase()) ? readers[name.toLowerCase()] : undefined;
    if (!read) prompt.fault ??= `[Invalid parameter] Unrecognized parameter(s): \`--${name.slice(0, 40)}\``;
    else if (!read(value.trim(), prompt)) {
      prompt.fault ??= `[Invalid parameter] Invalid value for \`--${name}\`: ${value.slice(0, 60)}`;
    }
  }
  if (!flags.some((flag) => /^(?:v|version|niji)\b/i.test(flag))) {
    prompt.full = `${prompt.full} ${versionFlag(prompt.version)}`.trim();
  }
  return prompt;
}

/** The words that are drawn: without those that `--no` forbids. */
export function drawnWords({ words, excluded }: ReadPrompt): string {
  const kept = words
    .split(/\s+/)
    .filter((word) => !excluded.includes(word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')));
  return kept.join(' ');
}

function isLink(piece: string): boolean {
  return /^https?:\/\//i.test(piece);
}

/** The longer side over the shorter. */
const MAX_ASPECT = 14;

/** Reads a ratio of whole numbers, `139:100` where others say 1.39:1. */
const readRatio: Reader = (value, prompt) => {
  const [, width, height] = /^([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(value)?.map(Number) ?? [];
  if (width === undefined || height === undefined) return false;
  prompt.ratio = width / height;
  return Math.max(prompt.ratio, 1 / prompt.ratio) <= MAX_ASPECT;
};

const readModel =
  (family: Version['family']): Reader =>
  (value, prompt) => {
    const version = family === 'niji' && value === '' ? DEFAULT_NIJI : readVersion(family, value);
    if (version) prompt.version = version;
    return version !== undefined;
  };

/** A number in a range that changes nothing that could be seen here. */
const within =
  (low: number, high: number): Reader =>
  (value) =>
    isNumber(value) && Number(value) >= low && Number(value) <= high;

const oneOf =
  (...values: string[]): Reader =>
  (value) =>
    values.includes(value);

const alone: Reader = (value) => value === '';
const anything: Reader = () => true;
const something: Reader = (value) => value !== '';

const speed =
  (mode: Mode): Reader =>
  (value, prompt) => {
    prompt.mode = mode;
    return value === '';
  };

const MAX_SEED = 4_294_967_295;

const readers: Record<string, Reader> = {
  ar: readRatio,
  aspect: readRatio,
  v: readModel('v'),
  version: readModel('v'),
  niji: readModel('niji'),
  seed(value, prompt) {
    prompt.seed = /^\d{1,10}$/.test(value) && Number(value) <= MAX_SEED ? Number(value) : undefined;
    return prompt.seed !== undefined;
  },
  no(value, prompt) {
    prompt.excluded.push(
      ...value
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    );
    return value !== '';
  },
  iw: within(0, 3),
  zoom: within(1, 2),
  relax: speed('RELAX'),
  fast: speed('FAST'),
  turbo: speed('TURBO'),
  s: within(0, 1_000),
  stylize: within(0, 1_000),
  c: within(0, 100),
  chaos: within(0, 100),
  w: within(0, 3_000),
  weird: within(0, 3_000),
  q: oneOf('0.25', '.25', '0.5', '.5', '1', '2', '4'),
  quality: oneOf('0.25', '.25', '0.5', '.5', '1', '2', '4'),
  stop: within(10, 100),
  r: within(1, 40),
  repeat: within(1, 40),
  exp: within(0, 100),
  style: something,
  raw: alone,
  draft: alone,
  hd: alone,
  p: anything,
  profile: something,
  sref: something,
  cref: something,
  oref: something,
  sw: within(0, 1_000),
  cw: within(0, 100),
  ow: within(0, 1_000),
  sv: within(1, 8),
  motion: oneOf('low', 'high'),
  loop: alone,
  tile: alone,
  bs: oneOf('1', '2', '4'),
};

function isNumber(value: string): boolean {
  return /^\d*\.?\d+$/.test(value);
}
