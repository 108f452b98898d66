import sharp, { type Sharp } from 'sharp';
import { type Canvas, drawCutout, drawImage, drawPaint, drawTint } from './drawing';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

export interface ImageOrder extends Canvas {
  /** Without fault directives. */
  prompt: string;
  seed: number;
  format: ImageFormat;
  /** 1 to 100; jpeg and webp only. */
  quality?: number;
  transparent?: boolean;
  /** The image to edit; absent draws a new one. */
  input?: Buffer;
  /** PNG whose alpha 0 marks what to repaint; of any size, laid over the whole image. */
  mask?: Buffer;
}

// Images are seldom drawn twice, and a busy test run should not fill the memory with them.
sharp.cache(false);

/** Draws or edits an image; the same order gives the same bytes. */
export async function renderImage(order: ImageOrder): Promise<Buffer> {
  return encode(order, order.input ? await edit(order, order.input) : await draw(order));
}

/** Width and height of an image, or undefined when the bytes are not one that decodes to the end. */
export async function inspectImage(bytes: Buffer): Promise<InspectedImage | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS });
    const { autoOrient, format, hasAlpha } = await image.metadata();
    // The header alone may lie: decoding finds a file that breaks off.
    await image.resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false }).toBuffer();
    return { ...autoOrient, format, hasAlpha };
  } catch {
    return undefined;
  }
}

export interface InspectedImage extends Canvas {
  format: string;
  hasAlpha: boolean;
}

const MAX_INPUT_PIXELS = 100_000_000;

/** Uncompressed RGBA between two steps. */
interface Pixels extends Canvas {
  data: Buffer;
}

function draw(order: ImageOrder): Promise<Pixels> {
  const options = { prompt: order.prompt, seed: order.seed, transparent: order.transparent ?? false };
  return toPixels(sharp(Buffer.from(drawImage(order, options))));
}

async function edit(order: ImageOrder, input: Buffer): Promise<Pixels> {
  const base = await toPixels(sharp(input).autoOrient().resize(order.width, order.height, { fit: 'fill' }));
  const edited = order.mask
    ? await repaint(base, order.mask, drawPaint(order, order))
    : await lay(base, drawTint(order, order));
  return order.transparent ? lay(edited, drawCutout(order), 'dest-in') : edited;
}

/** Paints where the mask is fully transparent; every other pixel stays as it was. */
async function repaint(base: Pixels, mask: Buffer, paintSvg: string): Promise<Pixels> {
  const hole = await sharp(mask)
    .resize(base.width, base.height, { fit: 'fill', kernel: 'nearest' })
    .ensureAlpha()
    .extractChannel('alpha')
    .raw()
    .toBuffer();
  const paint = await toPixels(sharp(Buffer.from(paintSvg)));
  for (let pixel = 0; pixel < hole.length; pixel += 1) {
    if (hole[pixel] === 0) paint.data.copy(base.data, pixel * 4, pixel * 4, pixel * 4 + 4);
  }
  return base;
}

function lay(base: Pixels, svg: string, blend: 'over' | 'dest-in' = 'over'): Promise<Pixels> {
  return toPixels(fromPixels(base).composite([{ input: Buffer.from(svg), blend }]));
}

async function encode(order: ImageOrder, pixels: Pixels): Promise<Buffer> {
  const image = fromPixels(pixels);
  const quality = Math.max(1, order.quality ?? 100);
  switch (order.format) {
    case 'png':
      return withoutNeedlessAlpha(pixels, order).png({ compressionLevel: 4 }).toBuffer();
    case 'webp':
      return withoutNeedlessAlpha(pixels, order).webp({ quality, effort: 1 }).toBuffer();
    case 'jpeg':
      return image.flatten({ background: '#fff' }).jpeg({ quality }).toBuffer();
  }
}

/** An opaque image carries no alpha channel, so that its presence means something. */
function withoutNeedlessAlpha(pixels: Pixels, order: ImageOrder): Sharp {
  const image = fromPixels(pixels);
  return !order.transparent && isOpaque(pixels) ? image.removeAlpha() : image;
}

/** Not by sharp's `stats`, which takes longer than drawing and encoding together: it measures much else. */
function isOpaque({ data }: Pixels): boolean {
  for (let alpha = 3; alpha < data.length; alpha += 4) {
    if (data[alpha] !== OPAQUE) return false;
  }
  return true;
}

const OPAQUE = 255;

function toPixels(image: Sharp): Promise<Pixels> {
  return image
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(({ data, info }) => ({ data, width: info.width, height: info.height }));
}

function fromPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}
