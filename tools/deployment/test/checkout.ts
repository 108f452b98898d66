import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the checkout: what the image is built from. */
export const ROOT = join(__dirname, '../../..');

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
