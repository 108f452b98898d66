import { type ImageRequest, message } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Lack, Plan } from '../contract';
import { fanOut, type OneOutcome } from '../fan-out';
import type { HttpClient } from '../http-client';
import { type ImageCall, imageCallBounds, inlineLack, maskLack, readImageCall, readImageRequest } from '../image-call';
import { present, text } from '../json-guards';
import { type FileLimits, fileLack, lack } from '../lacks';
import type { Clients } from '../protocol';
import { callVendor } from '../vendor-call';
import { geminiErrors } from './errors';
import { imageBody, readImage } from './images';
import { createGeminiProbe } from './probe';
import { geminiHeaders, methodUrl, readUsage } from './wire';

const OPTIONS: OptionRules = { timeout_seconds: { kind: 'integer', min: 1, max: 1800 } };

/**
 * Images by `generateContent`: one call an image, side by side; some images are a success. Input images go inline. The
 * vendor knows no key against repetition, so a lost answer is never re-sent.
 */
export default function createGemini({ http }: Clients): Adapter {
  return {
    protocol: 'gemini',
    // Texts go by `text.ts`.
    families: ['image', 'text'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createGeminiProbe(http),
    lacks: geminiLack,
    async start(request, context) {
      const call = readImageCall(request, context);
      return fanOut(call.image.n, () => generateOne(http, call, context), context);
    },
  };
}

const MEBIBYTE = 1024 * 1024;
const FILES: FileLimits = {
  image: { maxFiles: 3, contentTypes: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: 7 * MEBIBYTE },
};

function geminiLack({ request, files }: Plan): Lack | undefined {
  if (isExactOnly(readImageRequest(request))) return lack(message('takes_no_exact_sizes'), 'size');
  return maskLack(files) ?? fileLack(files, FILES) ?? inlineLack(files);
}

/** The vendor takes a ratio and chooses the pixels. */
function isExactOnly({ size, aspectRatio }: ImageRequest): boolean {
  return typeof size === 'object' && 'width' in size && aspectRatio === undefined;
}

async function generateOne(http: HttpClient, call: ImageCall, context: CallContext): Promise<OneOutcome> {
  const reply = await callVendor(http, {
    ...imageCallBounds(context),
    method: 'POST',
    url: methodUrl(context.endpoint, 'generateContent'),
    headers: geminiHeaders(context.endpoint),
    body: { json: imageBody(call.image, call.inputs) },
    dialect: geminiErrors,
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
