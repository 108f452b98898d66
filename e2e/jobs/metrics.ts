import { spawnSync } from 'node:child_process';
import { isFamily } from '@mediagate/contracts';
import { findPromtool } from '@mediagate/testkit';
import { type DocumentedMetric, documentedMetrics } from '../system/documented-metrics';
import { sharedSystem } from '../system/shared-system';

/** After the parts before it, most metrics have values. */
it('every service has the metrics that docs/metrics.md lists for it, with their labels, and no others of our own', async () => {
  const documented = documentedMetrics();
  const { system } = await sharedSystem();
  const services = Object.values(system.services);
  const found = await Promise.all(
    services.map(async ({ name, metricsUrl }) => ({ name, text: await read(metricsUrl) })),
  );
  for (const { name, text } of found) {
    const expected = documented.filter(({ services }) => isOf(name, services)).map(lineOf);
    expect([name, ...describedIn(text)]).toEqual([name, ...expected.sort()]);
  }
  const all = found.map(({ text }) => text).join('\n');
  for (const metric of documented) expect([metric.name, undocumentedLabels(metric, all)]).toEqual([metric.name, []]);
});

it('no call of a vendor is counted under a channel or model that is not known', async () => {
  const { system } = await sharedSystem();
  const texts = await Promise.all(Object.values(system.services).map(({ metricsUrl }) => read(metricsUrl)));
  const calls = texts.flatMap((text) => text.match(/^mediagate_upstream_call_duration_seconds_count\{.*$/gm) ?? []);
  expect(calls.filter((line) => /channel="(none|other)"|model="other"/.test(line))).toEqual([]);
  for (const channel of ['images-openai', 'text-gemini']) {
    expect(calls.filter((line) => line.includes(`channel="${channel}"`))).not.toEqual([]);
  }
});

const promtool = findPromtool();

(promtool === undefined ? it.skip : it)('Prometheus finds nothing to say against them', async () => {
  const { system } = await sharedSystem();
  for (const { name, metricsUrl } of Object.values(system.services)) {
    const input = ours(await read(metricsUrl));
    const { stdout, stderr } = spawnSync(String(promtool), ['check', 'metrics'], { input, encoding: 'utf8' });
    expect([name, stdout, stderr]).toEqual([name, '', '']);
  }
});

async function read(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function isOf(service: string, services: readonly string[]): boolean {
  return services.includes(service) || services.includes('all') || (isFamily(service) && services.includes('workers'));
}

const lineOf = ({ name, type, help }: Omit<DocumentedMetric, 'labels' | 'services'>) => `${name} ${type}: ${help}`;

function describedIn(text: string): string[] {
  const types = new Map([...text.matchAll(/^# TYPE (mediagate_\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
  const helps = [...text.matchAll(/^# HELP (mediagate_\w+) (.*)$/gm)];
  return helps.map(([, name = '', help = '']) => lineOf({ name, type: String(types.get(name)), help })).sort();
}

function undocumentedLabels({ name, labels }: DocumentedMetric, text: string): string[] {
  const samples = text.match(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{.*\\} `, 'gm')) ?? [];
  const seen = samples.flatMap((sample) => [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
  return [...new Set(seen)].filter((label) => label !== 'le' && !labels.includes(label));
}

/** Leaves out Node's metrics, whose names prom-client chose. */
function ours(text: string): string {
  return `${text
    .split('\n')
    .filter((line) => /^(# \w+ )?mediagate_/.test(line))
    .join('\n')}\n`;
}
