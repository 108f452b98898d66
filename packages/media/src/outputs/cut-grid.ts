import { Slots } from '@mediagate/concurrency';
import type { Owner } from '@mediagate/contracts';
import sharp, { type Sharp } from 'sharp';
import type { FetchedImage, ImagePart, MadeOf } from './output';

/** Unlike its header alone, an image that is cut is unfolded in memory: four bytes a pixel. */
const MAX_CUT_PIXELS = 64_000_000;
/** The quality of the cut images: the vendor has compressed the grid once already. */
const QUALITY = 95;
/** Columns and rows, in the order in which callers count. */
const PLACES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

type Grid = Omit<FetchedImage, 'dispose'>;
export type GridCutter = (grid: Grid, options: { owner: Owner; signal: AbortSignal }) => Promise<Grid>;

/**
 * The four images of a grid, from the top left in rows, in the grid's own format, with `tile` from 1 to 4 as their fact. A
 * grid that cannot be cut stays what it is, with a fault. One grid at a time. Throws the signal's reason.
 */
export function createGridCutter(): GridCutter {
  const slots = new Slots({ capacity: 1 });

  return async (grid, { owner, signal }) => {
    const { release } = await slots.take({ owner }, signal);
    try {
      return { ...grid, parts: await quartersOf(grid) };
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be read';
      return { ...grid, faults: [...grid.faults, `the grid was not cut: ${why}`] };
    } finally {
      release();
    }
  };
}

async function quartersOf({ bytes, contentType, width: across, height: down }: Grid): Promise<ImagePart[]> {
  const [width, height] = [Math.floor(across / 2), Math.floor(down / 2)];
  if (width === 0 || height === 0) throw new Error('it is too small');
  const madeOf: MadeOf = { bytes, contentType, actions: ['cropped'] };
  const parts: ImagePart[] = [];
  for (const [index, [column, row]] of PLACES.entries()) {
    const place = { left: column * (across - width), top: row * (down - height), width, height };
    const image = sharp(Buffer.isBuffer(bytes) ? bytes : bytes.path, { limitInputPixels: MAX_CUT_PIXELS }).extract(
      place,
    );
    const cut = await inFormat(image, contentType).toBuffer();
    parts.push({ bytes: cut, contentType, width, height, facts: { tile: index + 1 }, madeOf });
  }
  return parts;
}

function inFormat(image: Sharp, contentType: string): Sharp {
  switch (contentType) {
    case 'image/png':
      return image.png();
    case 'image/jpeg':
      return image.jpeg({ quality: QUALITY });
    case 'image/webp':
      return image.webp({ quality: QUALITY });
    default:
      throw new Error(`it is ${contentType}`);
  }
}
