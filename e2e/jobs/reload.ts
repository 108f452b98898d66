import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectImage } from '@mediagate/media';
import { until } from '@mediagate/testkit';
import { download } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(10_000_000_000n);
});

const IMAGE = { model: 'imageseed-4.0', prompt: 'a quay', n: 1 };
const channelOf = async (taskId: string) =>
  (await system.database.taskAttempt.findFirstOrThrow({ where: { taskId }, orderBy: { number: 'desc' } })).channelId;

/** Whom the operator's documents send the signal to: all services but those that their command leaves out. */
async function signalled(): Promise<string[]> {
  const text = await readFile(join(__dirname, '../../docs/deployment.md'), 'utf8');
  const [, leftOut = ''] = /docker compose kill --signal HUP .*grep -vxE '(.+)'/.exec(text) ?? [];
  expect(leftOut).not.toBe('');
  return Object.keys(system.services).filter((name) => !leftOut.split('|').includes(name));
}

/** Has services reload the configuration, and waits until each of them has read it. */
async function reload(services: readonly string[]): Promise<void> {
  const running = Object.values(system.services).filter(({ name }) => services.includes(name));
  const readings = (text: string) => text.split('settings.reloaded').length;
  const before = running.map(({ log }) => readings(log()));
  for (const service of running) process.kill(service.pid(), 'SIGHUP');
  for (const [index, { log }] of running.entries()) {
    await until(async () => readings(log()) > (before[index] ?? 0));
  }
}

it('every service that the documents send it to reads the channels again on SIGHUP, and the next task goes by them', async () => {
  const before = await account.caller.submit(IMAGE);
  expect(await account.caller.ended(before)).toMatchObject({ status: 'completed' });
  const written = await readFile(system.configPath, 'utf8');
  expect(written).toContain('id: images-ark\n');
  await writeFile(system.configPath, written.replace('id: images-ark\n', 'id: ark-anew\n'));

  const services = await signalled();
  expect(services).toEqual(Object.keys(system.services));
  await reload(services);

  const after = await account.caller.submit(IMAGE);
  expect(await account.caller.ended(after)).toMatchObject({ status: 'completed' });
  expect([await channelOf(before), await channelOf(after)]).toEqual(['images-ark', 'ark-anew']);
});

/** Made by the model that the simulator knows by this endpoint. */
const DESCRIBED = (id: string) => `
  - id: ${id}
    operation: images.generations
    description: Draws drafts of ${id}.
    input:
      type: object
      required: [prompt]
      properties:
        prompt: { type: string, maxLength: 100 }
        image_size: { type: string, enum: [square, landscape_4_3], default: landscape_4_3 }
        num_images: { type: integer, minimum: 1, maximum: 4, default: 1 }
    price: { per_image: 0.02, count: num_images }
    examples: [{ prompt: a pier }]`;

/** The file with these models, asked for at the channel of hosted models. */
function describing(written: string, ids: readonly string[]): string {
  const templates = '      templates:\n';
  const models = '    models: &hosted-fal\n';
  expect([written, written]).toEqual([expect.stringContaining(templates), expect.stringContaining(models)]);
  const mapped = ids.map((id) => `      ${id}: flux\n`).join('');
  const form = '{ endpoint: fal-ai/flux/schnell, input: { from: /body }, output: { image: "/images/*/url" } }';
  const served = written.replace(models, models + mapped).replace(templates, `${templates}        flux: [${form}]\n`);
  return `${served}\nmodels:${ids.map(DESCRIBED).join('')}\n`;
}

it('a model that the file describes is listed, documented, estimated, made and charged from the next reload on', async () => {
  const written = await readFile(system.configPath, 'utf8');
  const { caller } = account;
  for (const ids of [['draft-1'], ['draft-1', 'draft-2']]) {
    await writeFile(system.configPath, describing(written, ids));
    await reload(await signalled());
    const [id] = ids.slice(-1);
    const body = { model: id, prompt: 'a pier', image_size: 'square', num_images: 2 };
    expect((await caller.get(`/models/${id}`)).body.data).toMatchObject({
      available: true,
      prices: { per_image: 0.02 },
    });
    expect(JSON.stringify((await caller.get('/openapi.json')).body)).toContain(`Draws drafts of ${id}.`);
    const estimate = await caller.post('/v1/estimate', { path: '/v1/images/generations', body });
    expect(estimate.body.data).toMatchObject({ reserved: 0.04 });
    const wrong = await caller.post('/v1/images/generations', { ...body, num_images: 9 });
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'num_images' } } });
    const record = await caller.ended(await caller.submit(body, '/v1/images/generations'));
    expect(record).toMatchObject({ status: 'completed', cost: 0.04 });
    const link = record.result?.images[0]?.url[0] as string;
    const image = await inspectImage(await download(link));
    expect(image).toMatchObject({ width: 512, height: 512 });
  }
  await writeFile(system.configPath, written);
  await reload(await signalled());
  expect(await caller.post('/v1/images/generations', { model: 'draft-1', prompt: 'a pier' })).toMatchObject({
    body: { error: { reason: 'unknown_model' } },
  });
});
