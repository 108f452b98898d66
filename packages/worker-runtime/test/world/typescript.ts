import { join } from 'node:path';

/** Arguments of a Node process that runs the sources as they are. */
export const TYPESCRIPT = ['--require', join(__dirname, '../../../../scripts/register-typescript.cjs')];
