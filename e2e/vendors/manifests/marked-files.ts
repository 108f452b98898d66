import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type InputFile, markFile, openSigner, type Parent } from '@mediagate/provenance';
import { makeDevelopmentCertificate, pythonPrograms } from '@mediagate/testkit/servers';
import { bringNodePrograms } from '../../programs/bring-node';

const run = promisify(execFile);

export const FILES = join(__dirname, '../../../packages/provenance/test');
/** A small file without statements. */
export const plain = (kind: string) => readFile(join(FILES, `plain/plain${kind}`));
/** A small file with a manifest of its vendor's. */
export const ofVendor = (kind: string) => readFile(join(FILES, `files/signed${kind}`));

/** Content types by the end of a file's name. */
export const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
};
export const KINDS = Object.keys(TYPES);
export const KEYS = {
  Es256: undefined,
  Es384: generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  Ed25519: generateKeyPairSync('ed25519'),
  Ps256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
export type Algorithm = keyof typeof KEYS;

interface Signing {
  algorithm?: Algorithm;
  inputs?: InputFile[];
  parent?: Parent | undefined;
}

/** Signs a file as the service signs a result. */
export async function signed(
  bytes: Buffer,
  extension: string,
  { algorithm = 'Es256', inputs, parent }: Signing = {},
): Promise<Buffer> {
  const keys = KEYS[algorithm];
  const signer = openSigner(makeDevelopmentCertificate(keys && { keys }));
  const marked = await markFile(
    { bytes, contentType: TYPES[extension] ?? '', width: 24, height: 16, parent },
    { type: 'trainedAlgorithmicMedia', signing: { signer, taskId: 'task_1', at: new Date(), inputs } },
  );
  if (marked.state !== 'signed' || !Buffer.isBuffer(marked.bytes)) throw new Error(`${extension} was ${marked.state}`);
  return marked.bytes;
}

/** Marks a file as the service marks a result with `metadata`. */
export async function withMetadata(bytes: Buffer, extension: string): Promise<Buffer> {
  const file = { bytes, contentType: TYPES[extension] ?? '', width: 24, height: 16 };
  const marked = await markFile(file, { type: 'trainedAlgorithmicMedia' });
  if (marked.state !== 'written' || !Buffer.isBuffer(marked.bytes)) throw new Error(`${extension} was ${marked.state}`);
  return marked.bytes;
}

/** Changes a byte among those that are shown or heard. */
export function tampered(bytes: Buffer, original: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const start = original.includes('mdat') ? original.indexOf('mdat') + 50 : original.length - 40;
  const at = bytes.lastIndexOf(original.subarray(start, start + 20)) + 10;
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}

/** The programs of the C2PA project; undefined where there is no Python. */
export const programs = pythonPrograms('e2e/vendors/manifests/requirements.txt');

/** Runs a script of this folder, and returns what it prints. */
export async function runPython(script: string, ...args: string[]): Promise<string> {
  const python = join(programs ?? '', 'python');
  return (await run(python, [join('e2e/vendors/manifests', script), ...args])).stdout;
}

/** Asks the reader of the C2PA project about each file of a folder; it answers by their names. */
export async function judgedManifests(folder: string): Promise<Record<string, JudgedManifest>> {
  return JSON.parse(await runPython('judge_manifests.py', folder));
}

export interface JudgedManifest {
  /** Absent, with `error`: there is none, or it cannot be read. */
  state?: string;
  error?: string;
  failures?: string[];
  parents?: [relationship: string, generator: string][];
}

/** The source types that exiftool reads as XMP in the files of a folder, by their names. */
export async function sourceTypesIn(folder: string): Promise<Record<string, string | undefined>> {
  const exiftool = join(bringNodePrograms(), 'node_modules/exiftool-vendored.pl/bin/exiftool');
  const { stdout } = await run('perl', [exiftool, '-json', '-n', '-XMP-iptcExt:DigitalSourceType', folder]);
  const read: { SourceFile: string; DigitalSourceType?: string }[] = JSON.parse(stdout);
  return Object.fromEntries(read.map(({ SourceFile: file, DigitalSourceType: type }) => [basename(file), type]));
}
