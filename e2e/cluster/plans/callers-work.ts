import type { Answer } from '../../system/caller';
import type { System, SystemAccount } from '../../system/start-system';
import { sendEachTurn } from '../steady-load';

const IMGTOOL = '/v1/imgtool/generations';
const MUSIC = '/v1/music/generations';
const UNIT = 1_000_000_000n;

/** Callers do all this with tasks of each family, at once: chains of tasks, failures, repetitions, ends before the time, and callbacks of all. */
export async function workOfCallers(system: System<'api'>, account: SystemAccount): Promise<void> {
  const webhook = system.simulator.receiverUrl('work');
  await Promise.all([
    ofEachFamily(account, webhook),
    ofOthersImages(account),
    ofOthersTracks(account),
    repeated(account, webhook),
    endedEarly(account, webhook),
    ofTestKeys(system, webhook),
    ofOlderInterface(system),
    keptFiles(account),
    readAsTheyRun(account),
  ]);
}

async function ofEachFamily({ caller }: SystemAccount, webhook: string): Promise<void> {
  const sent = await sendEachTurn({ caller, webhook, name: 'work' });
  await Promise.all(sent.flatMap(({ taskId }) => (taskId === undefined ? [] : caller.ended(taskId))));
}

async function ofOthersImages({ caller }: SystemAccount): Promise<void> {
  const grid = await caller.submit({ prompt: 'a fox in the snow --ar 1:1 --v 7' }, `${IMGTOOL}/imagine`);
  await caller.ended(grid);
  const upscaled = await caller.submit({ task_id: grid, index: 2 }, `${IMGTOOL}/upscale`);
  await caller.ended(upscaled);
  await caller.ended(await caller.submit({ task_id: upscaled, direction: 'left' }, `${IMGTOOL}/pan`));
}

async function ofOthersTracks({ caller }: SystemAccount): Promise<void> {
  const track = await caller.submit({ model: 'musicgen', prompt: 'a calm waltz' }, MUSIC);
  await caller.ended(track);
  const longer = { model: 'musicgen', task_id: track, continue_at: 6, prompt: 'la la' };
  await caller.ended(await caller.submit(longer, `${MUSIC}/extend`));
}

/** One submission that comes twice, one whose vendor throttles, one whose vendor refuses it, and one whose vendors have trouble. */
async function repeated({ caller }: SystemAccount, webhook: string): Promise<void> {
  const body = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', metadata: { order: 'o1' }, webhook };
  const send = () => caller.post('/v1/images/generations', body, { 'idempotency-key': 'work' });
  const [first] = [await send(), await send()];
  await caller.ended(first.body.data[0].task_id);
  // Tried again until its deadline: nobody waits for its end.
  await caller.submit({ prompt: 'a boat [[sim:rate-limit]]', webhook });
  for (const trouble of ['policy-submit', '5xx=503']) {
    await caller.ended(await caller.submit({ prompt: `a boat [[sim:${trouble}]]`, webhook }));
  }
}

async function endedEarly({ caller }: SystemAccount, webhook: string): Promise<void> {
  const video = { model: 'videoa-2.6', duration: 5, resolution: '720p', prompt: 'a harbour', webhook };
  const id = await caller.submit(video, '/v1/videos/generations');
  // Refused where the work has begun, or the callback is on its way.
  await caller.post(`/v1/tasks/${id}/cancel`, {});
  await caller.ended(id);
  await caller.post(`/v1/tasks/${id}/redeliver`, {});
}

async function ofTestKeys(system: System<'api'>, webhook: string): Promise<void> {
  const { caller } = await system.account(0n, { isTest: true, maxConcurrent: 1 });
  const ids = await Promise.all(['one', 'two', 'three'].map((prompt) => caller.submit({ prompt, webhook })));
  await Promise.all(ids.map((id) => caller.ended(id)));
}

/** A submission whose answer says how many tasks of its key are ahead. */
async function ofOlderInterface(system: System<'api'>): Promise<void> {
  const { caller } = await system.account(100n * UNIT, { maxConcurrent: 1 });
  const { body } = await caller.post('/mj/submit/imagine', { prompt: 'a fox in the rain' });
  await caller.ended(body.result);
}

async function keptFiles({ caller }: SystemAccount): Promise<void> {
  const png =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await done(caller.post('/v1/uploads/images', { data: png }));
  await caller.submit({ prompt: 'a boat', image_urls: [png] });
}

async function readAsTheyRun({ caller }: SystemAccount): Promise<void> {
  const id = await caller.submit({ prompt: 'a tower' });
  await done(caller.get(`/v1/tasks/${id}/events`));
  await done(caller.post('/v1/tasks/batch', { ids: [id] }));
}

/** A request that is refused asks the database for something else. */
async function done(asked: Promise<Answer>): Promise<void> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}
