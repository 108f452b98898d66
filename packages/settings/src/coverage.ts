import type { Settings } from './settings';

/** Models of the catalogue that no channel serves but for tests, in the catalogue's order: every submission of one would fail. */
export function checkCoverage(settings: Pick<Settings, 'channels'>, modelIds: Iterable<string>): string[] {
  return [...new Set(modelIds)].filter(
    (id) => !settings.channels.some(({ isTest, models }) => !isTest && models.has(id)),
  );
}
