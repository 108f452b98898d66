// Shows what a caller does with @mediagate/client, the same in Node, in Deno and in a browser.
import { ApiError, createClient } from '@mediagate/client';

const PATH = '/v1/images/generations';
const IMAGE = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' };

/** Resolves with the caller's results, as JSON. The key may run one task at a time, and make keys. */
export async function tour(baseUrl, apiKey) {
  const client = createClient({ baseUrl, apiKey });
  const metadata = { order: '7', runtime: 'any' };
  const estimate = await client.estimate(PATH, IMAGE);
  const options = { idempotencyKey: 'tour' };
  const { taskId } = await client.submit(PATH, { ...IMAGE, metadata }, options);
  const again = await client.submit(PATH, { ...IMAGE, metadata }, options);
  const seen = [];
  const task = await client.waitFor(taskId, { onUpdate: ({ status }) => seen.push(status) });
  const shown = await client.getTask(taskId, { include: 'input,ledger' });
  const { task: waited } = await client.submit(PATH, { ...IMAGE, webhook: 'http://10.0.0.1' }, { waitSeconds: 60 });
  const { used_balance: used } = await client.getBalance();
  const { total } = await client.getUsage({ group_by: 'model' });
  return {
    estimate: estimate.affordable && estimate.reserved > 0,
    again: again.taskId === taskId && again.replayed,
    seen: [seen.length > 0, seen.at(-1)],
    task: [task.status, task.metadata, task.result.images[0].url[0].startsWith(baseUrl)],
    shown: [shown.input.prompt, shown.ledger.map(({ kind }) => kind)],
    listed: [
      (await idsOf(client.listTasks({ metadata, limit: 1 }))).join() === taskId,
      await count(client.listTasks({ limit: 1 })),
    ],
    ledger: (await entriesOf(client.listLedger({ task_id: taskId, limit: 1 }))).map(({ kind }) => kind),
    money: [Math.abs(used - task.cost - waited.cost) < 1e-9, total.charged === used],
    callback: await endOfCallback(client, waited.id),
    cancelled: await cancelled(client),
    keys: await keys(client),
    files: await files(client, task.result.images[0].url[0]),
    around: await around(client, taskId),
    refused: [
      await refusal(client.submit(PATH, { ...IMAGE, prompt: '', n: 99 })),
      await refusal(client.submit(PATH, { ...IMAGE, colour: 'red' }, { strict: true })),
      await refusal(client.cancel(taskId)),
      await refusal(client.getTask('task_of_nobody')),
      await refusal(createClient({ baseUrl, apiKey: 'nobody' }).getBalance()),
    ],
  };
}

/** A callback is judged once its task has ended, so that a record of the end may be earlier than that. */
async function endOfCallback(client, taskId) {
  const { callback } = await client.getTask(taskId);
  if (callback.state !== 'pending') {
    return [callback.state, (await client.listDeliveries(taskId)).map(({ state }) => state)];
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  return endOfCallback(client, taskId);
}

/** The second of two tasks waits for the first, so that no vendor has been asked for it. */
async function cancelled(client) {
  const first = await client.submit(PATH, { ...IMAGE, prompt: 'slow [[sim:latency=2s]]' });
  const second = await client.submit(PATH, IMAGE);
  const { status, error, released } = await client.cancel(second.taskId);
  await client.waitFor(first.taskId);
  return [status, error.reason, released > 0];
}

async function keys(client) {
  const { id, key } = await client.createKey({ name: 'website', quota: 1 });
  const { quota } = await client.updateKey(id, { quota: 2 });
  const listed = await idsOf(client.listKeys({ limit: 1 }));
  const { revoked_at: revokedAt } = await client.revokeKey(id);
  return [key.startsWith(`mg_${id}`), quota, listed.length, listed[0] === id, typeof revokedAt];
}

/** A result, fetched by its link, becomes the file of another task. The large one is no file of any kind: it is judged, and refused. */
async function files(client, url) {
  const { id, kind, width } = await client.uploadFile(await (await client.downloadFile(url)).blob());
  const listed = await idsOf(client.listFiles({ limit: 1 }));
  const { taskId } = await client.submit(PATH, { ...IMAGE, image_urls: [id] });
  const { status } = await client.waitFor(taskId);
  await client.deleteFile(id);
  const large = new Uint8Array(9 * 1024 * 1024);
  const stream = new Blob([large]).stream();
  return [
    kind,
    width > 0,
    listed[0] === id,
    status,
    await refusal(client.getFile(id)),
    await refusal(client.uploadFile(stream)),
  ];
}

async function around(client, taskId) {
  const [found, missing] = await client.getTasks([taskId, 'task_of_nobody']);
  const { id: of } = await client.getLineage(taskId);
  const models = await client.listModels();
  const { schema } = await client.getModel(IMAGE.model);
  return [found.id === taskId, missing.status, of === taskId, models.length > 1, schema.type];
}

async function refusal(work) {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, reason, param, errors, requestId } = error;
    return [status, reason, param ?? null, errors.map((fault) => fault.param), typeof requestId];
  }
  throw new Error('It was not refused.');
}

async function entriesOf(list) {
  const entries = [];
  for await (const entry of list) entries.push(entry);
  return entries;
}

async function idsOf(list) {
  return (await entriesOf(list)).map(({ id }) => id);
}

async function count(list) {
  return (await entriesOf(list)).length;
}
