import type { ByteSource } from '../sources/byte-source';
import { inspectCompound } from './compound-document';
import type { DocumentFacts } from './document-facts';
import { inspectText } from './text-document';
import { inspectZip } from './zip-document';

const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * A document whose first bytes tell no more than the family: Office and iWork files, old Office files, plain text.
 * Undefined: none that the gateway knows. Throws DocumentError; what the source throws, as it is.
 */
export async function inspectDocument(source: ByteSource, head: Buffer): Promise<DocumentFacts | undefined> {
  if (head.subarray(0, ZIP.length).equals(ZIP)) return inspectZip(source);
  if (head.subarray(0, COMPOUND.length).equals(COMPOUND)) return inspectCompound(source);
  return inspectText(head, head.length === source.totalBytes);
}
