import { type MediaLimits, type Message, message } from '@mediagate/contracts';

/** The facts found out about a file, in pixels and seconds. */
export interface MediaFacts {
  /** The type of the bytes, whatever their sender called them. */
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
 * Finds a limit of its field that a file breaks, and names the limit and the file's value; undefined: it breaks none. Facts that are
 * not known of a file are not judged.
 */
export function findExcess(facts: MediaFacts, limits: MediaLimits = {}): Message | undefined {
  return (
    judgeSides(facts, limits) ?? judgeAlpha(facts, limits) ?? judgeSeconds(facts, limits) ?? judgePages(facts, limits)
  );
}

function judgeSides({ contentType, width, height }: MediaFacts, limits: MediaLimits): Message | undefined {
  if (width === undefined || height === undefined) return undefined;
  const { minSide = 0, maxSide = Number.POSITIVE_INFINITY, maxAspect = Number.POSITIVE_INFINITY } = limits;
  const kind = contentType.startsWith('video/') ? 'video' : 'image';
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < minSide) return message(`${kind}_side_too_short`, { width, height, limit: minSide });
  if (longer > maxSide) return message(`${kind}_side_too_long`, { width, height, limit: maxSide });
  if (longer > maxAspect * shorter) return message(`${kind}_aspect`, { width, height, limit: maxAspect });
  return undefined;
}

/**
 * Judges the alpha channel by the header: an image that has one is refused although nothing in it may be transparent, because no
 * pixel is decoded to find out. A GIF has no channel; its transparent colour does not count as one.
 */
function judgeAlpha({ hasAlpha }: MediaFacts, { alpha }: MediaLimits): Message | undefined {
  if (hasAlpha === true && alpha === 'refused') return message('image_alpha');
  if (hasAlpha === false && alpha === 'required') return message('image_no_alpha');
  return undefined;
}

function judgeSeconds({ contentType, seconds }: MediaFacts, limits: MediaLimits): Message | undefined {
  if (seconds === undefined) return undefined;
  const { minSeconds = 0, maxSeconds = Number.POSITIVE_INFINITY } = limits;
  const kind = contentType.startsWith('video/') ? 'video' : 'audio';
  if (seconds < minSeconds - SECONDS_TOLERANCE) {
    return message(`${kind}_too_short`, { seconds: shown(seconds, minSeconds), limit: minSeconds });
  }
  if (seconds > maxSeconds + SECONDS_TOLERANCE) {
    return message(`${kind}_too_long`, { seconds: shown(seconds, maxSeconds), limit: maxSeconds });
  }
  return undefined;
}

/** Tenths, but never so few digits that a length beyond its limit looks like the limit. */
function shown(seconds: number, limit: number): number {
  const tenths = Number(seconds.toFixed(1));
  return tenths === limit ? Number(seconds.toFixed(2)) : tenths;
}

function judgePages({ pages }: MediaFacts, { maxPages }: MediaLimits): Message | undefined {
  if (pages === undefined || maxPages === undefined || pages <= maxPages) return undefined;
  return message('document_pages', { pages, limit: maxPages });
}
