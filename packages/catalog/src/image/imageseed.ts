import { type Nano, proRata, type Usage } from '@mediagate/contracts';
import { type RuleOutcome, reject } from '../rules';
import { imageAddressesAreFiles, imageMedia, MEBIBYTE } from './input-media';
import { cell, type SizeTable } from './sizes';
import { imagesMade } from './token-pricing';

/** Images given and images made, together. */
export const IMAGESEED_MAX_IMAGES = 15;
const MAX_IMAGE_BYTES = 10 * MEBIBYTE;

interface Asked {
  prompt: string;
  n: number;
  image_urls?: readonly string[];
  watermark: boolean;
}

/** The parts that all models of this line share, whatever their sizes. */
export const imageseed = {
  family: 'image',
  operation: 'images.generations',
  unsupportedParameters: ['language'],
  rules: [imageAddressesAreFiles, imagesInAndOutFit],
  reserve: ({ n }: Asked, { per_image }: { per_image: Nano }) => proRata(n, per_image, 1n),
  settle: (input: Asked, usage: Usage, { per_image }: { per_image: Nano }) =>
    proRata(imagesMade(input, usage), per_image, 1n),
  media: (input: Asked) => imageMedia(input, MAX_IMAGE_BYTES),
  deadlineMinutes: 30,
  resultLifetimeHours: 24,
} as const;

/** The request, by the model's own table: without a size the vendor chooses the proportions. */
export function imageseedRequest<Ratio extends string, Resolution extends string>(sizes: SizeTable<Ratio, Resolution>) {
  return ({ prompt, n, size, resolution, watermark }: Asked & { size?: Ratio; resolution: Resolution }) => ({
    prompt,
    n,
    watermark,
    ...(size === undefined
      ? { size: { preset: resolution } }
      : { size: cell(sizes[size][resolution]), aspectRatio: size }),
  });
}

function imagesInAndOutFit({ n, image_urls: urls = [] }: Pick<Asked, 'n' | 'image_urls'>): RuleOutcome {
  if (urls.length + n <= IMAGESEED_MAX_IMAGES) return undefined;
  return reject('n', 'too_many_images_and_results', { other: 'image_urls', limit: IMAGESEED_MAX_IMAGES });
}
