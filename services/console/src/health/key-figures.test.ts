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
  ['development', 40, false],
  ['valid', 40, false],
  ['ending', 12, true],
])('a certificate that is %s is shown with the days until its end', (state, days, alarming) => {
  const text = [
    `mediagate_signing_certificate_end_timestamp_seconds ${days * 86_400 + 60}`,
    'mediagate_signing_state{state="other"} 0',
    `mediagate_signing_state{state="${state}"} 1`,
  ].join('\n');
  expect(keyFigures(parseMetrics(text), 0).work).toEqual([{ label: `signing ${state}`, value: days, alarming }]);
});

it('a certificate that has ended is shown with the days since', () => {
  const text = 'mediagate_signing_certificate_end_timestamp_seconds 86400\nmediagate_signing_state{state="ended"} 1\n';
  const daysAt = (seconds: number) => keyFigures(parseMetrics(text), seconds * 1000).work;
  expect(daysAt(86_460)).toEqual([{ label: 'signing ended', value: 0, alarming: true }]);
  expect(daysAt(3 * 86_400 + 60)).toEqual([{ label: 'signing ended', value: 2, alarming: true }]);
});

it('workers that share a process have one certificate', () => {
  const text = ['image', 'video'].flatMap((service) => [
    `mediagate_signing_certificate_end_timestamp_seconds{service="${service}"} ${40 * 86_400 + 60}`,
    `mediagate_signing_state{state="ended",service="${service}"} 0`,
    `mediagate_signing_state{state="valid",service="${service}"} 1`,
  ]);
  const figure = { label: 'signing valid', value: 40, alarming: false };
  expect(keyFigures(parseMetrics(text.join('\n')), 0).work).toEqual([figure]);
});

it('a change that all workers of a process refuse is one', () => {
  const text = ['image', 'video'].flatMap((service) => [
    `mediagate_signing_state{state="valid",service="${service}"} 1`,
    `mediagate_signing_change_refused{service="${service}"} 1`,
  ]);
  const figures = keyFigures(parseMetrics(text.join('\n')), 0).work;
  expect(figures).toContainEqual({ label: 'signing change refused', value: 1, alarming: true });
});

it('a certificate that cannot follow the present one is shown beside it', () => {
  const text = (refused: number) =>
    `mediagate_signing_state{state="valid"} 1\nmediagate_signing_change_refused ${refused}\n`;
  const figures = (refused: number) => keyFigures(parseMetrics(text(refused)), 0).work.map(({ label }) => label);
  expect(figures(0)).toEqual(['signing valid']);
  expect(figures(1)).toEqual(['signing valid', 'signing change refused']);
});

it.each([
  ['0', 0, false],
  ['2', 2, true],
  ['Nan', Number.NaN, true],
])('an audit that says %s is alarming unless it is a zero', (text, value, alarming) => {
  const { work } = keyFigures(parseMetrics(`mediagate_audit_violations ${text}\n`), 0);
  expect(work).toEqual([{ label: 'audit violations', value, alarming }]);
});
