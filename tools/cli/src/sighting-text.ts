import type { Sighting } from '@mediagate/upstreams';

/** Something for the operator to mend. */
export function isFaulty({ reachable, key, models = [] }: Sighting): boolean {
  return !reachable || key === 'refused' || models.some(({ known }) => !known);
}

/** In one line. */
export function sightingText({ reachable, key, detail, models = [], balance }: Sighting): string {
  const unknown = models.filter(({ known }) => !known).map(({ name }) => name);
  const ending = models.flatMap(({ name, servedUntil }) => (servedUntil ? [`${name} until ${servedUntil}`] : []));
  return [
    reachable ? `reachable (${detail})` : `unreachable (${detail})`,
    KEYS[key],
    ...(models.length > 0 && unknown.length === 0 ? ['models known'] : []),
    ...(unknown.length > 0 ? [`unknown: ${unknown.join(', ')}`] : []),
    ...(ending.length > 0 ? [`its list serves ${ending.join(', ')}`] : []),
    ...(balance === undefined ? [] : [`balance ${balance}`]),
  ].join('; ');
}

const KEYS = { taken: 'key taken', refused: 'KEY REFUSED', unproved: 'key not proved' } as const;
