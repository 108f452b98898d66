import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumDays } from '@mediagate/billing';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { type ServiceName, type System, type SystemAccount, startSystem } from '../system/start-system';
import { until } from '../system/until';
import { openFormerRelease } from './former-release';

const UNIT = 1_000_000_000n;
const DAY_MS = 86_400_000;
const WAIT_SECONDS = 30;

const WORKERS: readonly ServiceName[] = [...WORKER_FAMILIES, 'webhook-delivery', 'reconciler'];
const VIDEO = { model: 'videoa-3.0-video', resolution: '480P', duration: 2 };

/** One of each family whose tasks are waited for. */
const JOBS = {
  '/v1/images/generations': { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' },
  '/v1/videos/generations': { ...VIDEO, prompt: 'a kite' },
  '/v1/music/generations': { model: 'musicgen', gpt_description: 'a waltz' },
  '/v1/imgtool/generations': { model: 'imgtool', prompt: 'a fox' },
};
/** And of each whose caller hears the answer. */
const SYNCHRONOUS = {
  '/v1/audio/speech': { model: 'ttsmodel-mini', voice: 'alloy', input: 'The keeper counts the ships.' },
  '/v1beta/models/text-2.5-flash:generateContent': { contents: [{ role: 'user', parts: [{ text: 'Why?' }] }] },
};

const checkout = openFormerRelease();
/** Which services are those of the release before. The database has the tables of this one. */
const MIXTURES: [string, readonly ServiceName[]][] = [
  ['an API of the release before, and all others of this one', ['api']],
  ['an API of this release, and all others of the one before', WORKERS],
];

(checkout === undefined ? describe.skip : describe).each(MIXTURES)('%s', (_name, services) => {
  let system: System;
  let account: SystemAccount;
  beforeAll(async () => {
    // The file stays as it was when services are replaced.
    const config = readFileSync(join(String(checkout), 'deploy/config/simulator.yaml'), 'utf8');
    system = await startSystem({ config, former: { checkout: String(checkout), services } });
    account = await system.account(100n * UNIT);
  });
  afterAll(() => system?.stop());

  /** What another release answers is not judged by the document of this one. */
  async function call(path: string, body?: object): Promise<Response> {
    const response = await fetch(`${system.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async function submit(path: string, body: object): Promise<string> {
    const { data } = (await (await call(path, body)).json()) as { data: { task_id: string }[] };
    return data[0]?.task_id ?? '';
  }

  async function ended(id: string): Promise<{ status: string }> {
    let record = { status: '' };
    await until(async () => {
      record = ((await (await call(`/v1/tasks/${id}?wait=${WAIT_SECONDS}`)).json()) as { data: typeof record }).data;
      return ['completed', 'failed'].includes(record.status);
    });
    return record;
  }

  it('do the jobs of every family, and call back', async () => {
    const webhook = system.simulator.receiverUrl('upgrade');
    const ids = await Promise.all(Object.entries(JOBS).map(([path, body]) => submit(path, { ...body, webhook })));
    for (const [path, body] of Object.entries(SYNCHRONOUS)) {
      expect((await (await call(path, body)).arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
    for (const id of ids) expect([id, (await ended(id)).status]).toEqual([id, 'completed']);
    expect(await system.simulator.received('upgrade', ids.length)).toHaveLength(ids.length);
  });

  it('refund what fails', async () => {
    const id = await submit('/v1/images/generations', {
      model: 'imagegen-2',
      quality: 'low',
      prompt: 'a lighthouse [[sim:policy-submit]]',
    });
    expect((await ended(id)).status).toBe('failed');
  });

  it('hand over what a vendor has accepted when a worker is replaced', async () => {
    const id = await submit('/v1/videos/generations', { ...VIDEO, prompt: 'a slow kite [[sim:latency=8s]]' });
    await until(
      async () => (await system.database.taskAttempt.count({ where: { taskId: id, state: 'accepted' } })) === 1,
    );
    await system.services.video.stop();
    await system.another('video');
    expect((await ended(id)).status).toBe('completed');
    expect(await system.database.taskAttempt.count({ where: { taskId: id } })).toBe(1);
  });

  it('are right in the books and in the sums of days', async () => {
    await sumDays(system.database, { limit: 1000, olderThanMs: -DAY_MS });
    expect(await system.audit()).toEqual([]);
    const { heldNano } = await system.database.account.findUniqueOrThrow({ where: { id: account.accountId } });
    expect(heldNano).toBe(0n);
  });
});
