import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSED = /\.(?:js|css|html|svg|json)$/;
/** A smaller one would not become shorter by as much as the header that says so. */
const MIN_BYTES = 512;

/** Writes `x.br` and `x.gz` beside every text that the build makes, so that the server compresses nothing. */
export function compressOutputs(): Plugin {
  let folder = '';
  return {
    name: 'compress-outputs',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(folder, { withFileTypes: true, recursive: true });
      const texts = entries.filter((entry) => entry.isFile() && COMPRESSED.test(entry.name));
      await Promise.all(texts.map((entry) => compress(join(entry.parentPath, entry.name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < MIN_BYTES) return;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)]);
}
