import type { ByteSource } from '../sources/byte-source';
import { inspectCompound } from './compound-document';
import type { DocumentFacts } from './document-facts';
import { inspectZip } from './zip-document';

const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** How much of a file tells whether it is one of these. */
const MARK_BYTES = 8;

/** Whether a file that begins with `head` is a ZIP or a compound file, whose directory says what it is. */
export function isPackedDocument(head: Buffer): boolean {
  return isZip(head) || head.subarray(0, COMPOUND.length).equals(COMPOUND);
}

/** Office and iWork files, and old Office files. Undefined: none that is known. Throws DocumentError; what the source throws. */
export async function inspectPacked(source: ByteSource): Promise<DocumentFacts | undefined> {
  return isZip(await source.read(0, MARK_BYTES)) ? inspectZip(source) : inspectCompound(source);
}

function isZip(head: Buffer): boolean {
  return head.subarray(0, ZIP.length).equals(ZIP);
}
