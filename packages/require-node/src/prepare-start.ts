import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { usePack } from './packed-modules';
import { nameSources } from './stack-traces';

/** Folder of the engine's compiled code. Users who may only read the checkout, as in the image, use what is there. */
const COMPILED = join(__dirname, '../../../node_modules/.cache/mediagate/compiled');

/** Has what a built main file requires from now on loaded fast. Processes that run from their sources have their own way. */
export function prepareStart(main: string): void {
  if (!main.endsWith('.js')) return;
  enableCompileCache(COMPILED);
  nameSources(usePack(main));
}
