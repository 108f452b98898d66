import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { withSourceOf } from '@mediagate/media';
import { type InputFile, markFile, openSigner, readValidStore } from '@mediagate/provenance';
import { ffmpegProgram, makeDevelopmentCertificate, pythonPrograms } from '@mediagate/testkit/servers';
import { bringNodePrograms } from '../programs/bring-node';

const run = promisify(execFile);
const JUDGED_LIMIT_MS = 300_000;
const FILES = join(__dirname, '../../packages/provenance/test');

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
};
const KINDS = Object.keys(TYPES);
const KEYS = {
  Es256: undefined,
  Es384: generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  Ed25519: generateKeyPairSync('ed25519'),
  Ps256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
type Algorithm = keyof typeof KEYS;
/** Arguments of ffmpeg for videos whose boxes stand in other orders. */
const VIDEOS = { 'index-first.mp4': '-movflags +faststart', 'fragmented.mp4': '-movflags frag_keyframe+empty_moov' };
/** So many manifests in one another do not fit into one segment of a JPEG. */
const TIMES_SIGNED = 30;

interface Signing {
  algorithm?: Algorithm;
  inputs?: InputFile[];
}

async function signed(
  bytes: Buffer,
  extension: string,
  { algorithm = 'Es256', inputs }: Signing = {},
): Promise<Buffer> {
  const keys = KEYS[algorithm];
  const signer = openSigner(makeDevelopmentCertificate(keys && { keys }));
  const marked = await markFile(
    { bytes, contentType: TYPES[extension] ?? '', width: 24, height: 16 },
    { type: 'trainedAlgorithmicMedia', signing: { signer, taskId: 'task_1', at: new Date(), inputs } },
  );
  if (marked.state !== 'signed' || !Buffer.isBuffer(marked.bytes)) throw new Error(`${extension} was ${marked.state}`);
  return marked.bytes;
}

/** With another byte among those that are shown or heard. */
function tampered(bytes: Buffer, original: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const start = original.includes('mdat') ? original.indexOf('mdat') + 50 : original.length - 40;
  const at = bytes.lastIndexOf(original.subarray(start, start + 20)) + 10;
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}

const programs = pythonPrograms('e2e/vendors/manifests/requirements.txt');
let folder: string;
beforeAll(async () => {
  if (programs === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'mediagate-manifests-'));
  const write = (name: string, bytes: Buffer) => writeFile(join(folder, name), bytes);
  for (const kind of KINDS) {
    const plain = await readFile(join(FILES, `plain/plain${kind}`));
    const own = await signed(plain, kind);
    await write(`own${kind}`, own);
    await write(`tampered${kind}`, tampered(own, plain));
    await write(`inputs${kind}`, await signed(plain, kind, { inputs: INPUTS }));
    await write(`carried${kind}`, await signed(await readFile(join(FILES, `files/signed${kind}`)), kind));
  }
  const image = await readFile(join(FILES, 'plain/plain.png'));
  for (const algorithm of Object.keys(KEYS) as Algorithm[]) {
    await write(`${algorithm}.png`, await signed(image, '.png', { algorithm }));
  }
  for (const [name, args] of Object.entries(VIDEOS)) {
    const video = join(folder, name);
    const source = '-f lavfi -i testsrc2=size=64x48:rate=10:duration=2 -c:v libx264 -pix_fmt yuv420p';
    await run(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', ...`${source} ${args}`.split(' '), video]);
    await write(name, await signed(await readFile(video), '.mp4'));
  }
  const sent = await readFile(join(FILES, 'files/signed.jpg'));
  const store = await withSourceOf(sent, (source) => readValidStore(source, 'image/jpeg', 1_000_000));
  const inputs = ['image_urls[0]', 'image_urls[1]'].map((title) => ({ ...INPUTS[0], title, store }) as InputFile);
  await write('carried-inputs.png', await signed(image, '.png', { inputs }));
  let often = await readFile(join(FILES, 'plain/plain.jpg'));
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
    const script = 'e2e/vendors/manifests/judge_manifests.py';
    const { stdout } = await run(join(programs ?? '', 'python'), [script, folder]);
    const judged: Record<string, object> = JSON.parse(stdout);
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
    const programs = bringNodePrograms();
    const marked = await mkdtemp(join(tmpdir(), 'mediagate-metadata-'));
    try {
      for (const kind of KINDS) {
        const plain = await readFile(join(FILES, `plain/plain${kind}`));
        await writeFile(join(marked, `metadata${kind}`), await withMetadata(plain, kind));
        await writeFile(join(marked, `signed${kind}`), await signed(plain, kind));
      }
      const exiftool = join(programs, 'node_modules/exiftool-vendored.pl/bin/exiftool');
      const { stdout } = await run('perl', [exiftool, '-json', '-n', '-XMP-iptcExt:DigitalSourceType', marked]);
      const read = (JSON.parse(stdout) as { SourceFile: string; DigitalSourceType?: string }[]).map(
        ({ SourceFile: file, DigitalSourceType: type }) => [basename(file), type],
      );
      const type = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
      const expected = KINDS.flatMap((kind) => [`metadata${kind}`, `signed${kind}`]).map((name) => [name, type]);
      expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
    } finally {
      await rm(marked, { recursive: true });
    }
  },
  JUDGED_LIMIT_MS,
);

async function withMetadata(bytes: Buffer, extension: string): Promise<Buffer> {
  const file = { bytes, contentType: TYPES[extension] ?? '', width: 24, height: 16 };
  const marked = await markFile(file, { type: 'trainedAlgorithmicMedia' });
  if (marked.state !== 'written' || !Buffer.isBuffer(marked.bytes)) throw new Error(`${extension} was ${marked.state}`);
  return marked.bytes;
}

function mismatchOf(kind: string): string {
  const isBoxed = ['.m4a', '.mp4', '.mov'].includes(kind);
  return `assertion.${isBoxed ? 'bmffHash' : 'dataHash'}.mismatch`;
}
