import type { Usage } from '@mediagate/contracts';
import type { StoredOutput } from './profile';

/**
 * A vendor's figures as counts: whole, rounded up, not negative, exact as a JSON number. Money is reckoned from these, so
 * a figure that is none (negative, not a number, infinite) counts as not reported.
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

/** What exists after all outputs were brought home, whatever the upstream says it made. */
export function keptCounts(outputs: readonly StoredOutput[]): Usage & { images: number } {
  const videos = count(outputs, 'video');
  return { images: count(outputs, 'image'), ...(videos > 0 ? { videos: videos } : {}), ...secondsOf(outputs) };
}

function count(outputs: readonly StoredOutput[], wanted: StoredOutput['role']): number {
  return outputs.filter(({ role }) => role === wanted).length;
}

/** Length of what was kept, to the nearest second: frames do not end on whole ones. */
function secondsOf(outputs: readonly StoredOutput[]): { seconds?: number } {
  const lengths = outputs.flatMap(({ seconds }) => (seconds === undefined ? [] : [seconds]));
  if (lengths.length === 0) return {};
  return { seconds: Math.round(lengths.reduce((sum, length) => sum + length, 0)) };
}
