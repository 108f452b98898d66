import { formatFailures, formatReport } from './demo/format-report';
import { createGatewayClient } from './demo/gateway-client';
import { DEMO_JOBS } from './demo/jobs';
import { type DemoReport, runDemo } from './demo/run-demo';
import type { Detail, Screen } from './screen/screen';
import { processOf } from './services';
import type { System } from './start-system';

/** Runs one job of each family, and shows how far they are. */
export function tryEachFamily(system: System, screen: Screen): Promise<DemoReport> {
  const { services, missing, receiver, baseUrl, account } = system;
  const jobs = DEMO_JOBS.map((job) => ({ ...job, service: processOf(job.service, services) }));
  const gateway = createGatewayClient({ baseUrl, apiKey: account.apiKey });
  const run = (detail: Detail) => {
    const states = new Map<string, string>(jobs.map(({ family }) => [family, 'sent']));
    const onProgress = (family: string, state: string) => {
      states.set(family, state);
      detail(summaryOf(states));
    };
    return runDemo(jobs, { gateway, receiver, missing, onProgress });
  };
  return screen.step('A job of each family', run, ({ failures }) => failures.length === 0);
}

export function printReport(report: DemoReport, screen: Screen, logOf: (service: string) => string): void {
  for (const line of ['', ...formatReport(report)]) screen.print(line);
  const failures = formatFailures(report.failures, logOf);
  if (failures.length > 0) screen.print('');
  for (const line of failures) screen.print(screen.paint('red', line));
}

function summaryOf(states: ReadonlyMap<string, string>): string {
  const underWay = [...states].filter(([, state]) => state !== 'done');
  const count = `${states.size - underWay.length} of ${states.size} done`;
  return [count, ...underWay.map(([family, state]) => `${family} ${state}`)].join(', ');
}
