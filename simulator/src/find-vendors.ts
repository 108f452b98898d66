import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateVendor } from './vendor';

/** Every vendor, each in the folder of its wire's name: the folders are the registry. Throws, naming the file that has none. */
export function findVendors(): CreateVendor[] {
  return [...modulesIn(__dirname, '*/vendor.ts')].map(([file, load]) => createVendor(file, load));
}

/** In place of this call, `scripts/build.mjs` puts the modules of the moment. */
function modulesIn(folder: string, pattern: string): Map<string, () => unknown> {
  const files = globSync(pattern, { cwd: folder }).sort();
  return new Map(files.map((file) => [file, () => require(join(folder, file))]));
}

function createVendor(file: string, load: () => unknown): CreateVendor {
  const { default: create } = load() as { default?: CreateVendor };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the vendor`);
  return (tools, around) => {
    const vendor = create(tools, around);
    if (file === `${vendor.wire.name}/vendor.ts`) return vendor;
    throw new Error(`${file}: the folder must be named after its wire, ${vendor.wire.name}`);
  };
}
