import sharp, { type Sharp } from 'sharp';
import { type Canvas, drawImage } from '../media/drawing';
import type { ImageShelf } from '../media/image-shelf';
import { type Drawing, type Enlarged, type Image, type Repainted, sizeOf } from './image';

/** Makes images of their recipes. */
export interface Gallery {
  /** PNG without alpha. */
  image(image: Image): Promise<Buffer>;
  /** Four images of one size as a grid: the first two above, the others below. One image alone is itself. */
  sheet(images: readonly Image[]): Promise<Buffer>;
  /** WebP of a sheet that is not finished: half the size, and the blurrier the less of it is done. */
  preview(images: readonly Image[], percent: number): Promise<Buffer>;
  /** WebP that fits a square of 256 pixels. */
  thumbnail(image: Image): Promise<Buffer>;
}

/** A sheet and its images are fetched one after the other; each is made once for them. */
const MAX_KEPT_IMAGES = 32;
const THUMBNAIL_PIXELS = 256;

export function createGallery(shelf: ImageShelf): Gallery {
  const kept = new Map<Image, Promise<Buffer>>();

  const image = (recipe: Image): Promise<Buffer> => {
    const png = kept.get(recipe) ?? make(recipe, { shelf, image });
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

  return {
    image,
    sheet,
    async preview(images, percent) {
      const whole = sharp(await sheet(images));
      const { width } = await whole.metadata();
      return whole
        .resize(Math.ceil(width / 2))
        .blur(Math.max(2, (100 - percent) / 6))
        .webp({ quality: 60, effort: 1 })
        .toBuffer();
    },
    async thumbnail(recipe) {
      const box = { width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside' } as const;
      return sharp(await image(recipe))
        .resize(box)
        .webp({ effort: 1 })
        .toBuffer();
    },
  };
}

interface Workshop {
  shelf: ImageShelf;
  image(recipe: Image): Promise<Buffer>;
}

function make(recipe: Image, workshop: Workshop): Promise<Buffer> {
  switch (recipe.kind) {
    case 'photo':
      return photo(recipe, workshop);
    case 'drawing':
      return drawing(recipe);
    case 'enlarged':
      return enlarged(recipe, workshop);
    case 'repainted':
      return repainted(recipe, workshop);
  }
}

/** A photo that the shelf has dropped for others is grey. */
function photo({ key, width, height }: Canvas & { key: string }, { shelf }: Workshop): Promise<Buffer> {
  const frame = shelf.find(key);
  return asPng(frame ? sharp(frame).resize(width, height, { fit: 'fill' }) : blank({ width, height }));
}

function drawing(recipe: Drawing): Promise<Buffer> {
  const { words, seed } = recipe;
  return asPng(sharp(Buffer.from(drawImage(recipe, { prompt: words, seed, transparent: false }))));
}

async function enlarged(recipe: Enlarged, workshop: Workshop): Promise<Buffer> {
  const { width, height } = sizeOf(recipe);
  return asPng(sharp(await workshop.image(recipe.of)).resize(width, height));
}

async function repainted({ of, mask, paint }: Repainted, workshop: Workshop): Promise<Buffer> {
  const { data, info } = await sharp(await workshop.image(of))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const fresh = await sharp(await workshop.image(paint))
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
