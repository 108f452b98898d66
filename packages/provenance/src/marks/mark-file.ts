import { rm } from 'node:fs/promises';
import type { MediaBytes } from '@mediagate/contracts';
import { type ByteSource, withSourceOf } from '@mediagate/media';
import type { Carrier } from '../carriers/carrier';
import { findCarriers } from '../find-carriers';
import { CarrierError, PieceReader } from '../piece-reader';
import { MAX_STORE_BYTES, type ProvenanceSource, readProvenance } from '../read-provenance';
import { makePlaceholder, type Placeholder, withManifest } from '../signing/bind-manifest';
import type { Signer } from '../signing/signer';
import { draftManifest, type InputFile } from '../signing/write-manifest';
import { type Edit, withEdits } from './edit';
import { PLACES, type Sides, type Statements } from './places';

/** Digital source types of IPTC for what models make: alone, or with an image of the caller. */
export type SourceType = 'trainedAlgorithmicMedia' | 'compositeWithTrainedAlgorithmicMedia';

export interface FileToMark extends Sides {
  bytes: MediaBytes;
  contentType: string;
}

export interface Mark {
  type: SourceType;
  /** Absent: the mark is not signed. */
  signing?: { signer: Signer; taskId: string; at: Date; inputs?: readonly InputFile[] | undefined } | undefined;
}

export type Marked =
  /** `sourceType`: the one that was written, which may be the vendor's word. `problem`: why the mark is not signed, although it was to be. */
  | { state: 'written' | 'signed'; bytes: MediaBytes; sourceType: string; problem?: string }
  /** The file says itself that a model made it: it is not touched. `problem`: why the mark is not signed, although it was to be. */
  | { state: 'stated'; problem?: string }
  | { state: 'unmarked'; problem: string };

/**
 * Writes a digital source type as XMP into a copy of a file that does not say by itself that a model made it, and, where the mark is to
 * be signed, a manifest. A vendor's valid manifest that says so is carried on in it, as what the file was made of. What was written is
 * read once more, as anybody reads it: a manifest that is not valid then is left out.
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

async function writeMark({ bytes, contentType, ...sides }: FileToMark, mark: Mark): Promise<Marked> {
  const place = PLACES[contentType];
  if (place === undefined) return { state: 'unmarked', problem: `${contentType} carries no XMP` };
  try {
    const plan = await withSourceOf(bytes, async (source) => {
      const file = new PieceReader(source);
      const found = await statementsIn(source, file, contentType);
      return planOf(found, mark, { contentType, edit: (statements) => place(file, statements, sides) });
    });
    if (plan === undefined) return { state: 'stated' };
    const { placeholder, edits, sourceType } = plan;
    return placeholder === undefined
      ? { state: 'written', sourceType, bytes: await withEdits(bytes, edits) }
      : { state: 'signed', sourceType, bytes: await withManifest(bytes, placeholder) };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { state: 'unmarked', problem: error.message };
  }
}

const MAX_PARENT_BYTES = MAX_STORE_BYTES - 1024 * 1024;

interface Found {
  sources: readonly ProvenanceSource[];
  carriers: readonly Carrier[];
  /** Why there may be other statements. */
  problem: string | undefined;
  /** The only manifest, where it is valid and says that a model made the file. */
  parent?: NonNullable<Statements['store']>;
}

async function statementsIn(source: ByteSource, file: PieceReader, contentType: string): Promise<Found> {
  const sources = await readProvenance(source, contentType);
  const { carriers, problem } = await findCarriers(file, contentType);
  const [manifest, ...others] = carriers.filter(({ kind }) => kind === 'c2pa');
  const isValid = sources.some((each) => each.standard === 'c2pa' && each.valid === true && saysSo(each));
  const found = { sources, carriers, problem };
  if (manifest === undefined || others.length > 0 || !isValid || !isInOnePlace(manifest)) return found;
  const bytes = await file.readAll(manifest.data, MAX_STORE_BYTES);
  // With the new manifest it would be longer than readers take.
  if (bytes.length > MAX_PARENT_BYTES) return found;
  return { ...found, parent: { bytes, inPlaceOf: manifest.frame } };
}

function isInOnePlace({ data, frame }: Carrier): boolean {
  return data.every(({ start, end }) => start >= frame.start && end <= frame.end);
}

interface Plan {
  sourceType: string;
  edits: readonly Edit[];
  /** Undefined: the mark is not signed. */
  placeholder?: Placeholder;
}

type EditFor = (statements: Statements) => Promise<Edit[]>;

/** Returns undefined for a file that says by itself that a model made it, and takes no manifest. @throws CarrierError */
async function planOf(
  { sources, carriers, problem, parent }: Found,
  { type, signing }: Mark,
  { contentType, edit }: { contentType: string; edit: EditFor },
): Promise<Plan | undefined> {
  const says = sources.find(saysSo);
  const isSignable = problem === undefined && (parent !== undefined || carriers.every(({ kind }) => kind !== 'c2pa'));
  const signer = isSignable ? signing?.signer : undefined;
  if (says !== undefined && signer === undefined) return undefined;
  if (signer === undefined && carriers.length > 0) throw new CarrierError(HAS_OTHERS);
  if (problem !== undefined) throw new CarrierError(problem);
  const xmp = carriers.length === 0 ? xmpOf(type) : undefined;
  if (signer === undefined || signing === undefined) return { sourceType: type, edits: await edit({ xmp }) };
  const sourceType = says?.source_type ?? type;
  try {
    const draft = draftManifest(signer, { ...signing, sourceType, contentType, parent: parent?.bytes });
    const placeholder = await makePlaceholder(draft, contentType, (bytes) =>
      edit({ xmp, store: { ...parent, bytes } }),
    );
    return { sourceType, edits: placeholder.edits, placeholder };
  } catch (error) {
    if (says !== undefined && error instanceof CarrierError) return undefined;
    throw error;
  }
}

const HAS_OTHERS = 'it has statements of its own, which a mark would break or double';

function saysSo({ standard, source_type: type, valid }: ProvenanceSource): boolean {
  return valid !== false && (standard === 'gb45438' || /^(?:t|compositeWithT)rainedAlgorithmicMedia$/.test(type ?? ''));
}

function xmpOf(type: SourceType): Buffer {
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
