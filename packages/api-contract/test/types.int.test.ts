import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askModule } from './shipped-document';

const COMPILER = require.resolve('typescript/bin/tsc');
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023'];

/** Code that a client in TypeScript may write, and code that it may not. */
const CLIENT = `
import type { components, operations, paths } from './api';
type Body<Id extends keyof operations> = operations[Id] extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;
export const image: Body<'createImage'> = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', n: 2 };
export const extended: Body<'createMusicExtend'> = { task_id: 'task_a', continue_at: 45 };
// @ts-expect-error a quality that there is not
export const wrong: Body<'createImage'> = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'best' };
export const path: keyof paths = '/v1/tasks/{id}';
export const status: components['schemas']['TaskRecord']['status'] = 'completed';
// @ts-expect-error no status of a task
export const never: components['schemas']['TaskRecord']['status'] = 'done';
`;

it('types of every request and answer are made of the document, and hold a client to it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-types-'));
  try {
    writeFileSync(join(folder, 'api.ts'), askModule('types.mjs'));
    writeFileSync(join(folder, 'client.ts'), CLIENT);
    const { status, stdout } = spawnSync(process.execPath, [COMPILER, ...STRICT, join(folder, 'client.ts')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
