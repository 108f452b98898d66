import type { ByteSource } from '@mediagate/media';
import { judgeBinding, type Verdict } from './c2pa/binding';
import { type Manifest, readManifest, shortened } from './c2pa/manifest';
import type { Carrier } from './carriers/carrier';
import { findCarriers } from './find-carriers';
import { CarrierError, PieceReader } from './piece-reader';
import { readXmp } from './xmp';

/** One statement of a file about its origin, in the words of the task's record. */
export interface ProvenanceSource {
  standard: 'c2pa' | 'iptc' | 'gb45438';
  /** The last part of the IPTC digital source type: `trainedAlgorithmicMedia`. */
  source_type: string | null;
  issuer: string | null;
  generator: string | null;
  /** True where a manifest's signature fits, and the file's bytes are those that were signed. Null: not checked, or nothing is signed. */
  valid: boolean | null;
  problem: string | null;
}

/** A store of manifests with thumbnails has some hundred kilobytes. */
export const MAX_STORE_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_SOURCES = 8;

/**
 * Finds what a file states about its origin. What is in the file may be anything: a statement that cannot be read is named with
 * its problem. It holds at most one statement in memory, and reads all of the file only to compare it with a signature.
 */
export async function readProvenance(source: ByteSource, contentType: string): Promise<ProvenanceSource[]> {
  const file = new PieceReader(source);
  const open: OpenFile = { source, file, isCompared: false };
  const { carriers } = await findCarriers(file, contentType);
  const sources: ProvenanceSource[] = [];
  for (const carrier of carriers.slice(0, MAX_SOURCES)) {
    const found = await read(carrier, open).catch((error: unknown) => {
      if (!(error instanceof CarrierError)) throw error;
      const problem = `the statement cannot be read: ${error.message}`;
      return { ...UNKNOWN, standard: STANDARDS[carrier.kind], valid: carrier.kind === 'c2pa' ? false : null, problem };
    });
    sources.push(...[found].flat());
  }
  return sources;
}

/** The store of a file's manifest, where it is the only one, valid, and no longer than so many bytes. */
export async function readValidStore(
  source: ByteSource,
  contentType: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const file = new PieceReader(source);
  const { carriers } = await findCarriers(file, contentType);
  const [manifest, ...others] = carriers.filter(({ kind }) => kind === 'c2pa');
  if (manifest === undefined || others.length > 0 || bytesOf(manifest) > maxBytes) return undefined;
  const sources = await readProvenance(source, contentType);
  const isValid = sources.some(({ standard, valid }) => standard === 'c2pa' && valid === true);
  return isValid ? file.readAll(manifest.data, maxBytes) : undefined;
}

function bytesOf({ data }: Carrier): number {
  return data.reduce((sum, { start, end }) => sum + end - start, 0);
}

const STANDARDS = { c2pa: 'c2pa', xmp: 'iptc', aigc: 'gb45438' } as const;
const UNKNOWN = { source_type: null, issuer: null, generator: null, valid: null, problem: null } as const;

interface OpenFile {
  source: ByteSource;
  file: PieceReader;
  /** A file is read whole once, however many manifests it has. */
  isCompared: boolean;
}

async function read(carrier: Carrier, open: OpenFile): Promise<ProvenanceSource | ProvenanceSource[]> {
  if (carrier.kind === 'c2pa') return readC2pa(carrier, open);
  const text = (await open.file.readAll(carrier.data, MAX_TEXT_BYTES)).toString('utf8');
  if (carrier.kind === 'aigc') return toLabel(text);
  const { sourceType, label, manifestHost, ...named } = readXmp(text);
  // Nobody's server is asked on behalf of a file.
  const problem = `its manifest stands at ${manifestHost}, and was not fetched`;
  const elsewhere = manifestHost === null ? [] : [{ ...UNKNOWN, standard: 'c2pa' as const, problem }];
  // XMP without a source type is of cameras and editors.
  if (sourceType === null) return label === undefined ? elsewhere : [toLabel(label), ...elsewhere];
  return [{ ...UNKNOWN, standard: 'iptc', source_type: sourceType, ...named }, ...elsewhere];
}

async function readC2pa(carrier: Carrier, open: OpenFile): Promise<ProvenanceSource> {
  const store = await open.file.readAll(carrier.data, MAX_STORE_BYTES);
  const { problem, binding, sourceType, ...named } = await readManifest(store);
  const verdict: Verdict = problem === undefined ? await compare(carrier, binding, open) : { valid: false, problem };
  return { standard: 'c2pa', source_type: sourceType, ...named, ...verdict };
}

async function compare(carrier: Carrier, binding: Manifest['binding'], open: OpenFile): Promise<Verdict> {
  if (open.isCompared) return { valid: null, problem: 'the file was compared with another manifest of it' };
  open.isCompared = true;
  return judgeBinding(open.source, carrier, binding);
}

/** The label is JSON; its producer is a number of a register. */
function toLabel(text: string): ProvenanceSource {
  const producer = /"ContentProducer"\s{0,20}:\s{0,20}"([^"]{1,200})"/.exec(text)?.[1];
  return { ...UNKNOWN, standard: 'gb45438', issuer: shortened(producer) };
}
