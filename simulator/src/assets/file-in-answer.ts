import type { Faults } from '../faults/chooser';

/** An object store's answer for a file that it no longer has. */
export const GONE = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>Gone</Code></Error>');

/** A file that stands in an answer itself. Whoever asks for a result that cannot be fetched gets it spoilt there, as there is no link. */
export function fileInAnswer(bytes: Buffer, faults: Faults): Buffer {
  return faults.take('asset-410') ? GONE : bytes;
}
