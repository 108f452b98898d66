import type { ImageRequest, JsonObject } from '@mediagate/contracts';
import FormData from 'form-data';
import { dataUri, type ImageCall } from '../image-call';
import { present } from '../json-guards';

/** The fields of a generation, and of an edit but for its files. What a caller left open is left to the vendor. */
export function generationFields(model: string, image: ImageRequest): JsonObject {
  return present<JsonObject>({
    model,
    prompt: image.prompt,
    n: image.n,
    size: sizeText(image.size),
    quality: image.quality,
    background: image.background,
    output_format: image.outputFormat,
    output_compression: image.outputCompression,
    moderation: image.moderation,
  });
}

/**
 * An edit as multipart: text fields before files, so that a vendor can read it as a stream. `moderation` is no field of
 * this form (the JSON form has it).
 */
export function editForm(model: string, { image, inputs, mask }: ImageCall): FormData {
  const form = new FormData();
  const { moderation: _, ...fields } = generationFields(model, image);
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  inputs.forEach(({ bytes, contentType }, index) => {
    form.append('image[]', bytes, { filename: fileName(`image-${index}`, contentType), contentType });
  });
  if (mask) form.append('mask', mask.bytes, { filename: 'mask.png', contentType: mask.contentType });
  return form;
}

/** An edit as JSON, for vendors that lack the form: files as data URIs. */
export function editJson(model: string, { image, inputs, mask }: ImageCall): JsonObject {
  return present<JsonObject>({
    ...generationFields(model, image),
    images: inputs.map((input) => ({ image_url: dataUri(input) })),
    mask: mask && { image_url: dataUri(mask) },
  });
}

function sizeText(size: ImageRequest['size']): string | undefined {
  if (size === 'auto') return 'auto';
  return 'width' in size ? `${size.width}x${size.height}` : undefined;
}

/** The vendor goes by the type, some of its imitators by the name's ending. */
function fileName(stem: string, contentType: string): string {
  return `${stem}.${contentType.replace(/^image\//, '').replace(/[^a-z0-9]/g, '')}`;
}
