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

export function canPan({ number }: Version): boolean {
  return Number(number) > 5.2 && Number(number) < 8;
}

/** From version 8 on a grid offers strong and subtle variations, and remixes, of each of its images. */
export function variesInGrid({ family, number }: Version): boolean {
  return family === 'v' && Number(number) >= 8;
}
