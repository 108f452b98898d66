import { type ImageRequest, message } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Credentials, Lack, Plan } from '../contract';
import { withFields } from '../error-dialect';
import { fanOut, type OneOutcome } from '../fan-out';
import { createGeminiKey, methodUrl } from '../gemini-call';
import { geminiErrors } from '../gemini-errors';
import { createGeminiProbe } from '../gemini-models';
import type { HttpClient } from '../http-client';
import { type ImageCall, imageCallBounds, inlineLack, maskLack, readImageCall, readImageRequest } from '../image-call';
import { present, text } from '../json-guards';
import { type FileLimits, fileLack, lack } from '../lacks';
import type { Clients } from '../protocol';
import { callVendor } from '../vendor-call';
import { imageBody, readImage } from './images';
import { readUsage } from './wire';

const OPTIONS: OptionRules = { timeout_seconds: { kind: 'integer', min: 1, max: 1800 } };

/**
 * Images by `generateContent`: one call an image, side by side; some images are a success. Input images go inline. The
 * vendor knows no key against repetition, so a lost answer is never re-sent.
 */
export default function createGemini({ http }: Clients): Adapter {
  const credentials = createGeminiKey(http);
  return {
    protocol: 'gemini',
    // Texts go by `text.ts`.
    families: ['image', 'text'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    credentials,
    probe: createGeminiProbe(http, credentials),
    lacks: geminiLack,
    async start(request, context) {
      const call = readImageCall(request, context);
      return fanOut(call.image.n, () => generateOne({ http, credentials }, call, context), context);
    },
  };
}

/** Callers of images say no modalities. */
const imageErrors = withFields(geminiErrors, { own: ['responseModalities'] });

const MEBIBYTE = 1024 * 1024;

/** Images that a model takes: those of the third generation take more (docs.cloud.google.com, Gemini 3.1 Flash Image, November 2026). */
function filesOf(model: string): FileLimits {
  const maxFiles = model.startsWith('gemini-3') ? 14 : 3;
  return { image: { maxFiles, contentTypes: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: 7 * MEBIBYTE } };
}

function geminiLack({ request, files, endpoint }: Plan): Lack | undefined {
  const image = readImageRequest(request);
  if (isExactOnly(image)) return lack(message('takes_no_exact_sizes'), 'size');
  if (isPreset(image) && endpoint.model.startsWith('gemini-2')) return lack(message('takes_no_size_presets'), 'size');
  return maskLack(files) ?? fileLack(files, filesOf(endpoint.model)) ?? inlineLack(files);
}

function isPreset({ size }: ImageRequest): boolean {
  return typeof size === 'object' && 'preset' in size;
}

/** The vendor takes a ratio and chooses the pixels. */
function isExactOnly({ size, aspectRatio }: ImageRequest): boolean {
  return typeof size === 'object' && 'width' in size && aspectRatio === undefined;
}

async function generateOne(
  { http, credentials }: { http: HttpClient; credentials: Credentials },
  call: ImageCall,
  context: CallContext,
): Promise<OneOutcome> {
  const reply = await callVendor(http, {
    ...imageCallBounds(context),
    method: 'POST',
    url: methodUrl(context.endpoint, 'generateContent'),
    headers: { 'content-type': 'application/json' },
    key: { credentials, endpoint: context.endpoint },
    body: { json: imageBody(call.image, call.inputs) },
    dialect: imageErrors,
    confidential: call.confidential,
  });
  if (!reply.ok) return reply;
  const requestId = text(reply.body['responseId'])?.slice(0, 200);
  const image = readImage(reply.body);
  return present<OneOutcome>({
    ...(image.ok ? { ...image, usage: readUsage(reply.body['usageMetadata']) } : image),
    requestId,
  });
}
