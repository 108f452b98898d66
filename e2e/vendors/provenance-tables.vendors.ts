import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createFfmpeg } from '@mediagate/media';
import { createFingerprintTaker } from '@mediagate/provenance';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import sharp from 'sharp';
import {
  ANOTHER,
  alterFiles,
  changeSound,
  drawing,
  IMAGE_CHANGES,
  makeMelody,
  makeVideo,
  SOUND_CHANGES,
} from './manifests/altered-files';
import { documentedTable } from './manifests/documented-table';
import {
  type JudgedManifest,
  judgedManifests,
  KINDS,
  ofVendor,
  plain,
  programs,
  signed,
  sourceTypesIn,
  TYPES,
  withMetadata,
} from './manifests/marked-files';

const JUDGED_LIMIT_MS = 300_000;
const BY_MODEL = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const MOST_FRAMES = 8;
const DRAWINGS = 24;
const MELODIES = 8;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediagate-tables-'));
});
afterAll(() => rm(root, { recursive: true }));

async function newFolder(name: string): Promise<string> {
  await mkdir(join(root, name));
  return join(root, name);
}

const take = createFingerprintTaker(createFfmpeg({ path: ffmpegProgram() }));
const caller = { owner: { accountId: 'a', id: 'k', isTest: false }, signal: new AbortController().signal };

/** The hashes of what a file shows. */
async function hashesOf(path: string): Promise<bigint[]> {
  const contentType = TYPES[extname(path)] ?? '';
  const isImage = contentType.startsWith('image/');
  const bytes = isImage ? await readFile(path) : { path, totalBytes: (await stat(path)).size };
  return take({ bytes, contentType }, caller);
}

const judgedIt = programs === undefined ? it.skip : it;

judgedIt(
  'what becomes of each kind of file stands in the documents as other programs say it',
  async () => {
    const folder = await newFolder('kinds');
    for (const kind of KINDS) {
      await writeFile(join(folder, `carried${kind}`), await signed(await ofVendor(kind), kind));
      await writeFile(join(folder, `metadata${kind}`), await withMetadata(await plain(kind), kind));
      await writeFile(join(folder, `signed${kind}`), await signed(await plain(kind), kind));
    }
    const [judged, types] = [await judgedManifests(folder), await sourceTypesIn(folder)];
    const found: string[][] = [];
    for (const kind of KINDS) {
      found.push([
        NAMES[kind] ?? kind,
        isCarried(judged[`carried${kind}`]) ? 'yes, as `parentOf`' : 'no',
        types[`metadata${kind}`] === BY_MODEL ? 'XMP is read' : 'no XMP is read',
        judged[`signed${kind}`]?.state === 'Valid' ? 'valid' : 'not valid',
        await fingerprintOf(kind, folder),
      ]);
    }
    const table = documentedTable('Kind', "Vendor's manifest is carried on", '`metadata`', '`signed`', 'Fingerprint');
    const rows = table.flatMap(([kinds = '', ...cells]) => kinds.split(', ').map((kind) => [kind, ...cells]));
    expect(found.sort()).toEqual(rows.sort());
  },
  JUDGED_LIMIT_MS,
);

/** The documents call the kinds so. */
const NAMES: Readonly<Record<string, string>> = {
  '.png': 'PNG',
  '.jpg': 'JPEG',
  '.webp': 'WebP',
  '.wav': 'WAV',
  '.mp3': 'MP3',
  '.m4a': 'M4A',
  '.mp4': 'MP4',
  '.mov': 'MOV',
};

function isCarried({ state, parents = [] }: JudgedManifest = {}): boolean {
  return (
    state === 'Valid' && parents.some(([relationship, by]) => `${relationship} ${by}` === 'parentOf ExampleModels')
  );
}

/** The small videos have a single image, and the small sounds are too short: one of four drawings and a melody stand in for them. */
async function fingerprintOf(kind: string, folder: string): Promise<string> {
  const family = TYPES[kind]?.split('/')[0];
  const file = join(folder, `${family === 'image' ? 'signed' : 'drawn'}${kind}`);
  if (family === 'video') await makeVideo(file, 1);
  if (family === 'audio') await makeMelody(file, 1);
  const { length } = await hashesOf(file);
  if (family === 'image') return length === 1 ? 'of 64 bits' : `${length} hashes`;
  const frames = family === 'video' ? 'images' : 'spectra';
  return length > 1 && length <= MOST_FRAMES ? `of 64 bits, of up to eight ${frames}` : `${length} hashes`;
}

const alteredRows = () => {
  const table = documentedTable('File', 'What was done to it', 'Manifest', 'XMP', 'SHA-256');
  return new Map(table.map(([file, done, ...cells]) => [`${file}: ${done}`, cells]));
};

judgedIt(
  'what each layer says of files that were changed stands in the documents as other programs say it',
  async () => {
    const folder = await newFolder('altered');
    const altered = await alterFiles(folder);
    const [judged, types] = [await judgedManifests(folder), await sourceTypesIn(folder)];
    const rows = alteredRows();
    expect([...new Set(altered.map(({ row }) => row))].sort()).toEqual([...rows.keys()].sort());
    const found: string[][] = [];
    for (const { row, name, of } of altered) {
      const [file, original] = [join(folder, name), join(folder, of)];
      const states = [manifestOf(judged[name]), types[name] === BY_MODEL ? 'there' : 'gone'];
      found.push([
        row,
        ...(row.endsWith(ANOTHER) ? ['', ''] : states),
        (await digestOf(file)) === (await digestOf(original)) ? 'the same' : 'another',
        judgeBits(rows.get(row)?.at(-1) ?? '', distance(await hashesOf(original), await hashesOf(file))),
      ]);
    }
    expect(found).toEqual(altered.map(({ row }) => [row, ...(rows.get(row) ?? [])]));
  },
  JUDGED_LIMIT_MS,
);

it(
  'images that were changed differ in no more bits than the documents say, and others in more',
  async () => {
    const rows = alteredRows();
    const hash = (bytes: Buffer) => take({ bytes, contentType: 'image/jpeg' }, caller);
    const untrue: string[] = [];
    for (let seed = 1; seed <= DRAWINGS; seed += 1) {
      const image = await drawing(seed).jpeg({ quality: 95 }).toBuffer();
      for (const [done, changes] of Object.entries(IMAGE_CHANGES)) {
        const words = rows.get(`image: ${done}`)?.at(-1) ?? '';
        for (const change of changes) {
          const changed = await change(sharp(image)).toBuffer();
          const found = judgeBits(words, distance(await hash(image), await hash(changed)));
          if (found !== words) untrue.push(`drawing ${seed}, ${done}: ${found} in place of ${words}`);
        }
      }
    }
    expect(untrue).toEqual([]);
  },
  JUDGED_LIMIT_MS,
);

it(
  'sounds that were changed differ in no more bits than the documents say, and others in more',
  async () => {
    const folder = await newFolder('sounds');
    const rows = alteredRows();
    const untrue: string[] = [];
    const judge = (row: string, ours: readonly bigint[], theirs: readonly bigint[]) => {
      const words = rows.get(`sound: ${row}`)?.at(-1) ?? '';
      const found = judgeBits(words, distance(ours, theirs));
      if (found !== words) untrue.push(`${row}: ${found} in place of ${words}`);
    };
    const melodies: bigint[][] = [];
    for (let seed = 1; seed <= MELODIES; seed += 1) {
      const melody = join(folder, `${seed}.wav`);
      await makeMelody(melody, seed);
      const hashes = await hashesOf(melody);
      for (const other of melodies) judge(ANOTHER, other, hashes);
      melodies.push(hashes);
      for (const [row, changes] of Object.entries(SOUND_CHANGES)) {
        for (const [kind, ...args] of changes) {
          await changeSound(melody, args, join(folder, `changed${kind}`));
          judge(row, hashes, await hashesOf(join(folder, `changed${kind}`)));
        }
      }
    }
    expect(untrue).toEqual([]);
  },
  JUDGED_LIMIT_MS,
);

function manifestOf({ state, error }: JudgedManifest = {}): string {
  if (state === undefined) return error?.startsWith('ManifestNotFound') ? 'gone' : `${error}`;
  return state === 'Valid' ? 'valid' : 'not valid';
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** The bits in which the nearest images differ; undefined where there is none to compare. */
function distance(ours: readonly bigint[], theirs: readonly bigint[]): number | undefined {
  const bits = ours.flatMap((a) => theirs.map((b) => [...(a ^ b).toString(2)].filter((bit) => bit === '1').length));
  return bits.length === 0 ? undefined : Math.min(...bits);
}

/** The documents' words where they are true of a distance, and else the distance. */
function judgeBits(words: string, bits: number | undefined): string {
  if (bits === undefined) return 'not compared';
  const [, above, figure] = /^(more than )?(\d+)/.exec(words) ?? [];
  const isTrue = above === undefined ? bits <= Number(figure) : bits > Number(figure);
  return isTrue ? words : `${bits}`;
}
