import { rm } from 'node:fs/promises';
import type { MediaBytes } from '@mediagate/contracts';
import { type ByteSource, withSourceOf } from '@mediagate/media';
import type { Carrier } from '../carriers/carrier';
import { findCarriers } from '../find-carriers';
import { CarrierError, PieceReader, type Range } from '../piece-reader';
import { MAX_STORE_BYTES, type ProvenanceSource, readProvenance } from '../read-provenance';
import { makePlaceholder, type Placeholder, withManifest } from '../signing/bind-manifest';
import type { Signer } from '../signing/signer';
import { draftManifest, type InputFile, isCarriable, type Parent } from '../signing/write-manifest';
import { type Edit, withEdits } from './edit';
import { PLACES, type Sides, type Statements } from './places';

/** Digital source types of IPTC for what models make: alone, or with an image of the caller. */
export type SourceType = 'trainedAlgorithmicMedia' | 'compositeWithTrainedAlgorithmicMedia';

export interface FileToMark extends Sides {
  bytes: MediaBytes;
  contentType: string;
  /** The manifest of the vendor's file that this one was made of. */
  parent?: Parent | undefined;
}

export interface Mark {
  type: SourceType;
  /** Absent: the mark is not signed. */
  signing?: { signer: Signer; taskId: string; at: Date; inputs?: readonly InputFile[] | undefined } | undefined;
}

export type Marked =
  /** `problem`: why the mark is not signed, although it was to be. */
  | (Written & { state: 'written' | 'signed'; bytes: MediaBytes; problem?: string })
  /** The file says itself that a model made it: it is not touched. `problem`: why the mark is not signed, although it was to be. */
  | { state: 'stated'; problem?: string }
  | { state: 'unmarked'; problem: string };

interface Written {
  /** It may be the vendor's word. */
  sourceType: string;
  /** The vendor's manifest stands in the new one. */
  carriesParent: boolean;
}

/**
 * Writes a digital source type as XMP into a copy of a file that does not say by itself that a model made it, and, where the mark is to
 * be signed, a manifest. A vendor's valid manifest that says so, of the file itself or of the one that it was made of, is carried on in
 * it. What was written is read once more, as anybody reads it: a manifest that is not valid then is left out.
 */
export async function markFile(file: FileToMark, mark: Mark): Promise<Marked> {
  const marked = await writeMark(file, mark);
  if (!('bytes' in marked)) return marked;
  const problem = await faultOf(marked, file.contentType);
  if (problem === undefined) return marked;
  if (!Buffer.isBuffer(marked.bytes)) await rm(marked.bytes.path, { force: true });
  if (marked.state === 'written') return { state: 'unmarked', problem };
  return { ...(await markFile(file, { type: mark.type })), problem };
}

/** Why a mark is not read as it was written. */
async function faultOf(
  { state, bytes, sourceType }: Extract<Marked, { bytes: MediaBytes }>,
  contentType: string,
): Promise<string | undefined> {
  const sources = await withSourceOf(bytes, (source) => readProvenance(source, contentType));
  const standard = state === 'signed' ? 'c2pa' : 'iptc';
  const found = sources.find((each) => each.standard === standard && each.source_type === sourceType);
  if (state === 'signed' ? found?.valid === true : found !== undefined) return undefined;
  return `what was ${state} does not read as ${state === 'signed' ? 'valid' : 'it was written'}: ${found?.problem ?? 'it is not there'}`;
}

async function writeMark({ bytes, contentType, parent, ...sides }: FileToMark, mark: Mark): Promise<Marked> {
  const place = PLACES[contentType];
  if (place === undefined) return { state: 'unmarked', problem: `${contentType} carries no XMP` };
  try {
    const plan = await withSourceOf(bytes, async (source) => {
      const file = new PieceReader(source);
      const found = await statementsIn(source, file, contentType);
      return planOf(found, mark, { contentType, parent, edit: (statements) => place(file, statements, sides) });
    });
    if (plan === undefined) return { state: 'stated' };
    const { placeholder, edits, ...written } = plan;
    return placeholder === undefined
      ? { state: 'written', ...written, bytes: await withEdits(bytes, edits) }
      : { state: 'signed', ...written, bytes: await withManifest(bytes, placeholder) };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { state: 'unmarked', problem: error.message };
  }
}

const MAX_PARENT_BYTES = MAX_STORE_BYTES - 1024 * 1024;

/** The vendor's manifest of a file, to be carried on in those that are made of it. @throws CarrierError; errors of the disk */
export function readParent(bytes: MediaBytes, contentType: string): Promise<Parent | undefined> {
  return withSourceOf(bytes, async (source) => {
    return (await statementsIn(source, new PieceReader(source), contentType)).own?.parent;
  });
}

interface Found {
  sources: readonly ProvenanceSource[];
  carriers: readonly Carrier[];
  /** Why there may be other statements. */
  problem: string | undefined;
  /** The file's own manifest, where it can be carried on, and its place. */
  own?: { parent: Parent; inPlaceOf: Range };
}

async function statementsIn(source: ByteSource, file: PieceReader, contentType: string): Promise<Found> {
  const sources = await readProvenance(source, contentType);
  const { carriers, problem } = await findCarriers(file, contentType);
  const [manifest, ...others] = carriers.filter(({ kind }) => kind === 'c2pa');
  const sourceType = sources.find(
    (each) => each.standard === 'c2pa' && each.valid === true && saysSo(each),
  )?.source_type;
  const found = { sources, carriers, problem };
  if (manifest === undefined || others.length > 0 || !sourceType || !isInOnePlace(manifest)) return found;
  const store = await file.readAll(manifest.data, MAX_STORE_BYTES);
  // With the new manifest it would be longer, or have more boxes, than readers take.
  if (store.length > MAX_PARENT_BYTES || !isCarriable(store)) return found;
  return { ...found, own: { parent: { store, contentType, sourceType }, inPlaceOf: manifest.frame } };
}

function isInOnePlace({ data, frame }: Carrier): boolean {
  return data.every(({ start, end }) => start >= frame.start && end <= frame.end);
}

interface Plan extends Written {
  edits: readonly Edit[];
  /** Undefined: the mark is not signed. */
  placeholder?: Placeholder;
}

interface Into extends Pick<FileToMark, 'contentType' | 'parent'> {
  edit(statements: Statements): Promise<Edit[]>;
}

/** Returns undefined for a file that says by itself that a model made it, and takes no manifest. @throws CarrierError */
async function planOf(
  { sources, carriers, problem, own }: Found,
  { type, signing }: Mark,
  { contentType, edit, ...file }: Into,
): Promise<Plan | undefined> {
  const says = sources.find(saysSo);
  const isSignable = problem === undefined && (own !== undefined || carriers.every(({ kind }) => kind !== 'c2pa'));
  const signer = isSignable ? signing?.signer : undefined;
  if (says !== undefined && signer === undefined) return undefined;
  if (signer === undefined && carriers.length > 0) throw new CarrierError(HAS_OTHERS);
  if (problem !== undefined) throw new CarrierError(problem);
  const xmpWith = (word: string) => (carriers.length === 0 ? xmpOf(word) : undefined);
  if (signer === undefined || signing === undefined) {
    return { sourceType: type, carriesParent: false, edits: await edit({ xmp: xmpWith(type) }) };
  }
  const parent = own?.parent ?? file.parent;
  const sourceType = parent?.sourceType ?? says?.source_type ?? type;
  const xmp = xmpWith(sourceType);
  try {
    const draft = draftManifest(signer, { ...signing, sourceType, parent });
    const placeholder = await makePlaceholder(draft, contentType, (bytes) =>
      edit({ xmp, store: { bytes, inPlaceOf: own?.inPlaceOf } }),
    );
    return { sourceType, carriesParent: parent !== undefined, edits: placeholder.edits, placeholder };
  } catch (error) {
    if (says !== undefined && error instanceof CarrierError) return undefined;
    throw error;
  }
}

const HAS_OTHERS = 'it has statements of its own, which a mark would break or double';

function saysSo({ standard, source_type: type, valid }: ProvenanceSource): boolean {
  return valid !== false && (standard === 'gb45438' || /^(?:t|compositeWithT)rainedAlgorithmicMedia$/.test(type ?? ''));
}

function xmpOf(type: string): Buffer {
  const property = `Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${type}"`;
  const names = [
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
    'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
  ].join(' ');
  const description = `<rdf:Description rdf:about="" ${property}/>`;
  return Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${names}>${description}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
  );
}
