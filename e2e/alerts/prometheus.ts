import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, untilReady } from '@mediagate/testkit/servers';

/** Above what a check of readiness may take. */
const SCRAPE_INTERVAL_MS = 2500;

/** The shortest interval that Grafana takes for rates at this scrape interval. */
const RATE_INTERVAL = '15s';

interface RangeAnswer {
  status: 'success' | 'error';
  error?: string;
  data: { result: object[] };
}

export interface FiringAlert {
  labels: { alertname: string };
  annotations: Record<string, string>;
  state: 'pending' | 'firing';
}

/** A real Prometheus on loopback. */
export interface Prometheus {
  /** Alerts that fire now. */
  firing(): Promise<FiringAlert[]>;
  /** How many lines a panel would show of all the time since the start. */
  lines(expression: string): Promise<number>;
  stop(): Promise<void>;
}

interface PrometheusOptions {
  program: string;
  /** Files' texts. */
  rules: string;
  /** Addresses of `/metrics`. */
  targets: readonly string[];
}

export async function startPrometheus({ program, rules, targets }: PrometheusOptions): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'mediagate-prometheus-'));
  await writeFile(join(folder, 'rules.yaml'), rules);
  await writeFile(join(folder, 'prometheus.yaml'), configuration(targets));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: 'inherit' },
  );
  await untilReady(child, `${url}/-/ready`);
  const startedAt = Date.now() / 1000;
  return {
    async firing() {
      const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as { data: { alerts: FiringAlert[] } };
      return data.alerts.filter(({ state }) => state === 'firing');
    },
    async lines(expression) {
      const query = new URLSearchParams({
        query: expression.replaceAll('$__rate_interval', RATE_INTERVAL),
        start: String(startedAt),
        end: String(Date.now() / 1000),
        step: String(SCRAPE_INTERVAL_MS / 1000),
      });
      const answer = await fetch(`${url}/api/v1/query_range?${query}`);
      const { status, error, data } = (await answer.json()) as RangeAnswer;
      if (status !== 'success') throw new Error(`${expression}: ${error}`);
      return data.result.length;
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(targets: readonly string[]): string {
  const pace = `${SCRAPE_INTERVAL_MS}ms`;
  return JSON.stringify({
    global: { scrape_interval: pace, scrape_timeout: pace, evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [
      { job_name: 'services', static_configs: [{ targets: targets.map((target) => new URL(target).host) }] },
    ],
  });
}
