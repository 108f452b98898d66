import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCKERFILE = join(__dirname, '../../../../Dockerfile');
const OF_MEMORY = /^\s+(NODE_OPTIONS)=(\S+)/gm;

/** The variables by which the image bounds a process's memory. */
export function imageVariables(): Record<string, string> {
  const found = readFileSync(DOCKERFILE, 'utf8').matchAll(OF_MEMORY);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}
