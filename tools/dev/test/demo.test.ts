import { newWebhookSecret } from '@mediagate/callbacks';
import { freePort } from '@mediagate/testkit/servers';
import { type CallbackReceiver, openCallbackReceiver } from '../src/demo/callback-receiver';
import { formatFailures, formatReport } from '../src/demo/format-report';
import { createGatewayClient } from '../src/demo/gateway-client';
import type { DemoJob } from '../src/demo/jobs';
import { type DemoReport, runDemo } from '../src/demo/run-demo';
import { type Behaviour, type FakeApi, startFakeApi } from './fake-api';

const SECRET = newWebhookSecret();
const LONG_MS = 20_000;

const JOBS: DemoJob[] = [
  { family: 'image', service: 'image', model: 'imagegen-2.5-flare', path: '/images', body: {}, links },
  { family: 'video', service: 'video', model: 'videoa-3.0-video', path: '/videos', body: {}, links },
  {
    family: 'text',
    service: 'api',
    model: 'text',
    path: '/text',
    body: {},
    synchronous: true,
    show: () => 'w'.repeat(200),
  },
];

function links(result: Record<string, unknown>): string[] {
  return (result['urls'] ?? []) as string[];
}

let receiver: CallbackReceiver;
let api: FakeApi;
let progress: string[];

beforeEach(async () => {
  progress = [];
  receiver = await openCallbackReceiver(await freePort(), SECRET);
});

afterEach(() => {
  api.close();
  receiver.close();
});

interface DemoOptions {
  missing?: string[];
  jobMs?: number;
  callbackMs?: number;
}

async function demo(behaviours: Record<string, Behaviour>, options: DemoOptions = {}): Promise<DemoReport> {
  api = await startFakeApi(SECRET, behaviours);
  return report(options);
}

function report({ missing = [], jobMs = LONG_MS, callbackMs = LONG_MS }: DemoOptions): Promise<DemoReport> {
  const gateway = createGatewayClient({ baseUrl: api.baseUrl, apiKey: 'mg_test' });
  const onProgress = (family: string, state: string) => progress.push(`${family} ${state}`);
  return runDemo(JOBS, { gateway, receiver, missing, onProgress, limits: { jobMs, callbackMs, pollMs: 5 } });
}

const failuresOf = ({ failures }: DemoReport) => formatFailures(failures, (service) => `logs/${service}.log`);

describe('the demo', () => {
  it('shows every family that completed, and no line of its table is wider than 100 characters', async () => {
    const result = await demo({});
    expect(failuresOf(result)).toEqual([]);
    const lines = formatReport(result);
    const table = lines.slice(0, lines.indexOf(''));
    expect(table).toHaveLength(2 + JOBS.length);
    expect(table[2]).toMatch(/^image +imagegen-2\.5-flare +completed +\d+\.\d s +0\.0003336 +1 file$/);
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines).toContain(`image      http://127.0.0.1:8080/v1/files/${'f'.repeat(100)}`);
    expect(lines.at(-1)).toBe('callbacks  2 received, signature verified');
    expect(progress).toEqual(expect.arrayContaining(['image done', 'video done', 'text done']));
  });

  it.each<[string, Behaviour, DemoOptions, string]>([
    [
      'whose job failed',
      { task: { status: 'failed', error: { message: 'The vendor\n refused it.' } } },
      {},
      'image failed: The vendor refused it. Log: logs/image.log',
    ],
    [
      'whose submission is refused',
      { refusedWith: 503 },
      {},
      'image failed: POST /images was answered with 503: no channel can serve this model. Log: logs/image.log',
    ],
    [
      'whose job does not end',
      { task: { status: 'processing' } },
      { jobMs: 3000 },
      'image failed: task_\\d did not end within 3 s. Log: logs/image.log',
    ],
    [
      'that completes with nothing',
      { task: { status: 'completed', result: {} } },
      {},
      'image failed: it completed without a result. Log: logs/image.log',
    ],
    [
      'whose callback does not come',
      { callbackSecret: null },
      { callbackMs: 3000 },
      'image failed: its callback did not come within 3 s. Log: logs/webhook-delivery.log',
    ],
    [
      'whose callback is signed by somebody else',
      { callbackSecret: newWebhookSecret() },
      {},
      'image failed: the signature of its callback is not valid. Log: logs/webhook-delivery.log',
    ],
  ])('fails for a family %s, in one line, and runs the others to their end', async (_case, image, options, line) => {
    const result = await demo({ '/images': image }, options);
    expect(failuresOf(result)).toEqual([expect.stringMatching(new RegExp(`^${line}$`))]);
    const others = result.outcomes.slice(1);
    expect(others.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(progress).toEqual(expect.arrayContaining(['image failed', 'video done', 'text done']));
  });

  it('says how many callbacks are missing', async () => {
    const result = await demo({ '/images': { callbackSecret: newWebhookSecret() } });
    expect(formatReport(result).at(-1)).toBe('callbacks  1 of 2 received, signature verified');
  });

  it('does not try a family whose service did not come up', async () => {
    const result = await demo({}, { missing: ['video'] });
    expect(failuresOf(result)).toEqual(['video failed: its service did not come up. Log: logs/video.log']);
    expect(api.submitted.sort()).toEqual(['/images', '/text']);
  });

  it('ends, with a line for each family, when the API is not there', async () => {
    api = await startFakeApi(SECRET);
    api.close();
    const lines = failuresOf(await report({}));
    expect(lines).toContainEqual(expect.stringMatching(/^image failed: POST \/images got no answer: .*ECONNREFUSED/));
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['balance', 'image', 'video', 'text']);
  });
});
