import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { bufferSource } from '@mediagate/media';
import { readProvenance } from '@mediagate/provenance';
import { FILES, judgedManifests, programs, runPython, signed, TYPES, tampered } from './manifests/marked-files';

const JUDGED_LIMIT_MS = 300_000;
const PLAIN = join(FILES, 'plain');
/** The beginning of a file's name says whom its manifest is shaped after, and which program it names. */
const WRITERS: Readonly<Record<string, [issuer: string, program: string]>> = {
  adobe: ['shaped like Adobe Inc.', 'Adobe_Firefly'],
  google: ['shaped like Google LLC', 'Google C2PA Core Generator Library'],
  openai: ['shaped like OpenAI', 'ChatGPT'],
};
const FILES_MADE = 18;

let folder: string;
const files = new Map<string, Buffer>();
beforeAll(async () => {
  if (programs === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'mediagate-shapes-'));
  await runPython('make_vendor_files.py', PLAIN, folder);
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
}, JUDGED_LIMIT_MS);
afterAll(() => programs && rm(folder, { recursive: true }));

const read = async (bytes: Buffer, kind: string) =>
  (await readProvenance(bufferSource(bytes), TYPES[kind] ?? '')).filter(({ standard }) => standard === 'c2pa');

/** Changes a byte of what the newest manifest says. */
function withOtherWord(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.write('X', changed.lastIndexOf('c2pa.actions'));
  return changed;
}

(programs === undefined ? it.skip : it)(
  'manifests shaped like those of vendors are read here, are not valid with another byte, and are carried on',
  async () => {
    const carried = await mkdtemp(join(tmpdir(), 'mediagate-carried-'));
    try {
      expect(files.size).toBe(FILES_MADE);
      const expected: Record<string, object> = {};
      for (const [name, bytes] of files) {
        const kind = extname(name);
        const [issuer, program] = WRITERS[name.replace(/-.*/, '')] ?? [];
        const said = { issuer, generator: program, source_type: 'trainedAlgorithmicMedia' };
        const original = await readFile(join(PLAIN, `plain${kind}`));
        expect([name, await read(bytes, kind)]).toMatchObject([name, [{ ...said, valid: true, problem: null }]]);
        for (const changed of [tampered(bytes, original), withOtherWord(bytes)])
          expect([name, await read(changed, kind)]).toMatchObject([name, [{ valid: false }]]);
        await writeFile(join(carried, name), await signed(bytes, kind));
        const parents = [['parentOf', program]];
        expected[name] = { state: 'Valid', failures: ['signingCredential.untrusted'], parents };
      }
      expect(await judgedManifests(carried)).toMatchObject(expected);
    } finally {
      await rm(carried, { recursive: true });
    }
  },
  JUDGED_LIMIT_MS,
);
