import type { Json, LoadedMedia, VideoInput, VideoRequest } from '@mediagate/contracts';
import FormData from 'form-data';
import type { Endpoint } from '../contract';
import type { VendorRequest } from '../http-client';
import { present } from '../json-guards';
import { type InlineFile, inlineFile, WORDLESS } from '../video-call';
import { sizeText } from './ability';

/** A first frame as it goes. */
type GivenFrame = { upload: InlineFile } | { link: string };
type Frame = GivenFrame | { notLoaded: VideoInput['role'] };

/** Undefined: there is none. */
export function frameOf(
  { inputs }: VideoRequest,
  media: readonly LoadedMedia[],
  { options }: Endpoint,
): Frame | undefined {
  const [first] = inputs;
  if (first === undefined) return undefined;
  if (options['image'] === 'link') return { link: first.url };
  const file = inlineFile(first.url, media[0]);
  return file === undefined ? { notLoaded: first.role } : { upload: file };
}

/** Texts before the file, so that a server can read the form as a stream. */
export function requestBody(
  video: VideoRequest,
  endpoint: Endpoint,
  { frame, shape }: { frame: GivenFrame | undefined; shape: LoadedMedia | undefined },
): NonNullable<VendorRequest['body']> {
  const link = frame && 'link' in frame ? JSON.stringify({ image_url: frame.link }) : undefined;
  const fields = present<Record<string, string>>({ ...fieldsOf(video, endpoint, shape), image_reference: link });
  if (endpoint.options['body'] === 'json') return { json: fields };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (frame && 'upload' in frame) {
    const { base64, contentType } = frame.upload;
    form.append('input_reference', Buffer.from(base64, 'base64'), {
      filename: `image.${contentType.replace('image/', '')}`,
      contentType,
    });
  }
  return { form };
}

/** Every value is text, as forms have it. */
function fieldsOf(
  { prompt = WORDLESS, resolution, aspectRatio, seconds, negativePrompt, seed, audio }: VideoRequest,
  { model, options }: Endpoint,
  shape: LoadedMedia | undefined,
): Record<string, string> {
  return present<Record<string, string>>({
    model,
    prompt,
    seconds: String(seconds),
    size: sizeText(resolution, ratioOf(aspectRatio, shape), options),
    negative_prompt: negativePrompt,
    seed: textOf(seed),
    fps: textOf(options['fps']),
    generate_sound: options['sound'] === 'choice' ? textOf(audio) : undefined,
  });
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** The ratio that was asked for, or else that of the first frame. */
function ratioOf(aspectRatio: string | undefined, shape: LoadedMedia | undefined): number | undefined {
  if (aspectRatio !== undefined) {
    const [width = 0, height = 0] = aspectRatio.split(':').map(Number);
    return width / height;
  }
  return shape?.width === undefined || shape.height === undefined ? undefined : shape.width / shape.height;
}
