import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createLinks, MediaStore, openStorage } from '@mediagate/media';
import { forAllTests, openBucket } from '@mediagate/testkit';
import { fundedKey, openWorld, units } from './world';

const world = forAllTests(openWorld);
const bucket = forAllTests(openBucket);

it('copies what the folder has to the bucket, checks it, and goes on where it was interrupted', async () => {
  const home = String(world.env['MEDIAGATE_HOME']);
  const { accountId } = await fundedKey(world.database, units(1));
  const folder = await openStorage({ driver: 'filesystem' }, join(home, 'media'));
  const target = await openStorage(bucket.storage, '');
  const links = createLinks({ publicBaseUrl: 'https://media.example', secrets: ['a-secret-of-some-length'] });
  const store = new MediaStore({ database: world.database, storage: folder, links });
  const save = async (text: string) => {
    const { id } = await store.save({
      accountId,
      bytes: Buffer.from(text),
      contentType: 'image/png',
      lifetimeMs: 3_600_000,
      purpose: 'result',
    });
    return (await world.database.mediaObject.findUniqueOrThrow({ where: { id } })).storageKey;
  };
  const [whole, halfway, damaged, gone] = [
    await save('whole'),
    await save('halfway'),
    await save('damaged'),
    await save('gone'),
  ];
  const facts = { contentType: 'image/png', bytes: 5 };
  // The folder's disk has rotted one file and lost another; an interrupted run has left one in the bucket.
  await folder.put(damaged, Buffer.from('other'), facts);
  await folder.remove(gone);
  await target.put(halfway, Buffer.from('halfway'), { ...facts, bytes: 7 });

  const config = join(home, 'bucket.yaml');
  await writeFile(config, configOf(bucket.storage));
  Object.assign(world.env, { S3_ID: bucket.storage.accessKeyId, S3_SECRET: bucket.storage.secretAccessKey });
  const copy = async () => {
    const { code, out } = await world.run('storage', 'copy', '--config', config, '--json');
    return { code, ...JSON.parse(out) };
  };
  expect(await copy()).toEqual({ code: 1, copied: 1, there: 1, missing: [gone], damaged: [damaged], failed: [] });
  expect(await copy()).toEqual({ code: 1, copied: 0, there: 2, missing: [gone], damaged: [damaged], failed: [] });
  await rm(join(home, 'media'), { recursive: true });
  expect((await buffer(await target.open(whole))).toString()).toBe('whole');
});

it('refuses a configuration whose files stay in the folder', async () => {
  const config = join(String(world.env['MEDIAGATE_HOME']), 'folder.yaml');
  await writeFile(config, CHANNEL);
  expect(await world.run('storage', 'copy', '--config', config)).toMatchObject({
    code: 1,
    err: expect.stringContaining('set storage.driver to s3'),
  });
});

/** A variable, as the file names it. */
const ref = (name: string) => `$${'{'}${name}}`;

const CHANNEL = `channels:
  - { id: main, protocol: openai-images, base_url: "http://127.0.0.1:1", api_key: "${ref('S3_ID')}", models: { imagegen-2: gpt-image-2 } }
`;

function configOf({ endpoint, region, bucket: name }: { endpoint: string; region: string; bucket: string }): string {
  return `${CHANNEL}storage:
  driver: s3
  endpoint: ${endpoint}
  region: ${region}
  bucket: ${name}
  access_key_id: ${ref('S3_ID')}
  secret_access_key: ${ref('S3_SECRET')}
  force_path_style: true
`;
}
