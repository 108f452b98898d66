import { arkErrors } from './ark-images/errors';
import { arkVideoErrors } from './ark-video/errors';
import { dashScopeErrors } from './dashscope-video/errors';
import { musicErrors, soundErrors, speechErrors as voiceErrors } from './elevenlabs/errors';
import { type ErrorDialect, judgeError, type VendorError, withFields } from './error-dialect';
import { falErrors } from './fal-queue/errors';
import { geminiVideoErrors } from './gemini-video/errors';
import { klingErrors } from './kling-video/errors';
import { proxyErrors } from './midjourney-proxy/errors';
import { miniMaxErrors } from './minimax-video/errors';
import { chatErrors } from './openai-chat/errors';
import { openAiErrors } from './openai-images/errors';
import { speechErrors } from './openai-speech/errors';
import { openAiVideoErrors } from './openai-videos/errors';
import { replicateErrors } from './replicate/errors';
import { skyReelsErrors } from './skyreels-video/errors';
import { sunoApiErrors } from './sunoapi/errors';
import { ttapiErrors } from './ttapi-suno/errors';

const DIALECTS: Readonly<Record<string, ErrorDialect>> = {
  'ark-images': arkErrors,
  'ark-video': arkVideoErrors,
  'dashscope-video': dashScopeErrors,
  'elevenlabs, music': musicErrors,
  'elevenlabs, sounds': soundErrors,
  'elevenlabs, speech': voiceErrors,
  'fal-queue, of a template': withFields(falErrors, { own: ['enable_safety_checker'] }),
  'gemini-video': geminiVideoErrors,
  'kling-video': klingErrors,
  'midjourney-proxy': proxyErrors,
  'minimax-video': miniMaxErrors,
  'openai-chat': chatErrors,
  'openai-images': openAiErrors,
  'openai-speech': speechErrors,
  'openai-videos': openAiVideoErrors,
  replicate: replicateErrors,
  'skyreels-video': skyReelsErrors,
  sunoapi: sunoApiErrors,
  'ttapi-suno': ttapiErrors,
};

function judge(dialect: ErrorDialect, error: VendorError, prompt = 'a red fox in the snow at dawn') {
  return judgeError(dialect, 400, error, { apiKey: 'key-for-tests', prompt, retryAfterMs: undefined });
}

describe.each(Object.entries(DIALECTS))('a refusal by %s', (_protocol, dialect) => {
  it.each(dialect.own)('blames nobody for %s, which no caller can say', (field) => {
    const refusals: VendorError[] = [
      { param: field },
      { param: `body.${field}` },
      { message: `the value of '${field}' cannot be taken` },
      { message: `"new-model" does not take \`${field}\` any more` },
      { param: 'body', message: `\`${field}\` is not supported by this model` },
      { param: 'None', message: `\`${field}\` is not supported by this model` },
    ];
    for (const error of refusals) {
      const { detail: _, ...fault } = judge(dialect, error);
      expect(fault).toEqual({ code: 'operator', everyTime: true, ofModel: true });
    }
  });

  it('keeps for the caller what is about a field of the caller’s', () => {
    for (const [vendors, callers] of Object.entries(dialect.fields)) {
      expect(judge(dialect, { param: vendors })).toMatchObject({ code: 'bad_request', param: callers });
      expect(judge(dialect, { param: vendors, message: `'${dialect.own[0]}' takes no such value` }).code).toBe(
        'bad_request',
      );
    }
  });

  it('shares no field between the caller and the channel', () => {
    expect(dialect.own.filter((field) => Object.hasOwn(dialect.fields, field))).toEqual([]);
  });
});

it.each([
  [404, { message: 'no such model' }, true],
  [404, undefined, undefined],
  [410, undefined, true],
  [401, { message: 'no such key' }, undefined],
] as const)('under %s counts against the model alone where the vendor says so: %j', (status, error, ofModel) => {
  const fault = judgeError(openAiErrors, status, error, { apiKey: '', retryAfterMs: undefined });
  expect(fault).toMatchObject({ code: 'operator' });
  expect(fault.ofModel).toBe(ofModel);
});

describe('a schema of a caller whose fields have the names of the channel’s own', () => {
  it.each<VendorError>([
    {
      param: 'tools[0].function.parameters',
      message: `In context=('properties', 'model'), array schema missing items.`,
    },
    { param: 'response_format', message: `'required' is to have every key in properties. Missing 'model'.` },
    { param: 'text.format.schema.properties.model', message: 'array schema missing items' },
    { message: `Invalid schema for function 'get_car': 'model' has no type` },
  ])('is the caller’s mistake: %j', (error) => {
    const fault = judgeError(chatErrors, 400, error, { apiKey: 'key-for-tests', retryAfterMs: undefined });
    expect(fault.code).toBe('bad_request');
    expect(fault.ofModel).toBeUndefined();
  });
});

describe('a message that quotes its caller', () => {
  const quoting = (prompt: string) => judge(arkErrors, { message: `no image for the prompt '${prompt}'` }, prompt).code;

  it('says nothing of the fields of the channel', () => {
    expect(quoting('response_format')).toBe('bad_request');
    expect(quoting('model')).toBe('bad_request');
  });

  it('is about none where a field is an everyday word', () => {
    expect(judge(arkErrors, { message: 'the model cannot draw at this size' }).code).toBe('bad_request');
  });
});
