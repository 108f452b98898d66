import type { Usage } from '@mediagate/contracts';

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
