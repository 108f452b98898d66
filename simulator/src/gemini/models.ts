import type { Call, JsonObject, Question, Reply } from '../vendor-call/contract';
import { Refusal } from '../vendor-call/contract';
import { factQuestion } from '../vendor-call/vendor-router';
import { videoModelNames } from './video-request';
import type { VideoService } from './video-service';
import { geminiError } from './wire';

export type Method = 'generateContent' | 'streamGenerateContent' | 'countTokens' | 'predictLongRunning';

interface Model {
  displayName: string;
  inputTokenLimit: number;
  outputTokenLimit: number;
  methods: Method[];
}

const textMethods: Method[] = ['generateContent', 'streamGenerateContent', 'countTokens'];
const textLimits = { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, methods: textMethods };

const models = new Map<string, Model>([
  ['gemini-2.5-flash', { displayName: 'Gemini 2.5 Flash', ...textLimits }],
  ['gemini-2.5-pro', { displayName: 'Gemini 2.5 Pro', ...textLimits }],
  ['gemini-3.5-flash-lite', { displayName: 'Gemini 3.5 Flash-Lite', ...textLimits }],
  ['gemini-3.8-flash', { displayName: 'Gemini 3.8 Flash', ...textLimits }],
  [
    'gemini-2.5-flash-image',
    {
      displayName: 'Gemini 2.5 Flash Image',
      inputTokenLimit: 32_768,
      outputTokenLimit: 32_768,
      methods: ['generateContent', 'countTokens'],
    },
  ],
  [
    'gemini-3.1-flash-image',
    {
      displayName: 'Gemini 3.1 Flash Image',
      inputTokenLimit: 131_072,
      outputTokenLimit: 32_768,
      methods: ['generateContent', 'countTokens'],
    },
  ],
  ...videoModelNames('gemini').map((name): [string, Model] => [
    name,
    { displayName: name, inputTokenLimit: 1_024, outputTokenLimit: 0, methods: ['predictLongRunning'] },
  ]),
]);

export function supports(model: string, method: Method, service: VideoService['name'] = 'gemini'): boolean {
  if (service === 'vertex') return videoModelNames(service).includes(model);
  return models.get(model)?.methods.includes(method) ?? false;
}

/** `GET /v1beta/models`, and `GET /v1beta/models/{model}`. */
export const modelQuestion: Question<string | undefined> = {
  operation: 'question',
  find: (request) => request.params['model']?.toString(),
  about: (model) => ({ model: model ?? '', prompt: '' }),
  answer: (name, call) => (name === undefined ? listed() : described(name, call)),
};

function listed(): Reply {
  return { status: 200, body: { models: [...models].map(([name, model]) => description(name, model)) } };
}

function described(name: string, { request }: Call): Reply {
  const model = models.get(name);
  if (model) return { status: 200, body: description(name, model) };
  const message = `models/${name.slice(0, 100)} is not found for API version ${request.path.split('/')[1]}.`;
  throw new Refusal(geminiError('NOT_FOUND', message));
}

function description(name: string, { methods, ...facts }: Model): JsonObject {
  return { name: `models/${name}`, version: '001', ...facts, supportedGenerationMethods: methods };
}

/** Vertex: `GET /v1beta1/publishers/google/models`, as version 3 of the vendor's client asks. Here it has videos alone. */
export const publisherModelQuestion = factQuestion(() => ({
  status: 200,
  body: { publisherModels: videoModelNames('vertex').map(publisherModel) },
}));

function publisherModel(name: string): JsonObject {
  return { name: `publishers/google/models/${name}`, versionId: 'default', launchStage: 'GA' };
}
