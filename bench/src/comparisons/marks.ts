import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Mark, markFile, openSigner } from '@mediagate/provenance';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import type { Comparison, Outcome } from '../comparison';
import { figure, type Goal } from '../measure/figure';
import { median } from '../measure/statistics';
import type { Stage } from '../stage';

const PLAIN = join(__dirname, '../../../packages/provenance/test/plain');
const MIB = 1024 * 1024;
const FULL_MIB = 64;
const QUICK_MIB = 8;
const ROUNDS = 5;

/** Kinds of files by extension, and how bytes are put into one so that its headers still lead to its end. */
const KINDS: Readonly<Record<string, { type: string; grow(file: Buffer, filler: Buffer): Buffer }>> = {
  png: { type: 'image/png', grow: (file, filler) => insertAt(file, file.length - 12, pngChunk(filler)) },
  jpg: { type: 'image/jpeg', grow: (file, filler) => insertAt(file, file.length - 2, filler) },
  webp: { type: 'image/webp', grow: inRiff },
  wav: { type: 'audio/wav', grow: inRiff },
  mp3: { type: 'audio/mpeg', grow: (file, filler) => Buffer.concat([file, filler]) },
  mp4: { type: 'video/mp4', grow: (file, filler) => Buffer.concat([file, framed('free', filler, filler.length + 8)]) },
  m4a: { type: 'audio/mp4', grow: (file, filler) => Buffer.concat([file, framed('free', filler, filler.length + 8)]) },
};

const GOAL = { id: 'P23', unit: 'x', threshold: { atMost: 5 } } as const;

/** Measures the part of marks in storing a file, by kind: the CPU of this process against that of a copy with its SHA-256, as a storage on disk takes it. */
export const marks: Comparison = {
  name: 'marks',
  goals: ['P23'],
  async run(stage): Promise<Outcome> {
    const signer = openSigner(makeDevelopmentCertificate());
    const signing = { signer, taskId: 'task_1', at: new Date() };
    const ways: readonly [string, Mark][] = [
      ['metadata', { type: 'trainedAlgorithmicMedia' }],
      ['signed', { type: 'trainedAlgorithmicMedia', signing }],
    ];
    const figures = [];
    for (const extension of Object.keys(KINDS)) {
      const file = await makeFile(stage, extension);
      await cost(file, undefined);
      for (const [name, mark] of ways) figures.push(await compare(file, name, mark));
      await rm(file.path);
    }
    return { figures, faults: [] };
  },
};

interface LargeFile {
  path: string;
  extension: string;
  type: string;
  totalBytes: number;
}

async function makeFile({ directory, quick }: Stage, extension: string): Promise<LargeFile> {
  const { type, grow } = KINDS[extension] ?? { type: '', grow: (file: Buffer) => file };
  const plain = await readFile(join(PLAIN, `plain.${extension}`));
  const path = join(directory, `large.${extension}`);
  await writeFile(path, grow(plain, Buffer.alloc((quick ? QUICK_MIB : FULL_MIB) * MIB, 1)));
  return { path, extension, type, totalBytes: (await stat(path)).size };
}

async function compare(file: LargeFile, name: string, mark: Mark) {
  const rounds: Record<'off' | 'marked', Awaited<ReturnType<typeof cost>>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ off: await cost(file, undefined), marked: await cost(file, mark) });
  }
  const cpuOf = (which: 'off' | 'marked') => median(rounds.map((round) => round[which].cpuMs));
  const timeOf = (which: 'off' | 'marked') => median(rounds.map((round) => round[which].ms));
  const measure = `storing a ${file.extension.toUpperCase()} with marks: ${name}, against none: CPU`;
  const limit = `${cpuOf('marked').toFixed(2)} ms of CPU a MiB beside ${cpuOf('off').toFixed(2)}, ${timeOf('marked').toFixed(1)} ms beside ${timeOf('off').toFixed(1)}`;
  const goal: Goal = { ...GOAL, measure };
  return figure(goal, { values: rounds.map(({ off, marked }) => marked.cpuMs / off.cpuMs), slices: [], limit });
}

/** The CPU and the time of a MiB that is marked, or not, and stored. */
async function cost({ path, type, totalBytes }: LargeFile, mark: Mark | undefined) {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  const marked =
    mark && (await markFile({ bytes: { path, totalBytes }, contentType: type, width: 24, height: 16 }, mark));
  if (marked !== undefined && !('bytes' in marked)) throw new Error(`${path} was ${marked.state}`);
  const source = marked === undefined || Buffer.isBuffer(marked.bytes) ? path : marked.bytes.path;
  await store(source, `${path}-stored`);
  const [{ user, system }, ms] = [process.cpuUsage(before), performance.now() - startedAt];
  if (source !== path) await rm(source);
  const mib = totalBytes / MIB;
  return { cpuMs: (user + system) / 1000 / mib, ms: ms / mib };
}

async function store(from: string, to: string): Promise<void> {
  const digest = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      digest.update(chunk);
      done(undefined, chunk);
    },
  });
  await pipeline(createReadStream(from, { highWaterMark: 256 * 1024 }), hashing, createWriteStream(to));
  digest.digest();
}

function insertAt(file: Buffer, at: number, bytes: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}

function framed(name: string, content: Buffer, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A chunk that viewers pass over. */
function pngChunk(filler: Buffer): Buffer {
  const chunk = framed('fiLL', filler, filler.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(chunk.subarray(4)));
  return Buffer.concat([chunk, checksum]);
}

function inRiff(file: Buffer, filler: Buffer): Buffer {
  const head = Buffer.from('JUNK\0\0\0\0', 'latin1');
  head.writeUInt32LE(filler.length, 4);
  const grown = Buffer.concat([file, head, filler]);
  grown.writeUInt32LE(grown.length - 8, 4);
  return grown;
}
