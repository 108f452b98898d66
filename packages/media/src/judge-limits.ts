import type { MediaLimits } from '@mediagate/contracts';

/** What was found out about a file; pixels, seconds. */
export interface MediaFacts {
  /** What the bytes are, whatever they were called. */
  contentType: string;
  width?: number;
  height?: number;
  hasAlpha?: boolean | undefined;
  seconds?: number;
  pages?: number;
}

/** Encoders fill the last frame of sound: a video of ten seconds may be a few hundredths longer. */
const SECONDS_TOLERANCE = 0.05;

/**
 * What a file breaks of its field's limits, in a sentence that tells the limit and what was found; undefined: nothing. What
 * is not known of a file is not held against it.
 */
export function findExcess(facts: MediaFacts, limits: MediaLimits = {}): string | undefined {
  const noun = facts.contentType.split('/')[0] ?? '';
  const subject = `The ${['image', 'video', 'audio'].includes(noun) ? noun : 'document'}`;
  return (
    judgeSides(subject, facts, limits) ??
    judgeAlpha(subject, facts, limits) ??
    judgeSeconds(subject, facts, limits) ??
    judgePages(subject, facts, limits)
  );
}

function judgeSides(subject: string, { width, height }: MediaFacts, limits: MediaLimits): string | undefined {
  if (width === undefined || height === undefined) return undefined;
  const { minSide = 0, maxSide = Number.POSITIVE_INFINITY, maxAspect = Number.POSITIVE_INFINITY } = limits;
  const size = `${subject} has ${width}x${height} pixels`;
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < minSide) return `${size}; each side must have at least ${minSide}.`;
  if (longer > maxSide) return `${size}; each side may have at most ${maxSide}.`;
  if (longer > maxAspect * shorter) return `${size}; one side may be at most ${maxAspect} times the other.`;
  return undefined;
}

/**
 * Of the channel as the header tells it: a picture that has one is refused although nothing in it may be transparent, because
 * no pixel is decoded to find out. A GIF has no channel; that it may leave out a colour is not held against it.
 */
function judgeAlpha(subject: string, { hasAlpha }: MediaFacts, { alpha }: MediaLimits): string | undefined {
  if (hasAlpha === true && alpha === 'refused') return `${subject} has an alpha channel; none is accepted.`;
  if (hasAlpha === false && alpha === 'required') return `${subject} has no alpha channel; one is required.`;
  return undefined;
}

function judgeSeconds(subject: string, { seconds }: MediaFacts, limits: MediaLimits): string | undefined {
  if (seconds === undefined) return undefined;
  const { minSeconds = 0, maxSeconds = Number.POSITIVE_INFINITY } = limits;
  if (seconds < minSeconds - SECONDS_TOLERANCE) {
    return `${subject} is ${shown(seconds, minSeconds)} s long; at least ${minSeconds} s is required.`;
  }
  if (seconds > maxSeconds + SECONDS_TOLERANCE) {
    return `${subject} is ${shown(seconds, maxSeconds)} s long; at most ${maxSeconds} s is allowed.`;
  }
  return undefined;
}

/** Tenths, but never so few digits that a length beyond its limit looks like the limit. */
function shown(seconds: number, limit: number): string {
  const tenths = Number(seconds.toFixed(1));
  return String(tenths === limit ? Number(seconds.toFixed(2)) : tenths);
}

function judgePages(subject: string, { pages }: MediaFacts, { maxPages }: MediaLimits): string | undefined {
  if (pages === undefined || maxPages === undefined || pages <= maxPages) return undefined;
  return `${subject} has ${pages} pages; at most ${maxPages} are accepted.`;
}
