import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus';
import { findPromtool } from '@mediagate/testkit';
import { parse } from 'yaml';
import { renderChart } from './chart';
import { ROOT, readText } from './checkout';
import { buildDashboard, DASHBOARD_FILE, dashboardText } from './dashboard';
import { namesIn } from './promql';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

const RULES_FILE = 'deploy/helm/mediagate/files/alerts.yaml';
const CASES_FILE = 'tools/deployment/test/alert-cases.yaml';
const rules: Rule[] = parse(readText(RULES_FILE)).groups.flatMap((group: { rules: Rule[] }) => group.rules);

/** Series that Prometheus itself adds, and series of others that we use. */
const PROMETHEUS = new Map([
  ['up', []],
  ['process_cpu_seconds_total', []],
  ['nodejs_eventloop_lag_p99_seconds', []],
]);
const OF_TARGETS = ['namespace', 'job', 'instance'];

/** By the table of docs/metrics.md, which is compared with the running services; histograms by their three series. */
function knownSeries(): Map<string, string[]> {
  const rows = [...readText('docs/metrics.md').matchAll(/^\| `(mediagate_\w+)` \| (\w+) \|([^|]*)\|/gm)];
  return new Map(
    rows.flatMap(([, name = '', type, text = '']): [string, string[]][] => {
      const labels = text.match(/\w+/g) ?? [];
      if (type !== 'histogram') return [[name, labels]];
      return [
        [`${name}_bucket`, [...labels, 'le']],
        [`${name}_count`, labels],
        [`${name}_sum`, labels],
      ];
    }),
  );
}

/** Metrics, and labels that none of them has. */
function unknownIn(expression: string): string[] {
  const known = new Map([...knownSeries(), ...PROMETHEUS]);
  const { metrics, labels, faults } = namesIn(expression.replaceAll('$__rate_interval', '5m'));
  const theirs = new Set([...OF_TARGETS, ...metrics.flatMap((metric) => known.get(metric) ?? [])]);
  const strange = [...metrics.filter((metric) => !known.has(metric)), ...labels.filter((label) => !theirs.has(label))];
  return [...faults, ...strange, ...(metrics.length === 0 ? ['names no metric'] : [])];
}

describe('the rules for alerts', () => {
  it('name metrics and labels that there are', () => {
    const unknown = rules.flatMap(({ alert, expr }) => unknownIn(expr).map((name) => `${alert}: ${name}`));
    expect(unknown).toEqual([]);
  });

  it('say what has happened, how urgent it is, and where it is written what to do', () => {
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning|info)$/)]);
      expect([alert, annotations.summary, annotations.description]).not.toContain('');
      expect(readText(annotations.runbook_url)).toContain(`\`${alert}\``);
    }
  });

  it('have a case in which each fires, and one in which it does not', () => {
    const { tests } = parse(readText(CASES_FILE));
    const samplesOf = (alert: string): number[] =>
      tests
        .filter(({ name }: { name: string }) => name === alert)
        .flatMap((test: { promql_expr_test: { exp_samples: object[] }[] }) => test.promql_expr_test)
        .map(({ exp_samples }: { exp_samples: object[] }) => exp_samples.length);
    for (const { alert } of rules) expect([alert, new Set(samplesOf(alert))]).toEqual([alert, new Set([0, 1])]);
  });

  const promtool = findPromtool();

  (promtool === undefined ? it.skip : it)('are understood by Prometheus, and fire as their cases say', () => {
    for (const [verb, file] of [
      ['check', RULES_FILE],
      ['test', CASES_FILE],
    ] as const)
      expect([file, runPromtool(verb, file)]).toEqual([file, '']);
  });

  (promtool === undefined ? it.skip : it)('fire in a cluster for the release’s own namespace, which they name', () => {
    const rule = renderChart({ prometheusRule: { enabled: true } }).find(({ kind }) => kind === 'PrometheusRule');
    const inCluster = readText(CASES_FILE)
      .replace(/^rule_files: .*/m, 'rule_files: [rules.yaml]')
      .replaceAll('alertstate="firing"', 'alertstate="firing",namespace="default"');
    const seriesIn = (namespace: string) => inCluster.replaceAll('job="', `namespace="${namespace}",job="`);
    const folder = mkdtempSync(join(tmpdir(), 'mediagate-rules-'));
    try {
      writeFileSync(join(folder, 'rules.yaml'), JSON.stringify(rule?.spec));
      writeFileSync(join(folder, 'own.yaml'), seriesIn('default'));
      writeFileSync(join(folder, 'others.yaml'), silent(seriesIn('elsewhere')));
      expect(runPromtool('check', join(folder, 'rules.yaml'))).toBe('');
      expect(runPromtool('test', join(folder, 'own.yaml'))).toBe('');
      expect(runPromtool('test', join(folder, 'others.yaml'))).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  /** Gives its complaint; empty: it has none. */
  function runPromtool(verb: 'check' | 'test', file: string): string {
    const { status, stdout, stderr } = spawnSync(String(promtool), [verb, 'rules', file], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return status === 0 ? '' : `${stdout}${stderr}`;
  }

  /** The same cases with no alert at any of their moments, but that nobody audits. */
  function silent(cases: string): string {
    const { tests, ...rest } = parse(cases);
    const others = tests.filter(({ name }: { name: string }) => name !== 'MediagateAuditMissing');
    for (const { promql_expr_test } of others) for (const sample of promql_expr_test) sample.exp_samples = [];
    return JSON.stringify({ ...rest, tests: others });
  }
});

describe('the dashboard', () => {
  it('is the one that the builders make: `npm run reference` writes it', () => {
    expect(existsSync(join(ROOT, DASHBOARD_FILE))).toBe(true);
    expect(readText(DASHBOARD_FILE)).toBe(dashboardText());
  });

  it('asks only for metrics and labels that there are', () => {
    const { panels = [] } = buildDashboard();
    const targets = panels.flatMap((panel) => ('targets' in panel ? (panel.targets as Dataquery[]) : []));
    expect(targets.length).toBeGreaterThan(30);
    expect(targets.flatMap(({ expr }) => unknownIn(expr).map((name) => `${expr}: ${name}`))).toEqual([]);
  });

  it('shows every metric that an alert goes by', () => {
    const text = readText(DASHBOARD_FILE);
    const wanted = new Set(rules.flatMap(({ expr }) => namesIn(expr).metrics));
    expect([...wanted].filter((metric) => !text.includes(metric)).sort()).toEqual(NOT_DRAWN);
  });
});

/** Metrics that are no line over time, are rare enough for their alert alone, or are drawn by their buckets. */
const NOT_DRAWN = [
  'mediagate_audit_last_success_timestamp_seconds',
  'mediagate_channel_model_days_left',
  'mediagate_channel_unlisted_names',
  'mediagate_notice_attempts_total',
  'mediagate_notice_messages_oldest_seconds',
  'mediagate_result_marks_total',
  'mediagate_signing_certificate_end_timestamp_seconds',
  'mediagate_signing_change_refused',
  'mediagate_signing_state',
  'mediagate_storage_works',
  'mediagate_task_duration_seconds_count',
  'mediagate_text_other_model_total',
  'mediagate_text_settlements_lost_total',
];
