import { message } from '@mediagate/contracts';
import { getResolvedPDFJS } from 'unpdf';
import type { ReadBytes } from '../sources/byte-source';
import { DocumentError } from './document-facts';

/**
 * How many pages a PDF has, by pdf.js, which reads the parts of the file that say so; one that is damaged it reads whole. What a hostile
 * file makes of it is bounded by the process that asks.
 *
 * @throws DocumentError for a file that cannot be read, or not without a password; what `read` throws, as it is.
 */
export async function countPdfPages(totalBytes: number, read: ReadBytes): Promise<number> {
  const { getDocument, PDFDataRangeTransport } = await getResolvedPDFJS();
  const range = new PDFDataRangeTransport(totalBytes, null);
  const unread = new Promise<never>((_, reject) => {
    range.requestDataRange = (begin, end) => {
      // pdf.js takes the bytes away from whoever hands them over.
      read(begin, end).then((bytes) => range.onDataRange(begin, Uint8Array.from(bytes)), reject);
    };
  });
  const opening = getDocument({ range, disableAutoFetch: true, disableStream: true, verbosity: 0 });
  try {
    const { numPages } = await Promise.race([opening.promise.catch(refuse), unread]);
    if (numPages < 1) throw new DocumentError(message('pdf_broken'));
    return numPages;
  } finally {
    await opening.destroy();
  }
}

function refuse(cause: Error): never {
  const code = cause.name === 'PasswordException' ? 'document_password' : 'pdf_broken';
  throw new DocumentError(message(code), { cause });
}
