import {
  type Fault,
  type ImageRequest,
  type JsonObject,
  type LoadedMedia,
  message,
  type Usage,
} from '@mediagate/contracts';
import { createArkProbe } from '../ark-models';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Lack } from '../contract';
import { judgeError } from '../error-dialect';
import { fanOut, type OneOutcome } from '../fan-out';
import type { HttpClient } from '../http-client';
import {
  dataUri,
  type ImageCall,
  imageCallBounds,
  inlineLack,
  maskLack,
  readImageCall,
  readImageRequest,
} from '../image-call';
import { count, httpUrl, list, object, present } from '../json-guards';
import { type FileLimits, fileLack, lack } from '../lacks';
import type { Clients } from '../protocol';
import { callVendor, unreadable } from '../vendor-call';
import { arkErrors } from './errors';

const OPTIONS: OptionRules = { timeout_seconds: { kind: 'integer', min: 1, max: 1800 } };

/** 5.0 Pro makes images of 1K, 1.5K and 2K, of so many pixels at most (`README.md` beside this). */
const PRO = { presets: new Set(['1K', '1.5K', '2K']), maxPixels: 4_624_220 };

function isPro(model: string): boolean {
  return model.includes('seedream-5-0-pro');
}

/** Images that a model takes: 5.0 takes more, but for Pro (`README.md` beside this). */
function filesOf(model: string): FileLimits {
  return { image: { maxFiles: model.includes('seedream-5') && !isPro(model) ? 14 : 10 } };
}

function sizeLack({ size }: ImageRequest, model: string): Lack | undefined {
  if (size === 'auto' || !isPro(model)) return undefined;
  const isMade = 'preset' in size ? PRO.presets.has(size.preset) : size.width * size.height <= PRO.maxPixels;
  const resolution = sizeText(size) ?? '';
  return isMade ? undefined : lack(message('takes_no_resolution', { resolution }), 'size');
}

/**
 * Images by `POST /images/generations`: one call an image, side by side, since the vendor's own way to several is "up to"
 * a number. Answered with a link of 24 hours to a JPEG. Nothing protects a repeated request, so a lost answer is never
 * re-sent.
 */
export default function createArkImages({ http }: Clients): Adapter {
  return {
    protocol: 'ark-images',
    families: ['image'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createArkProbe(http),
    lacks: ({ request, files, endpoint: { model } }) =>
      sizeLack(readImageRequest(request), model) ??
      maskLack(files) ??
      fileLack(files, filesOf(model)) ??
      inlineLack(files),
    async start(request, context) {
      const call = readImageCall(request, context);
      return fanOut(call.image.n, (index) => generateOne(http, call, context, index), context);
    },
  };
}

async function generateOne(
  http: HttpClient,
  call: ImageCall,
  context: CallContext,
  index: number,
): Promise<OneOutcome> {
  const { baseUrl, apiKey, model } = context.endpoint;
  const reply = await callVendor(http, {
    ...imageCallBounds(context),
    method: 'POST',
    url: `${baseUrl}/images/generations`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'x-client-request-id': `${call.attemptId}-${index}`,
    },
    body: { json: imageBody(model, call.image, call.inputs) },
    dialect: arkErrors,
    confidential: call.confidential,
  });
  return reply.ok ? present<OneOutcome>({ ...readImage(reply.body, call), requestId: reply.requestId }) : reply;
}

/** `watermark` is on unless it is switched off; several images in one answer are off unless switched on, which 5.0 Pro refuses to read of. */
function imageBody(
  model: string,
  { prompt, size, watermark }: ImageRequest,
  inputs: readonly LoadedMedia[],
): JsonObject {
  return present<JsonObject>({
    model,
    prompt,
    image: inputs.length === 0 ? undefined : inputs.map(dataUri),
    size: sizeText(size),
    response_format: 'url',
    watermark: watermark ?? false,
  });
}

/** A preset keeps the ratio to the vendor, who goes by the prompt and the input images. */
function sizeText(size: ImageRequest['size']): string | undefined {
  if (size === 'auto') return undefined;
  return 'preset' in size ? size.preset : `${size.width}x${size.height}`;
}

function readImage(body: JsonObject, { confidential }: ImageCall): OneOutcome {
  const data = list(body['data']);
  if (data === undefined) return lacking(unreadable('no list of images'));
  const url = data.map((item) => httpUrl(object(item)['url'])).find(Boolean);
  if (url !== undefined) {
    return { ok: true, output: { role: 'image', contentType: 'image/jpeg', url }, usage: readUsage(body['usage']) };
  }
  const error = data.map(arkErrors.read).find(Boolean);
  if (error) return lacking(judgeError(arkErrors, 200, error, { ...confidential, retryAfterMs: undefined }));
  return lacking(
    data.length === 0 ? { code: 'generation_failed', detail: 'no image in the answer' } : unreadable('no usable link'),
  );
}

function lacking(fault: Fault): OneOutcome {
  return { ok: false, fault };
}

/** The vendor counts output only. Images are counted from those that came, not from the vendor's number. */
function readUsage(value: unknown): Usage {
  const usage = object(value);
  return present<Usage>({
    inputTokens: 0,
    outputTokens: count(usage['output_tokens']),
    totalTokens: count(usage['total_tokens']),
  });
}
