import { createFinisher, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { nanoToNumber } from '@mediagate/contracts';
import { claimTask } from '@mediagate/tasks';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const PRICE = nanoToNumber(smallImagePrice());

async function submit(body: object = SMALL_IMAGE): Promise<TaskId> {
  return (await api.post('/v1/images/generations', body, { key: caller.key })).body.data[0].task_id;
}
const get = (id: string, include: string) => api.get(`/v1/tasks/${id}?include=${include}`, { key: caller.key });

/** Fails the task as a worker does whose one attempt is refused. */
async function fail(id: TaskId): Promise<void> {
  const claim = await claimTask(api.database, id, 60_000);
  if (claim.kind !== 'claimed') throw new Error(`the claim was ${claim.kind}`);
  const { fence } = claim.task;
  const attempt = { attemptId: `attempt-of-${id}`, channelId: 'a-channel', protocol: 'p' };
  await api.database.beginAttempt({ id, fence }, attempt);
  await createFinisher(api.database)({
    taskId: id,
    accountId: caller.accountId,
    fence,
    outcome: { kind: 'failed', error: taskError('content_policy') },
    attempt: {
      id: attempt.attemptId,
      state: 'refused',
      fault: 'content_policy',
      detail: 'said a-vendor',
      requestIds: [],
    },
  });
}

describe('?include=', () => {
  it('input shows what the body came to, with addresses that open nothing', async () => {
    const signed = 'https://example.com/a.png?X-Amz-Signature=abc#part';
    const id = await submit({ ...SMALL_IMAGE, image_urls: [signed], metadata: { order: '1' } });
    const { body } = await get(id, 'input');
    expect(body.data.input).toMatchObject({ prompt: 'a lighthouse', n: 1, image_urls: ['https://example.com/a.png'] });
    expect(body.data).not.toHaveProperty('attempts');
    expect(JSON.stringify(body.data.input)).not.toContain('abc');
  });

  it('input shows nothing that came from an earlier task, such as where that was made', async () => {
    const { body } = await api.post('/v1/imgtool/generations/imagine', { prompt: 'a fox' }, { key: caller.key });
    const [{ task_id: id }] = body.data;
    const row = await api.database.task.findUniqueOrThrow({ where: { id } });
    const input = { ...(row.input as object), parent: { channelId: 'a-channel' } };
    await api.database.task.update({ where: { id }, data: { input } });
    const shown = (await get(id, 'input')).body.data.input;
    expect(shown).toMatchObject({ prompt: 'a fox', speed: 'relax' });
    expect(shown).not.toHaveProperty('parent');
  });

  it('attempts shows what was tried and why it came to nothing, and never where', async () => {
    const id = await submit();
    await fail(id);
    const { body } = await get(id, 'attempts');
    const [started_at, ended_at] = [expect.any(Number), expect.any(Number)];
    expect(body.data.attempts).toEqual([
      { number: 1, state: 'refused', reason: 'content_policy', started_at, ended_at },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/a-channel|a-vendor/);
  });

  it('ledger shows what was booked for the task, with everything else that is asked for', async () => {
    const id = await submit();
    await fail(id);
    const { body } = await get(id, 'ledger,%20attempts,input');
    expect(Object.keys(body.data)).toEqual(expect.arrayContaining(['input', 'attempts', 'ledger']));
    expect(body.data.ledger).toMatchObject([
      { kind: 'refund', amount: PRICE, task_id: id },
      { kind: 'hold', amount: PRICE, task_id: id },
    ]);
  });

  it('anything else is 400', async () => {
    const id = await submit();
    for (const include of ['everything', 'input,channel', 'input&include=ledger']) {
      const { status, body } = await get(id, include);
      expect([include, status, body.error.param]).toEqual([include, 400, 'include']);
    }
  });
});
