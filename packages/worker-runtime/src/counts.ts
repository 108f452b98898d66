import type { Usage } from '@mediagate/contracts';
import type { StoredOutput } from './profile';

/**
 * Turns a vendor's figures into counts: integers, rounded up, exact as JSON numbers. Money is computed from them, so a figure
 * that is negative, infinite or no number counts as not reported.
 */
export function toCounts(usage: Usage): Usage {
  const counts: Usage = {};
  for (const [name, figure] of Object.entries(usage) as [keyof Usage, unknown][]) {
    if (typeof figure === 'number' && Number.isFinite(figure) && figure >= 0) {
      counts[name] = Math.min(Math.ceil(figure), Number.MAX_SAFE_INTEGER);
    }
  }
  return counts;
}

/** Counts the outputs that were stored, whatever the upstream reports. */
export function keptCounts(outputs: readonly StoredOutput[]): Usage & { images: number } {
  const videos = count(outputs, 'video');
  return { images: count(outputs, 'image'), ...(videos > 0 ? { videos: videos } : {}), ...secondsOf(outputs) };
}

function count(outputs: readonly StoredOutput[], wanted: StoredOutput['role']): number {
  return outputs.filter(({ role }) => role === wanted).length;
}

/** The length of the stored outputs, rounded to a second because frames do not end on full seconds. */
function secondsOf(outputs: readonly StoredOutput[]): { seconds?: number } {
  const lengths = outputs.flatMap(({ seconds }) => (seconds === undefined ? [] : [seconds]));
  if (lengths.length === 0) return {};
  return { seconds: Math.round(lengths.reduce((sum, length) => sum + length, 0)) };
}
