import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyFigures, WORK_METRICS } from './key-figures';
import { parseMetrics } from './metrics-text';

const ROOT = join(__dirname, '../../../..');

function registeredMetrics(): Set<string> {
  const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.startsWith('services/console/') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return new Set(sources.flatMap((source) => source.match(/(?<=')mediagate_[a-z_]+(?=')/g) ?? []));
}

it('every key figure is a metric that some service has', () => {
  const registered = registeredMetrics();
  expect(WORK_METRICS.map(({ metric }) => metric).filter((metric) => !registered.has(metric))).toEqual([]);
});

it.each([
  ['0', 0, false],
  ['2', 2, true],
  ['Nan', Number.NaN, true],
])('an audit that says %s is alarming unless it is a zero', (text, value, alarming) => {
  const { work } = keyFigures(parseMetrics(`mediagate_audit_violations ${text}\n`), 0);
  expect(work).toEqual([{ label: 'audit violations', value, alarming }]);
});
