import type { Canvas } from '../media/drawing';

/** Four captions of an image, which its shape tells. */
export function captionsOf({ width, height }: Canvas): string[] {
  const ratio = `${Math.round((width / height) * 100)}:100`;
  return ['image', 'study', 'composition', 'view'].map(
    (kind, index) => `A ${kind} of ${width}x${height} pixels, take ${index + 1} --ar ${ratio}`,
  );
}

/** Texts as the vendor writes them into one. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}️⃣ ${text}`).join('\n\n');
}
