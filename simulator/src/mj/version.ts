/** The model a prompt is for: `--v 7`, or `--niji 6` of the family for drawn images. */
export interface Version {
  family: 'v' | 'niji';
  /** As it stands behind the flag. */
  number: string;
}

const numbers: Record<Version['family'], readonly string[]> = {
  v: ['1', '2', '3', '4', '5', '5.0', '5.1', '5.2', '6', '6.0', '6.1', '7', '8', '8.1'],
  niji: ['4', '5', '6', '7'],
};

export const DEFAULT_VERSION: Version = { family: 'v', number: '7' };
export const DEFAULT_NIJI: Version = { family: 'niji', number: '6' };

/** Undefined for a number that the family does not have. */
export function readVersion(family: Version['family'], number: string): Version | undefined {
  return numbers[family].includes(number) ? { family, number } : undefined;
}

/** `v7`, `niji6`: as rules and the journal name the model. */
export function versionName({ family, number }: Version): string {
  return `${family}${number}`;
}

/** `--v 7`, `--niji 6`. */
export function versionFlag({ family, number }: Version): string {
  return `--${family} ${number}`;
}

export function canZoom({ number }: Version): boolean {
  return Number(number) >= 5;
}

export function canRepaint({ number }: Version): boolean {
  return Number(number) >= 5;
}

export function canPan({ number }: Version): boolean {
  return Number(number) > 5.2 && Number(number) < 8;
}

/** From version 8 on a grid offers strong and subtle variations, and remixes, of each of its images. */
export function variesInGrid({ family, number }: Version): boolean {
  return family === 'v' && Number(number) >= 8;
}

/** The two buttons that enlarge an upscaled image, with the words in their ids; undefined before version 5. */
export function enlargers(version: Version): [first: Enlarger, second: Enlarger] | undefined {
  const number = Number(version.number);
  if (number < 5) return undefined;
  if (number < 6) {
    return [
      { name: 'v5_2x', label: 'Upscale (2x)', factor: 2 },
      { name: 'v5_4x', label: 'Upscale (4x)', factor: 4 },
    ];
  }
  const name = number === 6.1 ? 'v6r1' : `v${Number(version.number)}`;
  return [
    { name: `${name}_2x_subtle`, label: 'Upscale (Subtle)', factor: 2 },
    { name: `${name}_2x_creative`, label: 'Upscale (Creative)', factor: 2 },
  ];
}

export interface Enlarger {
  name: string;
  label: string;
  factor: number;
}
