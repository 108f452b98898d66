import type { ImageRequest } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext } from '../contract';
import { fanOut, type OneOutcome } from '../fan-out';
import type { HttpClient } from '../http-client';
import { fitsInline, type ImageCall, imageCallBounds, readImageCall } from '../image-call';
import { present, text } from '../json-guards';
import { callVendor, cannotCarry } from '../vendor-call';
import { geminiErrors } from './errors';
import { imageBody, readImage } from './images';
import { geminiHeaders, methodUrl, readUsage } from './wire';

const OPTIONS: OptionRules = { timeout_seconds: { kind: 'integer', min: 1, max: 1800 } };

/**
 * Images by `generateContent`: one call an image, side by side; some images are a success. Input images go inline. The
 * vendor knows no key against repetition, so a lost answer is never re-sent.
 */
export function createGemini(http: HttpClient): Adapter {
  return {
    protocol: 'gemini',
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    async start(request, context) {
      const call = readImageCall(request, context);
      if (call.mask) return cannotCarry('masks');
      if (isExactOnly(call.image)) return cannotCarry('exact sizes');
      if (!fitsInline(call.inputs)) return cannotCarry('input files as large as these');
      return fanOut(call.image.n, () => generateOne(http, call, context), context);
    },
  };
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
