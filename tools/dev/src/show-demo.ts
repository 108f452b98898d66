import { formatFailures, formatReport } from './demo/format-report';
import { createGatewayClient } from './demo/gateway-client';
import { DEMO_JOBS } from './demo/jobs';
import { runDemo } from './demo/run-demo';
import type { DemoState } from './run-file';
import type { Detail, Screen } from './screen/screen';
import type { System } from './start-system';

/** One job of each family whose service this checkout has. */
export async function showDemo(system: System, screen: Screen, logOf: (service: string) => string): Promise<DemoState> {
  const { services, missing, receiver, baseUrl, account } = system;
  const jobs = DEMO_JOBS.filter(({ service }) => services.includes(service));
  const gateway = createGatewayClient({ baseUrl, apiKey: account.apiKey });
  const run = (detail: Detail) => {
    const states = new Map(jobs.map(({ family }) => [family, 'sent']));
    const onProgress = (family: string, state: string) => {
      states.set(family, state);
      detail(summaryOf(states));
    };
    return runDemo(jobs, { gateway, receiver, missing, onProgress });
  };
  const report = await screen.step('A job of each family', run, ({ failures }) => failures.length === 0);
  screen.print('');
  for (const line of formatReport(report)) screen.print(line);
  const failures = formatFailures(report.failures, logOf);
  if (failures.length > 0) screen.print('');
  for (const line of failures) screen.print(screen.paint('red', line));
  return failures.length === 0 ? 'succeeded' : 'failed';
}

function summaryOf(states: ReadonlyMap<string, string>): string {
  const underWay = [...states].filter(([, state]) => state !== 'done');
  const count = `${states.size - underWay.length} of ${states.size} done`;
  return [count, ...underWay.map(([family, state]) => `${family} ${state}`)].join(', ');
}
