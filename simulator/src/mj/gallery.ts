import sharp, { type Sharp } from 'sharp';
import { type Canvas, drawImage } from '../media/drawing';
import { type Drawing, type Enlarged, type Image, type Repainted, sizeOf } from './image';

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
    const png = kept.get(recipe) ?? make(recipe, image);
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
    return asPng(blank({ width: 2 * width, height: 2 * height }).composite(await Promise.all(tiles)));
  };

  return { image, sheet };
}

type MakeImage = Gallery['image'];

function make(recipe: Image, image: MakeImage): Promise<Buffer> {
  switch (recipe.kind) {
    case 'drawing':
      return drawing(recipe);
    case 'enlarged':
      return enlarged(recipe, image);
    case 'repainted':
      return repainted(recipe, image);
  }
}

function drawing(recipe: Drawing): Promise<Buffer> {
  const { words, seed } = recipe;
  return asPng(sharp(Buffer.from(drawImage(recipe, { prompt: words, seed, transparent: false }))));
}

async function enlarged(recipe: Enlarged, image: MakeImage): Promise<Buffer> {
  const { width, height } = sizeOf(recipe);
  return asPng(sharp(await image(recipe.of)).resize(width, height));
}

async function repainted({ of, mask, paint }: Repainted, image: MakeImage): Promise<Buffer> {
  const { data, info } = await sharp(await image(of))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const fresh = await sharp(await image(paint))
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  const white = await sharp(mask).extractChannel(0).raw().toBuffer();
  for (let pixel = 0; pixel < white.length; pixel += 1) {
    if ((white[pixel] ?? 0) < 128) continue;
    fresh.copy(data, pixel * channels, pixel * channels, (pixel + 1) * channels);
  }
  return asPng(sharp(data, { raw: { width, height, channels } }));
}

function blank({ width, height }: Canvas): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#888' } });
}

function asPng(image: Sharp): Promise<Buffer> {
  return image.removeAlpha().toColourspace('srgb').png({ compressionLevel: 3 }).toBuffer();
}
