import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The kinds of files that are marked and signed. */
export const KINDS: [extension: string, contentType: string][] = [
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
];

/** A small file without statements. */
export const plain = (extension: string) => readFile(path.join(__dirname, `plain/plain.${extension}`));
/** A small file with a manifest of its vendor's. */
export const ofVendor = (extension: string) => readFile(path.join(__dirname, `files/signed.${extension}`));
