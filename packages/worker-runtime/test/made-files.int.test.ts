import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Output } from '@mediagate/contracts';
import { createGuardedClient } from '@mediagate/egress';
import { createFfmpeg, createOutputFetcher, createProber, WorkSlots, withSourceOf } from '@mediagate/media';
import { openSigner, readProvenance } from '@mediagate/provenance';
import { ffmpegProgram, makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { Registry } from 'prom-client';
import { createResultMarker, markOutput } from '../src/mark-result';
import { originsOf, readParentOf, readWhileStored } from '../src/output-origin';

const warned: unknown[] = [];
const logger = { warn: (...line: unknown[]) => void warned.push(line) } as never;
const reader = { taskId: 'task', logger };
const signer = openSigner(makeDevelopmentCertificate());
const markResult = createResultMarker({
  register: new Registry(),
  logger,
  signer: () => signer,
  clock: () => new Date(),
});
const policy = { type: 'trainedAlgorithmicMedia', taskId: 'task', marks: 'signed', unmarked: 'fail' } as const;
const GIB = 1024 * 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mediagate-made-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => warned.splice(0));

function fetchFrom(output: Output) {
  const fetchOutput = createOutputFetcher({
    client: createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80], allowOrigins: [] }),
    prober: createProber(),
    ffmpeg: createFfmpeg({ path: ffmpegProgram() }),
    work: { folder, maxBytes: 2 * GIB, maxFileBytes: GIB, slots: new WorkSlots() },
  });
  const { signal } = new AbortController();
  return fetchOutput(output, { channelBaseUrl: 'https://vendor.example', owner: { accountId: 'account' }, signal });
}

/** Marks a result of the vendor's file as a step does; answers with the file as it is stored, and what its record says. */
async function resultOf(name: string, output: Pick<Output, 'role' | 'keepSeconds' | 'audioFormat'>) {
  const bytes = await readFile(path.join(__dirname, '../../provenance/test', name));
  const fetched = await fetchFrom({ ...output, bytes });
  try {
    expect(fetched).toMatchObject({ faults: [], madeOf: {} });
    const parent = await readParentOf(fetched, policy, reader);
    const marked = await markOutput(fetched, (file) => markResult(file, policy), parent);
    const [, vendors] = await readWhileStored(fetched, reader, async () => undefined);
    const kept = originsOf(vendors, marked).provenance?.map((source) => [source.issuer, source.kept]);
    const found = await withSourceOf(marked.bytes, (source) => readProvenance(source, marked.contentType));
    const text = await withSourceOf(marked.bytes, (source) => source.read(0, source.totalBytes));
    const words = text.toString('latin1').match(/Example Models|parentOf|c2pa\.(?:created|opened|t[a-z]+ed)/g);
    const manifests = found.filter(({ standard }) => standard === 'c2pa').map(({ issuer, valid }) => [issuer, valid]);
    return { contentType: marked.contentType, state: marked.mark?.state, kept, words: new Set(words), manifests };
  } finally {
    await fetched.dispose();
  }
}

const OURS = [['mediagate development (untrusted)', true]];

it.each([
  ['a trimmed MP4', 'signed.mp4', { role: 'video', keepSeconds: 0.6 }, 'video/mp4', ['c2pa.trimmed']],
  ['a trimmed MOV', 'signed.mov', { role: 'video', keepSeconds: 0.6 }, 'video/quicktime', ['c2pa.trimmed']],
  ['a sound as MP3', 'signed.wav', { role: 'audio', audioFormat: 'mp3' }, 'audio/mpeg', ['c2pa.transcoded']],
  ['a sound as WAV', 'signed.mp3', { role: 'audio', audioFormat: 'wav' }, 'audio/wav', ['c2pa.transcoded']],
  [
    'a trimmed sound as M4A',
    'signed.mp3',
    { role: 'audio', keepSeconds: 0.3, audioFormat: 'm4a' },
    'audio/mp4',
    ['c2pa.trimmed', 'c2pa.transcoded'],
  ],
] as const)(
  '%s carries the vendor’s manifest on, and its record says that it is kept',
  async (_what, name, output, contentType, actions) => {
    const { words, ...result } = await resultOf(`files/${name}`, output);
    expect(result).toEqual({ contentType, state: 'signed', kept: [['Example Models', true]], manifests: OURS });
    for (const word of ['Example Models', 'parentOf', 'c2pa.opened', ...actions]) expect(words).toContain(word);
    expect(warned).toEqual([]);
  },
);

it('a trimmed file of a vendor that states nothing is created here, and signed', async () => {
  const { words, ...result } = await resultOf('plain/plain.mp4', { role: 'video', keepSeconds: 0.6 });
  expect(result).toEqual({ contentType: 'video/mp4', state: 'signed', kept: undefined, manifests: OURS });
  expect([words.has('c2pa.created'), words.has('parentOf')]).toEqual([true, false]);
});
