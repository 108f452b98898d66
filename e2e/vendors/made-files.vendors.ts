import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Output } from '@mediagate/contracts';
import {
  createFfmpeg,
  createOutputFetcher,
  createProber,
  type FetchedOutput,
  type MadeOf,
  WorkSlots,
} from '@mediagate/media';
import { readParent } from '@mediagate/provenance';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { judgedManifests, ofVendor, programs, signed } from './manifests/marked-files';

const JUDGED_LIMIT_MS = 300_000;
const GIB = 1024 * 1024 * 1024;

type Asked = Pick<Output, 'role' | 'keepSeconds' | 'audioFormat' | 'isGrid'>;

/** The work on a vendor's file, the kind of file that is made of it, and its actions behind the first one. */
const CASES: [kind: string, asked: Asked, made: string, actions: MadeOf['actions']][] = [
  ['.mp4', { role: 'video', keepSeconds: 0.6 }, '.mp4', ['trimmed']],
  ['.mov', { role: 'video', keepSeconds: 0.6 }, '.mov', ['trimmed']],
  ['.mp4', { role: 'video' }, '.jpg', ['converted']],
  ['.wav', { role: 'audio', audioFormat: 'mp3' }, '.mp3', ['transcoded']],
  ['.mp3', { role: 'audio', keepSeconds: 0.3, audioFormat: 'm4a' }, '.m4a', ['trimmed', 'transcoded']],
  ['.png', { role: 'image', isGrid: true }, '.png', ['cropped']],
  ['.jpg', { role: 'image', isGrid: true }, '.jpg', ['cropped']],
  ['.webp', { role: 'image', isGrid: true }, '.webp', ['cropped']],
];

let work: string;
let folder: string;
beforeAll(async () => {
  [work = '', folder = ''] = await Promise.all(
    ['work', 'made'].map((name) => mkdtemp(join(tmpdir(), `mediagate-${name}-`))),
  );
});
afterAll(() => Promise.all([work, folder].map((path) => rm(path, { recursive: true }))));

/** Makes files of a vendor's, as results are made, and signs them. */
async function signedOf(kind: string, asked: Asked, made: string): Promise<Buffer[]> {
  const fetchOutput = createOutputFetcher({
    // The bytes are at hand: nothing is fetched.
    client: {} as never,
    prober: createProber(),
    ffmpeg: createFfmpeg({ path: ffmpegProgram() }),
    work: { folder: work, maxBytes: 2 * GIB, maxFileBytes: GIB, slots: new WorkSlots() },
  });
  const source = { channelBaseUrl: 'https://vendor.example', owner: { accountId: 'account' } };
  const { signal } = new AbortController();
  const fetched = await fetchOutput({ ...asked, bytes: await ofVendor(kind) }, { ...source, signal });
  try {
    const { parts, cover } = fetched;
    const files = cover && made === '.jpg' ? [cover] : (parts ?? [fetched]);
    return await Promise.all(files.map((file) => sign(file, made)));
  } finally {
    await fetched.dispose();
  }
}

async function sign({ bytes, madeOf }: Pick<FetchedOutput, 'bytes' | 'madeOf'>, kind: string): Promise<Buffer> {
  const parent = madeOf && (await readParent(madeOf.bytes, madeOf.contentType));
  const content = Buffer.isBuffer(bytes) ? bytes : await readFile(bytes.path);
  return signed(content, kind, { parent: parent && { ...parent, actions: madeOf.actions } });
}

(programs === undefined ? it.skip : it)(
  'what is trimmed, converted or cut out of a vendor’s file, a video’s cover too, is valid to the reader of the C2PA project, and shows the vendor’s manifest and what was done',
  async () => {
    const expected: Record<string, object> = {};
    for (const [kind, asked, made, actions] of CASES) {
      for (const [index, file] of (await signedOf(kind, asked, made)).entries()) {
        const name = `of-${kind.slice(1)}-${index}${made}`;
        await writeFile(join(folder, name), file);
        expected[name] = {
          state: 'Valid',
          failures: ['signingCredential.untrusted'],
          parents: [['parentOf', 'ExampleModels']],
          actions: [['c2pa.opened', 'trainedAlgorithmicMedia'], ...actions.map((action) => [`c2pa.${action}`, ''])],
        };
      }
    }
    const judged = await judgedManifests(folder);
    expect(Object.keys(judged).sort()).toEqual(Object.keys(expected).sort());
    expect(judged).toMatchObject(expected);
  },
  JUDGED_LIMIT_MS,
);
