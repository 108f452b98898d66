import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import sharp from 'sharp';
import { markFile } from './mark-file';

const PLAIN = path.join(__dirname, '../../test/plain');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mediagate-marked-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file without a mark, and the same one with it. */
async function bothOf(extension: string, contentType: string): Promise<[plain: string, marked: string]> {
  const plain = path.join(PLAIN, `plain.${extension}`);
  const bytes = await readFile(plain);
  const marked = await markFile({ bytes, contentType, width: 24, height: 16 }, { type: 'trainedAlgorithmicMedia' });
  if (marked.state !== 'written' || !Buffer.isBuffer(marked.bytes)) throw new Error(`it was ${marked.state}`);
  const file = path.join(folder, `marked.${extension}`);
  await writeFile(file, marked.bytes);
  return [plain, file];
}

it.each([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
])('a marked %s has the pixels of the one without, and its mark for others to read', async (extension, contentType) => {
  const [plain, marked] = await bothOf(extension, contentType);
  const [before, after] = await Promise.all([plain, marked].map((file) => sharp(file).raw().toBuffer(WITH_FACTS)));
  expect(after).toEqual(before);
  expect((await sharp(marked).metadata()).xmpAsString).toContain('digitalsourcetype/trainedAlgorithmicMedia');
});

const WITH_FACTS = { resolveWithObject: true } as const;

it.each([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
])(
  'a marked %s has the samples of the one without, and no other warnings of ffmpeg',
  async (extension, contentType) => {
    const [before, after] = await Promise.all((await bothOf(extension, contentType)).map(decoded));
    expect(after).toEqual(before);
    expect(after?.stdout).toMatch(/^MD5=[0-9a-f]{32}\n$/);
  },
);

/** The digest of all that ffmpeg decodes of a file, and its warnings. */
function decoded(file: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(ffmpegProgram(), ['-v', 'warning', '-i', file, '-f', 'md5', '-']);
}
