import sharp from 'sharp';
import type { Canvas } from '../media/drawing';

/** Four captions of an image, from its colour and its shape. `variant` gives other wordings. */
export async function captionsOf(png: Buffer, { width, height }: Canvas, variant: number): Promise<string[]> {
  const { dominant } = await sharp(png).stats();
  const colour = `rgb ${dominant.r} ${dominant.g} ${dominant.b}`;
  const ratio = `${Math.round((width / height) * 100)}:100`;
  return ['image', 'study', 'composition', 'view'].map(
    (kind, index) => `A ${kind} in ${colour}, ${width}x${height} pixels, take ${variant * 4 + index + 1} --ar ${ratio}`,
  );
}

/** Texts as the vendor writes them into one. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}️⃣ ${text}`).join('\n\n');
}
