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
    mode: undefined,
    text: text.trim(),
    full: text.trim(),
    fault: undefined,
  };
  for (const flag of flags) {
    const [, name = '', value = ''] = /^(\S+)\s*(.*)$/s.exec(flag) ?? [];
    if (UNSEEN.test(name)) continue;
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

/** Flags that change nothing that could be seen here. */
const UNSEEN =
  /^(?:no|iw|zoom|s|stylize|c|chaos|w|weird|q|quality|stop|r|repeat|exp|style|raw|draft|hd|p|profile|[sco]ref|[sco]w|sv|motion|loop|tile|bs)$/i;

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
  relax: speed('RELAX'),
  fast: speed('FAST'),
  turbo: speed('TURBO'),
};
