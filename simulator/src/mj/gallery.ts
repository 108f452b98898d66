import sharp, { type Sharp } from 'sharp';
import { renderImage } from '../media/render';
import { type Image, sizeOf } from './image';

/** Makes images of their recipes. */
export interface Gallery {
  /** PNG without alpha. */
  image(image: Image): Promise<Buffer>;
  /** Four images of one size as a grid: the first two above, the others below. One image alone is itself. */
  sheet(images: readonly Image[]): Promise<Buffer>;
}

/** A sheet and its images are fetched one after the other; each is made once for them. */
const MAX_KEPT_IMAGES = 32;

export function createGallery(): Gallery {
  const kept = new Map<Image, Promise<Buffer>>();

  const image = (recipe: Image): Promise<Buffer> => {
    const png = kept.get(recipe) ?? make(recipe);
    kept.delete(recipe);
    kept.set(recipe, png);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT_IMAGES && oldest) kept.delete(oldest);
    return png;
  };

  const sheet = async (images: readonly Image[]): Promise<Buffer> => {
    const [first, ...others] = images;
    if (!first) throw new Error('a sheet has at least one image');
    if (others.length === 0) return image(first);
    const { width, height } = sizeOf(first);
    const tiles = images.map(async (tile, index) => ({
      input: await image(tile),
      left: (index % 2) * width,
      top: Math.floor(index / 2) * height,
    }));
    const blank = { width: 2 * width, height: 2 * height, channels: 3, background: '#888' } as const;
    return asPng(sharp({ create: blank }).composite(await Promise.all(tiles)));
  };

  return { image, sheet };
}

async function make(image: Image): Promise<Buffer> {
  const { width, height, factor, painted } = image;
  const draw = ({ words, seed }: { words: string; seed: number }) =>
    renderImage({ width, height, prompt: words, seed, format: 'png' });
  const drawing = await draw(image);
  const over = painted && [
    {
      input: await sharp(await draw(painted))
        .joinChannel(painted.mask)
        .png()
        .toBuffer(),
    },
  ];
  const drawn = over ? await asPng(sharp(drawing).composite(over)) : drawing;
  return factor === 1 ? drawn : asPng(sharp(drawn).resize(width * factor, height * factor));
}

function asPng(image: Sharp): Promise<Buffer> {
  return image.removeAlpha().toColourspace('srgb').png({ compressionLevel: 3 }).toBuffer();
}
