import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { CreateVendor } from './vendor';

/** `vendor.ts` where sources run, `vendor.js` where the build does. */
const VENDOR_FILE = `vendor${extname(__filename)}`;

/** Every vendor, each in the folder of its wire's name: the folders are the registry. Throws, naming the file that has none. */
export function findVendors(): CreateVendor[] {
  return readdirSync(__dirname)
    .filter((name) => existsSync(join(__dirname, name, VENDOR_FILE)))
    .sort()
    .map(load);
}

function load(folder: string): CreateVendor {
  const file = join(__dirname, folder, VENDOR_FILE);
  const { default: create } = require(file) as { default?: CreateVendor };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the vendor`);
  return (tools, around) => {
    const vendor = create(tools, around);
    if (vendor.wire.name === folder) return vendor;
    throw new Error(`${file}: the folder must be named after its wire, ${vendor.wire.name}`);
  };
}
