/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

export type SizeTable<Ratio extends string, Resolution extends string> = Readonly<
  Record<Ratio, Readonly<Record<Resolution, readonly [width: number, height: number]>>>
>;

/** The cell of a size table, as a size. */
export function cell([width, height]: readonly [width: number, height: number]): Size {
  return { width, height };
}

/** Reads `1024x768`; undefined when it is not two numbers. */
export function parseExactSize(text: string): Size | undefined {
  const match = /^(\d{1,6})x(\d{1,6})$/.exec(text);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}

/** The ratio of the list whose proportions are nearest to the image's, by factor; of two as near, the first listed. */
export function nearestRatio<Ratio extends string>(
  { width, height }: Size,
  ratios: readonly [Ratio, ...Ratio[]],
): Ratio {
  const distance = (ratio: Ratio) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log((width * down) / (height * across)));
  };
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** The keys of a table whose keys are known, in their order. */
export function ratiosOf<Ratio extends string>(table: SizeTable<Ratio, string>): [Ratio, ...Ratio[]] {
  return Object.keys(table) as [Ratio, ...Ratio[]];
}
