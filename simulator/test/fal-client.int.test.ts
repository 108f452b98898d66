import { join } from 'node:path';
import { askClient, forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from './simulator-under-test';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100, imageMs: 5000 }));

interface Verdict {
  queued: { request_id: string; status: string };
  seen: string[];
  data: { video: { url: string }; images: { url: string }[] };
  error?: { name: string; status: number; body: { detail: unknown }; requestId: string };
}

const judge = async (
  endpoint: string,
  input: object,
  { at = simulator.url, more = [] as string[] } = {},
): Promise<Verdict> => {
  const args = [`${at}/fal`, keyOf('fal'), endpoint, JSON.stringify(input), ...more];
  return askClient(join(__dirname, 'fal-client.mjs'), ...args);
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
    const busy = await startUnderTest({ videoMs: 3_600_000 });
    const { error } = await judge('fal-ai/nano-banana', { prompt: 'y' }, { at: busy.url, more: ['cancel'] });
    expect(error).toMatchObject({ status: 499 });
    await busy.close();
  });
});
