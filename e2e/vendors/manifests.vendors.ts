import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withSourceOf } from '@mediagate/media';
import { type InputFile, readValidStore } from '@mediagate/provenance';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import {
  type Algorithm,
  judgedManifests,
  KEYS,
  KINDS,
  ofVendor,
  plain,
  programs,
  signed,
  sourceTypesIn,
  tampered,
  withMetadata,
} from './manifests/marked-files';

const run = promisify(execFile);
const JUDGED_LIMIT_MS = 300_000;
/** Arguments of ffmpeg for videos whose boxes stand in other orders. */
const VIDEOS = { 'index-first.mp4': '-movflags +faststart', 'fragmented.mp4': '-movflags frag_keyframe+empty_moov' };
/** So many manifests in one another do not fit into one segment of a JPEG. */
const TIMES_SIGNED = 30;

let folder: string;
beforeAll(async () => {
  if (programs === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'mediagate-manifests-'));
  const write = (name: string, bytes: Buffer) => writeFile(join(folder, name), bytes);
  for (const kind of KINDS) {
    const original = await plain(kind);
    const own = await signed(original, kind);
    await write(`own${kind}`, own);
    await write(`tampered${kind}`, tampered(own, original));
    await write(`inputs${kind}`, await signed(original, kind, { inputs: INPUTS }));
    await write(`carried${kind}`, await signed(await ofVendor(kind), kind));
  }
  const image = await plain('.png');
  for (const algorithm of Object.keys(KEYS) as Algorithm[]) {
    await write(`${algorithm}.png`, await signed(image, '.png', { algorithm }));
  }
  for (const [name, args] of Object.entries(VIDEOS)) {
    const video = join(folder, name);
    const source = '-f lavfi -i testsrc2=size=64x48:rate=10:duration=2 -c:v libx264 -pix_fmt yuv420p';
    await run(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', ...`${source} ${args}`.split(' '), video]);
    await write(name, await signed(await readFile(video), '.mp4'));
  }
  const sent = await ofVendor('.jpg');
  const store = await withSourceOf(sent, (source) => readValidStore(source, 'image/jpeg', 1_000_000));
  const inputs = ['image_urls[0]', 'image_urls[1]'].map((title) => ({ ...INPUTS[0], title, store }) as InputFile);
  await write('carried-inputs.png', await signed(image, '.png', { inputs }));
  let often = await plain('.jpg');
  for (let time = 0; time < TIMES_SIGNED; time += 1) often = Buffer.from(await signed(often, '.jpg'));
  await write('often.jpg', often);
}, JUDGED_LIMIT_MS);
afterAll(() => programs && rm(folder, { recursive: true }));

const INPUTS: InputFile[] = [
  { title: 'image_urls[0]', contentType: 'image/png', sha256: '01'.repeat(32) },
  { title: 'image_urls[1]', contentType: null, sha256: null },
];

/** Nobody trusts a certificate of development; the signature counts all the same. */
const VALID = { state: 'Valid', failures: ['signingCredential.untrusted'], generator: 'mediagate', tasks: ['task_1'] };
const CREATED = { ...VALID, actions: [['c2pa.created', 'trainedAlgorithmicMedia']], parents: [] };
const NAMED = [
  ['inputTo', 'image_urls[0]', 'image/png', `sha256:${'01'.repeat(32)}`],
  ['inputTo', 'image_urls[1]', null, null],
];
const OPENED = { ...VALID, actions: [['c2pa.opened', 'trainedAlgorithmicMedia']] };

(programs === undefined ? it.skip : it)(
  'signed results of every kind are valid to the reader of the C2PA project, show their vendor’s manifest, and are not valid where a byte has changed',
  async () => {
    const judged = await judgedManifests(folder);
    const expected = Object.fromEntries([
      ...KINDS.flatMap((kind) => [
        [`own${kind}`, CREATED],
        [`inputs${kind}`, { ...CREATED, inputs: NAMED }],
        [`carried${kind}`, { ...OPENED, parents: [['parentOf', 'ExampleModels']] }],
        [`tampered${kind}`, { state: 'Invalid', failures: [mismatchOf(kind), 'signingCredential.untrusted'] }],
      ]),
      ...Object.keys(KEYS).map((algorithm) => [`${algorithm}.png`, { ...CREATED, algorithm }]),
      ...Object.keys(VIDEOS).map((name) => [name, CREATED]),
      ['carried-inputs.png', { ...CREATED, parents: Array(2).fill(['inputTo', 'ExampleModels']) }],
      ['often.jpg', { ...OPENED, parents: [['parentOf', 'mediagate']] }],
    ]);
    expect(Object.keys(judged).sort()).toEqual(Object.keys(expected).sort());
    expect(judged).toMatchObject(expected);
  },
  JUDGED_LIMIT_MS,
);

it(
  'exiftool reads the source type as XMP in every kind of file that is marked, signed or not',
  async () => {
    const marked = await mkdtemp(join(tmpdir(), 'mediagate-metadata-'));
    try {
      for (const kind of KINDS) {
        const original = await plain(kind);
        await writeFile(join(marked, `metadata${kind}`), await withMetadata(original, kind));
        await writeFile(join(marked, `signed${kind}`), await signed(original, kind));
      }
      const read = await sourceTypesIn(marked);
      const type = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
      const expected = KINDS.flatMap((kind) => [`metadata${kind}`, `signed${kind}`]).map((name) => [name, type]);
      expect(read).toEqual(Object.fromEntries(expected));
    } finally {
      await rm(marked, { recursive: true });
    }
  },
  JUDGED_LIMIT_MS,
);

function mismatchOf(kind: string): string {
  const isBoxed = ['.m4a', '.mp4', '.mov'].includes(kind);
  return `assertion.${isBoxed ? 'bmffHash' : 'dataHash'}.mismatch`;
}
