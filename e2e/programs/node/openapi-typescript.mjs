// Types that openapi-typescript makes of /openapi.json, and openapi-fetch.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import { base, IMAGE, key, report } from './report.mjs';

const client = createClient({ baseUrl: base, headers: { authorization: `Bearer ${key}` } });
const folder = new URL('.', import.meta.url).pathname;
/** Fields that have a default are left out. */
const CALLER = `
import type { paths } from './schema.ts';
type BodyOf<Path extends keyof paths> = paths[Path] extends { post: { requestBody: { content: { 'application/json': infer Body } } } } ? Body : never;
export const image: BodyOf<'/v1/images/generations'> = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse' };
export const key: BodyOf<'/v1/keys'> = { name: 'ci' };
`;

await report(['openapi-typescript', 'openapi-fetch'], {
  'types that let defaults out': async () => {
    const program = (name) => `${folder}node_modules/.bin/${name}`;
    execFileSync(program('openapi-typescript'), [`${base}/openapi.json`, '-o', 'schema.ts'], { cwd: folder });
    writeFileSync(`${folder}caller.ts`, CALLER);
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--module', 'nodenext'];
    execFileSync(program('tsc'), [...strict, 'caller.ts'], { cwd: folder });
  },
  'a task': async () => {
    const { data } = await client.POST('/v1/images/generations', { body: { model: IMAGE, prompt: 'a lighthouse' } });
    const path = { id: data.data[0].task_id };
    const ended = await client.GET('/v1/tasks/{id}', { params: { path, query: { wait: 55 } } });
    assert.equal(ended.data.data.status, 'completed');
  },
});
