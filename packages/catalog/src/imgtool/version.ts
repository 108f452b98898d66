import { reject, rewrite } from '../rules';

export const IMGTOOL_VERSIONS = ['v8.1', 'v7', 'v6.1', 'v5.2', 'v5.1', 'niji7', 'niji6'] as const;
type Version = (typeof IMGTOOL_VERSIONS)[number];

const NORMALISED: Readonly<Record<string, Version>> = {
  '8': 'v8.1',
  '8.1': 'v8.1',
  '7': 'v7',
  '6': 'v6.1',
  '6.1': 'v6.1',
  '5.2': 'v5.2',
  '5': 'v5.1',
  '5.1': 'v5.1',
};
const NIJI: Readonly<Record<string, Version>> = { '7': 'niji7', '6': 'niji6' };

interface Versioned {
  version?: string | number;
  niji?: boolean;
}

/** Rule: reads `7`, `"v7"` and `"7"` as one version, and those of the drawn model by its flag or by name. */
export function versionIsKnown({ version, niji }: Versioned) {
  if (version === undefined) return undefined;
  const written = String(version).trim().toLowerCase();
  const drawn = /^niji *(?=\d)/.test(written);
  const number = written.replace(/^(?:v|niji) */, '').replace(/\.0$/, '');
  if (niji === true || drawn) {
    const known = Object.hasOwn(NIJI, number) ? NIJI[number] : undefined;
    if (known === undefined) return reject('version', 'version_with_niji');
    return rewrite({ version: known, niji: true });
  }
  const known = Object.hasOwn(NORMALISED, number) ? NORMALISED[number] : undefined;
  if (known !== undefined) return rewrite({ version: known });
  return reject('version', 'must_be_one_of', { values: Object.keys(NORMALISED).sort().join(', ') });
}

/** The flag that asks the vendor for a version. */
export function versionFlag(version: string): string {
  return version.startsWith('niji') ? `--niji ${version.slice(4)}` : `--v ${version.slice(1)}`;
}
