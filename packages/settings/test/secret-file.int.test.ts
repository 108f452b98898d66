import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookAtSecretFile, readSecretFile } from '../src/secret-file';

const directory = mkdtempSync(join(tmpdir(), 'mediagate-secret-'));
afterAll(() => rmSync(directory, { recursive: true }));

const path = (name: string) => join(directory, name);
const both = async (file: string) => [readSecretFile(file), await lookAtSecretFile(file)];

it('reads a regular file of at most 64 KiB, also by a link to it', async () => {
  writeFileSync(path('key'), ' sk-1\n');
  symlinkSync(path('key'), path('link'));
  writeFileSync(path('largest'), 'x'.repeat(65_536));
  expect(await both(path('key'))).toEqual(['sk-1', 'sk-1']);
  expect(await both(path('link'))).toEqual(['sk-1', 'sk-1']);
  expect((await both(path('largest'))).map((text) => text?.length)).toEqual([65_536, 65_536]);
});

it('reads no device, pipe, directory, file of the kernel, or larger file, and waits for none', async () => {
  writeFileSync(path('large'), 'x'.repeat(65_537));
  execFileSync('mkfifo', [path('pipe')]);
  for (const file of ['/dev/zero', path('pipe'), directory, '/proc/self/environ', path('large'), path('nothing')]) {
    expect([file, ...(await both(file))]).toEqual([file, undefined, undefined]);
  }
});
