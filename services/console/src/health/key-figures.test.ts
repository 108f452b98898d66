import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORK_METRICS } from './key-figures';

const ROOT = join(__dirname, '../../../..');

function registeredMetrics(): Set<string> {
  const sources = ['packages', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[^/]+\/src\/.*\.ts$/.test(file) && !file.startsWith('console/') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(ROOT, group, file), 'utf8')),
  );
  return new Set(sources.flatMap((source) => source.match(/(?<=name: ')mediagate_[a-z_]+(?=')/g) ?? []));
}

it('every key figure is a metric that some service has', () => {
  const registered = registeredMetrics();
  expect(WORK_METRICS.map(({ metric }) => metric).filter((metric) => !registered.has(metric))).toEqual([]);
});
