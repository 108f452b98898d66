import type { MediaBytes } from '@mediagate/contracts';
import { withSourceOf } from '@mediagate/media';
import { findCarriers } from '../find-carriers';
import { CarrierError, PieceReader } from '../piece-reader';
import { type ProvenanceSource, readProvenance } from '../read-provenance';
import { withEdits } from './edit';
import { PLACES, type Sides } from './places';

/** Digital source types of IPTC for what models make: alone, or with an image of the caller. */
export type SourceType = 'trainedAlgorithmicMedia' | 'compositeWithTrainedAlgorithmicMedia';

export interface FileToMark extends Sides {
  bytes: MediaBytes;
  contentType: string;
}

export type Marked =
  | { state: 'written'; bytes: MediaBytes }
  /** The file says itself that a model made it: it is not touched. */
  | { state: 'stated' }
  | { state: 'unmarked'; problem: string };

/** Writes a digital source type as XMP into a copy of a file that does not say by itself that a model made it. */
export async function markFile({ bytes, contentType, ...sides }: FileToMark, type: SourceType): Promise<Marked> {
  const place = PLACES[contentType];
  if (place === undefined) return { state: 'unmarked', problem: `${contentType} carries no XMP` };
  try {
    const edits = await withSourceOf(bytes, async (source) => {
      if ((await readProvenance(source, contentType)).some(saysSo)) return undefined;
      const file = new PieceReader(source);
      const { carriers, problem } = await findCarriers(file, contentType);
      if (carriers.length > 0)
        throw new CarrierError('it has statements of its own, which a mark would break or double');
      if (problem !== undefined) throw new CarrierError(problem);
      return place(file, xmpOf(type), sides);
    });
    return edits === undefined ? { state: 'stated' } : { state: 'written', bytes: await withEdits(bytes, edits) };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { state: 'unmarked', problem: error.message };
  }
}

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
