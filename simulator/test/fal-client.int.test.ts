import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from './simulator-under-test';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100, imageMs: 5000 }));
afterEach(() => simulator.moveClock({ speed: 1 }));

interface Verdict {
  queued: { request_id: string; status: string };
  seen: string[];
  data: { video: { url: string }; images: { url: string }[] };
  error?: { name: string; status: number; body: { detail: unknown }; requestId: string };
}

const judge = async (endpoint: string, input: object, ...more: string[]): Promise<Verdict> => {
  const program = join(__dirname, 'fal-client.mjs');
  const args = [program, `${simulator.url}/fal`, keyOf('fal'), endpoint, JSON.stringify(input), ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  return JSON.parse(stdout) as Verdict;
};

describe("the vendor's own client", () => {
  it('understands refusals and failures', async () => {
    expect((await judge('fal-ai/nano-banana', { prompt: 'x [[sim:balance]]' })).error).toMatchObject({ status: 403 });
    expect((await judge('fal-ai/nano-banana', { prompt: 'x [[sim:policy-result]]' })).error).toMatchObject({
      name: 'ValidationError',
      status: 422,
      body: { detail: [{ type: 'content_policy_violation' }] },
      requestId: expect.any(String),
    });
  });

  it('understands a cancellation, for which the request still has to wait in the queue', async () => {
    await simulator.moveClock({ speed: 0.01 });
    expect((await judge('fal-ai/nano-banana', { prompt: 'y' }, 'cancel')).error).toMatchObject({ status: 499 });
  });
});
